"""A networkx digraph in, its nodes in an order of least peak memory out.

    python3 networkx_example.py

Each node makes one tensor, of `size` bytes, which all its successors read. Any topological order
of networkx runs the graph; which one decides how much is alive at once.
"""

import networkx as nx

import highwater


def graph_of(digraph, size="size"):
    """The same graph for highwater; sizes are node attributes."""
    graph = highwater.Graph()
    for node in nx.topological_sort(digraph):
        graph.add(node, digraph.nodes[node][size], list(digraph.predecessors(node)))
    return graph


def best_order(digraph, size="size", solver="exact", seconds=10):
    """An answer with .order (nodes of the digraph), .peak and .status."""
    return graph_of(digraph, size).solve(solver, seconds=seconds)


def branches(ways):
    """Branches that widen and narrow again, then join."""
    digraph = nx.DiGraph()
    digraph.add_node("x", size=10)
    digraph.add_node("sum", size=10)
    for i in range(ways):
        digraph.add_node(f"widen {i}", size=1000)
        digraph.add_node(f"narrow {i}", size=10)
        nx.add_path(digraph, ["x", f"widen {i}", f"narrow {i}", "sum"])
    return digraph


def main():
    digraph = branches(4)
    graph = graph_of(digraph)
    levels = [node for level in nx.topological_generations(digraph) for node in level]
    found = best_order(digraph)
    print("level by level:", graph.peak(levels))
    print("best:", found.peak, found.status)
    print("order:", ", ".join(found.order))


if __name__ == "__main__":
    main()
