"""A scheduler that misbehaves as its argument says; without one it does as it should."""
import json, os, resource, sys, time

way = sys.argv[1] if len(sys.argv) > 1 else "none"
nodes = json.load(sys.stdin)["nodes"]
order = sorted(node["id"] for node in nodes)  # topological in the graphs of the test
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
if way == "exit":  # early, and without a word
    sys.exit(0)
if way == "loop":  # endless
    while True:
        pass
if way == "hog":  # of memory
    hoard = [bytearray(1 << 20) for _ in range(1 << 20)]
if way == "garbage":
    sys.exit(print("<html>I am no scheduler</html>"))
if way == "crash":
    os.abort()
if way == "stderr":  # and nothing else
    sys.exit(sys.stderr.write("all is well\n") and 0)
if way == "slow":  # to start
    time.sleep(0.3)
if way == "peak":  # a claim that is wrong
    print("peak 1")
if way == "illegal":
    order.reverse()
print(*order[: len(order) // 2 if way == "partial" else None], sep="\n")
