"""Tests of examples/highwater.py: check_python.py FOLDER_OF_EXAMPLES."""

import sys
import unittest

sys.path.insert(0, sys.argv.pop(1))
import highwater


def branches(ways):
    graph = highwater.Graph()
    graph.add("x", 10)
    for i in range(ways):
        graph.add(f"widen {i}", 1000, ["x"])
        graph.add(f"narrow {i}", 10, [f"widen {i}"])
    graph.add("sum", 10, [f"narrow {i}" for i in range(ways)])
    return graph


class Solving(unittest.TestCase):
    def test_optimum_and_its_order(self):
        graph = branches(3)
        found = graph.solve("exact")
        self.assertEqual(found.status, "optimal")
        self.assertEqual(found.peak, found.bound)
        self.assertEqual(sorted(found.order), sorted(graph._names))
        self.assertEqual(graph.peak(found.order), found.peak)

    def test_a_worse_order_has_a_larger_peak(self):
        graph = branches(3)
        levels = ["x"] + [f"{way} {i}" for way in ("widen", "narrow") for i in range(3)] + ["sum"]
        self.assertGreater(graph.peak(levels), graph.solve().peak)

    def test_peak_by_hand(self):
        # a alone: 64.  b: 64 + 8.  c after b, the last to read a: 64 + 8 + 4.  d: 8 + 4 + 2.
        graph = highwater.Graph()
        for name, size, inputs in [("a", 64, []), ("b", 8, "a"), ("c", 4, "a"), ("d", 2, "bc")]:
            graph.add(name, size, inputs)
        self.assertEqual(graph.peak("abcd"), 76)
        self.assertEqual(graph.peak("abcd", free_first=True), 72)
        self.assertEqual(graph.solve("exact").peak, 76)

    def test_limits_and_bounds(self):
        found = branches(6).solve("exact", states=1)
        self.assertIn(found.status, ("feasible", "unknown", "optimal"))
        bound = branches(3).solve("bound-mincut")
        self.assertIsNone(bound.order)
        self.assertIsNone(bound.peak)
        self.assertGreater(bound.bound, 0)

    def test_ids_of_a_document(self):
        document = {
            "format": "highwater-graph", "version": 1,
            "tensors": [{"id": 7, "size": 5, "kind": "activation"},
                        {"id": 9, "size": 3, "kind": "output"}],
            "nodes": [{"id": 40, "inputs": [], "outputs": [7]},
                      {"id": 30, "inputs": [7], "outputs": [9]}]}
        graph = highwater.Graph.of_json(document)
        self.assertEqual(graph.solve().order, [40, 30])
        self.assertEqual(graph.peak([40, 30]), 8)


class Refusals(unittest.TestCase):
    def refused(self, words, function, *arguments):
        with self.assertRaises(highwater.Error) as caught:
            function(*arguments)
        self.assertIn(words, str(caught.exception))

    def test_messages_arrive(self):
        graph = branches(1)
        self.refused("beam", graph.solve, "beem")
        self.refused("first", graph.add, "late", 1, ["never"])
        self.refused("own", graph.add, "x", 1)
        self.refused("no node", graph.peak, ["x", "y"])
        backwards = ["sum", "x", "widen 0", "narrow 0"]
        self.refused("before", graph.peak, backwards)
        self.refused("nodes", graph.peak, ["x"])
        self.refused("size", highwater.Graph.of_json(
            {"format": "highwater-graph", "version": 1, "nodes": [],
             "tensors": [{"id": 0, "size": -1, "kind": "output"}]}).solve)

    def test_sizes_are_whole_bytes(self):
        graph = branches(1)
        for size in -1, 1.5, "8", None, 2 ** 63:
            self.refused("size of node 'late'", graph.add, "late", size)
            self.refused("workspace of node 'late'", graph.add, "late", 1, [], size)
        self.refused("seed is 2.5", lambda: graph.solve(seed=2.5))
        self.refused("states is -1", lambda: graph.solve(states=-1))

        class Whole:
            def __index__(self):
                return 2 ** 62

        graph.add("late", Whole())  # what was refused is not there
        self.assertEqual(graph.solve().status, "optimal")


unittest.main()
