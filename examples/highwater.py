"""Orders of least peak memory, from Python: a thin layer over libhighwater.

    import highwater
    g = highwater.Graph()
    for name, size, inputs in [("a", 64, []), ("b", 8, ["a"]), ("c", 8, ["a"]), ("d", 4, ["b", "c"])]:
        g.add(name, size, inputs)
    found = g.solve("exact", seconds=10)
    found.status, found.order, found.peak      # 'optimal', ['a', 'b', 'c', 'd'], 80

    python3 highwater.py FILE [SOLVER]         # the same for a file in highwater's JSON format

Needs nothing but the shared library; HIGHWATER_LIBRARY names its file where the loader does not
find it.
"""

import ctypes
import ctypes.util
import json
import operator
import os
import sys
from collections import namedtuple

Answer = namedtuple("Answer", "status order peak bound resident states seconds")
Answer.__doc__ = """What a solver found: order is a list of names, None without one (peak too)."""


class Error(Exception):
    """What the library refused, in its words."""


def _load():
    name = os.environ.get("HIGHWATER_LIBRARY") or ctypes.util.find_library("highwater")
    try:
        library = ctypes.CDLL(name or "libhighwater.so.0")
    except OSError as error:
        raise ImportError(f"{error}: install libhighwater, or name its file in HIGHWATER_LIBRARY") from None
    pointer, text, flag = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_bool
    u32, u64, real = ctypes.c_uint32, ctypes.c_uint64, ctypes.c_double
    ids = ctypes.POINTER(u32)
    for result, function, *arguments in [
        (pointer, "hw_error_new"),
        (None, "hw_error_free", pointer),
        (text, "hw_error_message", pointer),
        (ctypes.c_int, "hw_graph_parse", text, ctypes.c_size_t, text, pointer, pointer),
        (None, "hw_graph_free", pointer),
        (ctypes.c_int, "hw_solution_find", pointer, text, flag, real, u64, u64, pointer, pointer),
        (None, "hw_solution_free", pointer),
        (text, "hw_solution_status", pointer),
        (u32, "hw_solution_length", pointer),
        (ids, "hw_solution_order", pointer),
        (u64, "hw_solution_peak", pointer),
        (u64, "hw_solution_bound", pointer),
        (u64, "hw_solution_resident", pointer),
        (u64, "hw_solution_states", pointer),
        (real, "hw_solution_seconds", pointer),
        (ctypes.c_int, "hw_solution_check", pointer, flag, ids, u32, pointer, pointer),
    ]:
        call = getattr(library, function)
        call.restype, call.argtypes = result, arguments
    return library


_library = _load()


def _call(function, *arguments):
    """Call what takes an error context last; its message becomes an Error."""
    error = _library.hw_error_new()
    try:
        if function(*arguments, error) != 0:
            raise Error(_library.hw_error_message(error).decode("utf-8", "replace"))
    finally:
        _library.hw_error_free(error)


def _whole(what, value, bits):
    """A whole number of any type that has them (those of numpy too), below 2^bits."""
    try:
        number = operator.index(value)
    except TypeError:
        number = -1
    if not 0 <= number < 2 ** bits:
        raise Error(f"{what} is {value!r}: give a whole number from 0 to 2^{bits}-1")
    return number


class Graph:
    """Nodes that make one tensor each, added before those that read it.

    For views, in-place pairs, constants, several outputs: `Graph.of_json` with a document as
    highwater-formats(5) has it; nodes are named by their ids then.
    """

    def __init__(self):
        self._names, self._number = [], {}  # of node ids, and back
        self._tensors, self._nodes, self._read = [], [], set()
        self._document = None

    @classmethod
    def of_json(cls, document):
        graph = cls()
        if not isinstance(document, dict) or not isinstance(document.get("nodes"), list):
            raise Error("no graph: highwater-formats(5) tells what one has")
        graph._document = document
        ids = [node.get("id") for node in document["nodes"] if isinstance(node, dict)]
        graph._names = graph._number = {name: name for name in ids if isinstance(name, int)}
        return graph

    def add(self, name, size, inputs=(), workspace=0):
        """A node `name` that makes `size` bytes out of what the nodes `inputs` made."""
        if name in self._number:
            raise Error(f"node {name!r} is there already: give each node a name of its own")
        try:
            read = [self._number[other] for other in inputs]
        except KeyError as missing:
            raise Error(f"node {name!r} reads {missing}, which is not there: add it first") from None
        size = _whole(f"the size of node {name!r}", size, 63)
        workspace = _whole(f"the workspace of node {name!r}", workspace, 63)
        number = self._number[name] = len(self._names)
        self._names.append(name)
        self._read.update(read)
        self._tensors.append({"id": number, "size": size})
        self._nodes.append({"id": number, "inputs": read, "outputs": [number],
                            "workspace": workspace})

    def document(self):
        """The graph in highwater's JSON format; what nobody reads is an output, kept to the end."""
        if self._document is not None:
            return self._document
        tensors = [dict(tensor, kind="activation" if tensor["id"] in self._read else "output")
                   for tensor in self._tensors]
        return {"format": "highwater-graph", "version": 1, "tensors": tensors, "nodes": self._nodes}

    def _parsed(self):
        text = json.dumps(self.document()).encode()
        graph = ctypes.c_void_p()
        _call(_library.hw_graph_parse, text, len(text), b"graph", ctypes.byref(graph))
        return graph

    def solve(self, solver="exact", seconds=0, states=0, seed=0, free_first=False):
        """Run a solver ("greedy", "beam:width=32", ...); 0: no limit."""
        states, seed = _whole("states", states, 64), _whole("seed", seed, 64)
        if not seconds >= 0:
            raise Error(f"seconds is {seconds}: give 0 or more")
        graph, run = self._parsed(), ctypes.c_void_p()
        try:
            _call(_library.hw_solution_find, graph, solver.encode(), free_first, seconds, states, seed,
                  ctypes.byref(run))
            ids = _library.hw_solution_order(run)
            found = bool(ids)
            return Answer(
                status=_library.hw_solution_status(run).decode(),
                order=[self._names[ids[i]] for i in range(_library.hw_solution_length(run))]
                if found else None,
                peak=_library.hw_solution_peak(run) if found else None,
                bound=_library.hw_solution_bound(run),
                resident=_library.hw_solution_resident(run),
                states=_library.hw_solution_states(run),
                seconds=_library.hw_solution_seconds(run))
        finally:
            _library.hw_solution_free(run)
            _library.hw_graph_free(graph)

    def peak(self, order, free_first=False):
        """The peak of an order of one's own, all names; Error where it is illegal."""
        try:
            ids = (ctypes.c_uint32 * len(order))(*(self._number[name] for name in order))
        except KeyError as missing:
            raise Error(f"no node {missing}: list the names of the graph") from None
        graph, peak = self._parsed(), ctypes.c_uint64()
        try:
            _call(_library.hw_solution_check, graph, free_first, ids, len(ids), ctypes.byref(peak))
            return peak.value
        finally:
            _library.hw_graph_free(graph)


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit("usage: highwater.py FILE [SOLVER]")
    try:
        with open(sys.argv[1], encoding="utf-8") as file:
            graph = Graph.of_json(json.load(file))
        found = graph.solve(sys.argv[2] if len(sys.argv) == 3 else "exact")
    except (Error, OSError, ValueError, RecursionError) as error:
        sys.exit(f"highwater.py: {sys.argv[1]}: {error}")
    print(found.status, "peak", found.peak, "order", *(["none"] if found.order is None else found.order))


if __name__ == "__main__":
    main()
