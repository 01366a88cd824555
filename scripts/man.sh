#!/bin/sh
# Manual pages from Markdown: man/NAME.SECTION.md becomes FOLDER/NAME.SECTION.
#
#   sh scripts/man.sh FOLDER
#
# Pages of the library's interfaces are Markdown made of their headers, into the
# same folder.  Pages of roff are committed beside their Markdown, so that building and
# installing need no pandoc.  A page begins at its first heading; title,
# section, version and date come from the file's name and from CITATION.cff, so
# that the same text gives the same bytes on any day.
#
# The bytes depend on pandoc's version; another one than below is told, and
# then differences in every page are no fault.
set -eu

known=2.17.1.1
folder=$1
cd "$(dirname "$0")/.."
citation() { sed -n "s/^$1: *\"\{0,1\}\([^\"]*\)\"\{0,1\}\$/\1/p" CITATION.cff; }
version=$(citation version) date=$(citation date-released)

have=$(pandoc --version | sed -n '1s/pandoc //p')
[ "$have" = "$known" ] || echo "man.sh: pandoc $have: the committed pages are of $known" >&2

# Pages of the main interfaces of the library come out of their headers.
for header in src/model/graph src/model/builder src/model/model src/model/sim src/model/check \
    src/model/log src/solve/solver src/solve/solution gen/family src/io/io src/import/import src/arena/arena; do
    page=libhighwater-${header##*/}
    awk -v name="$page" -f scripts/header.awk $header.h >"$folder/$page.3.md"
done

for source in man/*.md; do
    page=$(basename "$source" .md)
    [ ! -f "$folder/$page.md" ] || source=$folder/$page.md
    name=${page%.*} section=${page##*.}
    case $section in
    1) manual='User Commands' ;;
    3) manual='Library Functions' ;;
    5) manual='File Formats' ;;
    7) manual='Guides' ;;
    *)
        echo "man.sh: $source: name it NAME.SECTION.md, of section 1, 3, 5 or 7" >&2
        exit 1
        ;;
    esac
    title=$(printf '%s' "$name" | tr '[:lower:]' '[:upper:]')
    pandoc --from markdown-smart --to man --standalone --lua-filter scripts/man.lua \
        --variable title="$title" --variable section="$section" --variable date="$date" \
        --variable footer="highwater $version" --variable header="$manual" "$source" |
        awk -v page="$page" -f scripts/man.awk >"$folder/$page.new"
    mv "$folder/$page.new" "$folder/$page"
done
