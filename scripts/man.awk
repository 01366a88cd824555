# Tidies the roff that pandoc wrote for scripts/man.sh: -v page=NAME.SECTION.
#
# Says where the page is from; drops the definitions of a type that our pages
# do not use, the wish for hyphens, and paragraphs that begin right after a
# heading or another one, which mean nothing.

/^\.\\" Automatically generated/ {
    print ".\\\" From man/" page ".md by `make man`: edit that."
    next
}
/^\.\\" Define V font/ { skipping = 1 }
skipping && /^\.TH / { skipping = 0 }
skipping || /^\.\\"$/ || /^\.hy$/ { next }
# A table of short cells stands on lines of its own, one a row: as blocks of
# text (T{ ... T}) they would be set narrow.
/^\.TS$/ { table = 1 }
/^\.TE$/ { table = 0 }
table && /^T\{$/ { row = $0; cells = ""; lines = 0; long = 0; in_row = 1; next }
in_row {
    row = row "\n" $0
    if ($0 == "T}") {
        print long ? row : cells
        in_row = 0
    } else if ($0 ~ /^T\}.T\{$/) {
        cells = cells substr($0, 3, 1)
        lines = 0
    } else {
        cells = cells $0
        if (++lines > 1)
            long = 1
    }
    next
}
/^\.PP$/ && after_heading { next }
/^\.PP$/ { waiting = 1; next }
waiting && !/^\.(PP|TP|SH|SS|TS)/ { print ".PP" }
{
    waiting = 0
    after_heading = /^\.S[HS]/
    print
}
