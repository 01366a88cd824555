#!/usr/bin/env python3
"""A scheduler for `highwater`, solver external: of the nodes that can run, the one
after which least is alive (greedy).  See highwater-external(7)."""
import json
import sys

graph = json.load(sys.stdin)
nodes = {node["id"]: node for node in graph["nodes"]}
size = {t["id"]: t["size"] for t in graph["tensors"] if t.get("kind") != "constant"}
maker = {t: v for v, node in nodes.items() for t in node["outputs"]}
kept = {t["id"] for t in graph["tensors"] if t.get("kind") == "output"}
waits = {v: {maker[t] for t in node["inputs"] if t in maker} for v, node in nodes.items()}
for before, after in graph.get("control", []):
    waits[after].add(before)
users = {t: {v for v, node in nodes.items() if t in node["inputs"]} for t in size}


def change(v):
    """How many bytes more are alive after v has run."""
    freed = sum(size[t] for t in set(nodes[v]["inputs"]) if t in size and t not in kept and users[t] == {v})
    return sum(size[t] for t in nodes[v]["outputs"] if users[t] or t in kept) - freed


while nodes:
    v = min((v for v in nodes if not waits[v]), key=lambda v: (change(v), v))
    print(v)
    for t in nodes.pop(v)["inputs"]:
        users.get(t, set()).discard(v)
    for others in waits.values():
        others.discard(v)
