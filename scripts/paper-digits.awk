# Digits typed into the text of the paper: a result belongs into a macro (paper/numbers.txt).
#
#   awk -f scripts/paper-digits.awk paper/*.tex
#
# Prints FILE:LINE: TEXT for each and ends with 1.  Free are: what is given, not measured, in
# \given{...}; arguments that name or lay out (\ref, \cite, \label, \input, \includegraphics,
# \vspace, [...]); comments and the preamble; names of rules (R1) and the model's own (C numbers).
# In model, exact and bad, the sections of definitions and theorems, formulas are free as well.
FNR == 1 {
    theory = FILENAME ~ /(model|exact|bad)\.tex$/
    preamble = FILENAME ~ /highwater\.tex$/
    formula = 0
    open_math = 0
}
/\\begin\{document\}/ { preamble = 0 }
preamble { next }
{
    line = $0
    sub(/(^|[^\\])%.*/, "", line)
    gsub(/\\given\{[^}]*\}/, "", line)
    gsub(/\\(ref|cite|citet|citep|label|input|includegraphics|vspace|bibliography|bibliographystyle)(\[[^]]*\])*\{[^}]*\}/, "", line)
    gsub(/\\(begin|end)\{[^}]*\}(\[[^]]*\])?/, "&", line)
    gsub(/R[1-4]'?/, "", line)
    if (theory) {
        gsub(/\([1-3]\)/, "", line)
        if (line ~ /\\begin\{align\*\}/ || line ~ /^\\\[/)
            formula = 1
        was = formula
        if (line ~ /\\end\{align\*\}/ || line ~ /^\\\]/)
            formula = 0
        if (was)
            next
        # A formula may go over the end of a line.
        gsub(/\$[^$]*\$/, "", line)
        if (open_math) {
            if (sub(/^[^$]*\$/, "", line))
                open_math = 0
            else
                next
            gsub(/\$[^$]*\$/, "", line)
        }
        if (sub(/\$.*/, "", line))
            open_math = 1
    } else {
        gsub(/\\lfloor\(n\+c\)\/2\\rfloor/, "", line) # the theorem's factor, and what c may be
        gsub(/c\\le3/, "", line)
    }
    gsub(/\\[A-Za-z@]+/, "", line)
    if (line ~ /[0-9]/) {
        print FILENAME ":" FNR ": " $0
        found = 1
    }
}
END { exit found }
