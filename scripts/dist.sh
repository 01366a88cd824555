#!/bin/sh
# The sources as a tarball: sh scripts/dist.sh NAME FOLDER makes FOLDER/NAME.tar.gz
#
# The same commit gives the same bytes, wherever and by whomever it is made:
# sorted names, the time of the commit, no owners, plain modes.  Without git, in
# an unpacked tarball, the files are those of this folder without build/, and
# the time is that of the Makefile; so a tarball makes itself again.
set -eu
name=${1:?usage: dist.sh NAME FOLDER}
folder=${2:?usage: dist.sh NAME FOLDER}
top=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$folder"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM
LC_ALL=C
TZ=UTC0
export LC_ALL TZ

mkdir "$scratch/$name"
if [ -e "$top/.git" ]; then
    # Whatever those settings are of the one who makes it.
    git() { command git -c safe.directory='*' -c core.autocrlf=false -c tar.umask=0022 -C "$top" "$@"; }
    [ -z "$(git status --porcelain)" ] ||
        echo "dist: what is not committed is left out" >&2
    time=$(git log -1 --format=%ct)
    git archive --format=tar HEAD | tar -C "$scratch/$name" -xf -
else
    time=$(stat -c %Y "$top/Makefile")
    (cd "$top" && tar --exclude=./build --exclude=./debian -cf - .) | tar -C "$scratch/$name" -xf -
fi
tar -C "$scratch" --sort=name --format=gnu --mtime="@$time" --owner=0 --group=0 --numeric-owner \
    --mode=u=rwX,go=rX -cf - "$name" | gzip -9n >"$folder/.$name.part"
mv "$folder/.$name.part" "$folder/$name.tar.gz"
echo "$folder/$name.tar.gz"
