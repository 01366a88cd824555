#!/bin/sh
# Debian packages out of the tarball of `make dist`:
#
#   sh scripts/deb.sh TARBALL FOLDER
#
# The packages are in FOLDER afterwards, and have passed lintian, without which
# nothing is made.  The time in them is that of the changelog's last entry, and
# paths are mapped away, so that two builds give the same bytes.  A line for
# each step goes to standard output; what the tools print is in FOLDER/log, and
# its end on standard error where one fails.
set -eu
tarball=${1:?usage: deb.sh TARBALL FOLDER}
folder=${2:?usage: deb.sh TARBALL FOLDER}
for tool in dpkg-buildpackage dh lintian; do
    command -v "$tool" >/dev/null || {
        echo "deb: no $tool here (sh scripts/setup.sh --package installs it)" >&2
        exit 2
    }
done
# The only folder of that name that is removed is one of a run before.
if [ -e "$folder" ] && [ ! -e "$folder/log" ] && [ -n "$(ls -A "$folder")" ]; then
    echo "deb: $folder is no folder of packages: name another one" >&2
    exit 2
fi
rm -rf "$folder"
mkdir -p "$folder/source"
folder=$(cd "$folder" && pwd)
log=$folder/log
begin=$(date +%s)
: >"$log"
# Whatever the one who builds lets others read.
umask 022

say() { printf 'deb: %s\n' "$*" | tee -a "$log"; }

failed() {
    tail -n 40 "$log" >&2
    echo "deb: failed: $1; the whole log: $log" >&2
    exit 1
}

# step WORDS COMMAND...: a line before it, its output into the log.
step() {
    what=$1
    shift
    say "$what"
    "$@" >>"$log" 2>&1 || failed "$what"
}

# The steps of dpkg-buildpackage that take long, as they begin.
told() {
    while IFS= read -r line; do
        printf '%s\n' "$line" >>"$log"
        case $line in
        *dh_auto_build) say "  builds" ;;
        *override_dh_auto_test*) say "  builds the tests and runs them" ;;
        *override_dh_auto_install*) say "  installs" ;;
        *dh_builddeb*) say "  packs" ;;
        esac
    done
}

unpack() {
    tar -C "$folder/source" --strip-components=1 -xzf "$tarball" &&
        cp -R "$folder/source/scripts/debian" "$folder/source/debian"
}

# Variables of a make around this one (BUILD, CC, SANITIZE) are not the package's.
packages() {
    cd "$folder/source" && env -i PATH="$PATH" HOME="$folder/source" LC_ALL=C.UTF-8 TMPDIR="${TMPDIR:-/tmp}" \
        ${CCACHE_DIR:+CCACHE_DIR="$CCACHE_DIR" CCACHE_NOHASHDIR=1} \
        DEB_BUILD_OPTIONS="${DEB_BUILD_OPTIONS:-parallel=2}" dpkg-buildpackage -us -uc -b
}

step "unpack $tarball" unpack
say "dpkg-buildpackage (log: $log)"
{ packages 2>&1 && : >"$folder/source/built"; } | told
[ -e "$folder/source/built" ] || failed dpkg-buildpackage
step lintian lintian --allow-root --info --fail-on error,warning --tag-display-limit 0 "$folder"/*.changes
rm -rf "$folder/source"
say "done in $(($(date +%s) - begin)) s"
(cd "$folder" && sha256sum -- *.deb)
