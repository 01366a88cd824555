# Reads of freed memory where views are taken for ordinary nodes that make
# nothing: awk -f dangling.awk LINES ORDER prints how many nodes read what is
# gone, and the bytes of the storages that they read.  A storage is then freed
# after the last node that names its root itself.
FNR == NR && $1 == "t" { size[$2] = $3; kind[$2] = $4; root[$2] = $2 }

FNR == NR && $1 == "v" {
    reads[$2] = $3 == "-" ? "" : $3
    view = / view( |$)/
    n = split($5, outputs, ",")
    for (i = 1; i <= n && view; i++) {
        split($3, inputs, ",")
        base[outputs[i]] = inputs[1]
    }
}

FNR != NR {
    sub(/.*"order":\[/, "")
    sub(/\].*/, "")
    n_nodes = split($0, order, ",")
}

function root_of(t) {
    while (t in base)
        t = base[t]
    return t
}

END {
    for (step = 1; step <= n_nodes; step++) {
        n = split(reads[order[step]], inputs, ",")
        for (i = 1; i <= n; i++)
            if (!(inputs[i] in base))
                last[inputs[i]] = step
    }
    for (step = 1; step <= n_nodes; step++) {
        n = split(reads[order[step]], inputs, ",")
        bad = 0
        for (i = 1; i <= n; i++) {
            r = root_of(inputs[i])
            if (r == inputs[i] || kind[r] == "c" || kind[r] == "o" || size[r] == 0 || last[r] >= step)
                continue
            bad = 1
            gone[r] = 1
        }
        count += bad
    }
    for (r in gone)
        bytes += size[r]
    printf "%d,%.0f\n", count, bytes
}
