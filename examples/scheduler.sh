#!/bin/sh
# A scheduler for `highwater`, solver external with format=line: the node that
# became able to run last runs first (depth first).  See highwater-external(7).
exec awk '
$1 == "v" {                                 # v ID INPUTS > OUTPUTS [FIELD ...]
    node[++n] = $2; inputs[$2] = $3
    k = split($5, made, ",")
    for (i = 1; i <= k; i++) maker[made[i]] = $2
}
$1 == "e" { waits[$3]++; after[$2] = after[$2] " " $3 }
END {
    for (i = 1; i <= n; i++) {
        k = split(inputs[node[i]], used, ",")
        for (j = 1; j <= k; j++) if (used[j] in maker) {
            waits[node[i]]++; after[maker[used[j]]] = after[maker[used[j]]] " " node[i]
        }
    }
    for (i = n; i >= 1; i--) if (!waits[node[i]]) stack[++top] = node[i]
    while (top) {
        v = stack[top--]; print v
        k = split(after[v], next_node, " ")
        for (i = 1; i <= k; i++) if (!--waits[next_node[i]]) stack[++top] = next_node[i]
    }
}'
