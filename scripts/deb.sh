#!/bin/sh
# Debian packages out of the tarball of `make dist`:
#
#   sh scripts/deb.sh TARBALL FOLDER
#
# The packages are in FOLDER afterwards, and have passed lintian, without which
# nothing is made.  The time in them is that of the changelog's last entry, and
# paths are mapped away, so that two builds give the same bytes.
set -eu
tarball=${1:?usage: deb.sh TARBALL FOLDER}
folder=${2:?usage: deb.sh TARBALL FOLDER}
for tool in dpkg-buildpackage dh lintian; do
    command -v "$tool" >/dev/null || {
        echo "deb: no $tool here (sh scripts/setup.sh --package installs it)" >&2
        exit 2
    }
done
rm -rf "$folder"
mkdir -p "$folder/source"
folder=$(cd "$folder" && pwd)
tar -C "$folder/source" --strip-components=1 -xzf "$tarball"
cp -R "$folder/source/scripts/debian" "$folder/source/debian"
# Variables of a make around this one (BUILD!, CC, SANITIZE) are not the package's.
(cd "$folder/source" && env -i PATH="$PATH" HOME="$folder/source" LC_ALL=C.UTF-8 TMPDIR="${TMPDIR:-/tmp}" \
    ${CCACHE_DIR:+CCACHE_DIR="$CCACHE_DIR" CCACHE_NOHASHDIR=1} \
    DEB_BUILD_OPTIONS="${DEB_BUILD_OPTIONS:-parallel=2}" dpkg-buildpackage -us -uc -b) \
    >"$folder/log" 2>&1 || {
    tail -n 40 "$folder/log" >&2
    exit 1
}
lintian --allow-root --fail-on error,warning --tag-display-limit 0 "$folder"/*.changes
rm -rf "$folder/source"
(cd "$folder" && sha256sum -- *.deb)
