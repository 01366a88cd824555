#!/bin/sh
# The promises of README and of the Debian package on a Debian that has nothing
# yet: sh scripts/check-chroot.sh FOLDER, as root, with debootstrap and a mirror.
#
#   readme     a clone, with git and make alone: `make reproduce`, `make check`
#   build      the packages, from the tarball of `make dist` and with the
#              packages alone that their control file names (into FOLDER/deb)
#   package    those packages installed by apt, used, and purged
#   tutorials  every command of README and tutorials with the installed program
#
# PARTS="readme ..." chooses (all, in this order); SUITE (bookworm); MIRROR (the
# one that apt has here); FRESH=1 repeats parts that this commit has passed.
# FOLDER keeps the logs, the base system and downloaded packages; the systems
# themselves are under TMPDIR.  Each runs in namespaces of its own: no mount of
# it is ever seen outside, and its processes end with its first one.
set -eu

folder=${1:?usage: check-chroot.sh FOLDER}
top=$(cd "$(dirname "$0")/.." && pwd)
suite=${SUITE:-bookworm}
PATH=$PATH:/usr/sbin:/sbin

[ "$(id -u)" = 0 ] || { echo "check-chroot: only root can do this" >&2 && exit 2; }
for tool in debootstrap unshare git; do
    command -v "$tool" >/dev/null || { echo "check-chroot: no $tool here" >&2 && exit 2; }
done

# The first mirror of Debian itself among apt's sources, of either form.
apt_mirror() {
    cat /etc/apt/sources.list /etc/apt/sources.list.d/*.sources /etc/apt/sources.list.d/*.list \
        2>/dev/null | grep -v '^#' | tr ' ' '\n' | grep -E '^https?://.*/debian/?$' | head -n 1
}
mirror=${MIRROR:-$(apt_mirror)}
mirror=${mirror:-http://deb.debian.org/debian}

mkdir -p "$folder/archives/partial"
folder=$(cd "$folder" && pwd)
root=
child=

finish() {
    status=$?
    trap - EXIT INT TERM HUP
    # The first process of a namespace takes all others, and the mounts, with it.
    [ -z "$child" ] || { kill -KILL "$child" 2>/dev/null && wait "$child" 2>/dev/null; } || :
    [ -z "$root" ] || rm -rf --one-file-system "$root"
    exit "$status"
}
trap finish EXIT
trap 'exit 130' INT TERM HUP

# A fresh system in $root.
make_root() {
    base=$folder/base-$suite.tar
    root=$(mktemp -d "${TMPDIR:-/tmp}/highwater-chroot.XXXXXX")
    if [ ! -e "$base" ]; then
        echo "base system ($suite from $mirror)"
        debootstrap --variant=minbase "$suite" "$root" "$mirror" >"$folder/base.log" 2>&1 ||
            { tail -n 20 "$folder/base.log" >&2 && return 1; }
        rm -f "$root"/var/cache/apt/archives/*.deb
        tar -C "$root" --numeric-owner -cf "$base.part" .
        mv "$base.part" "$base"
    else
        tar -C "$root" --numeric-owner -xpf "$base"
    fi
    chmod 755 "$root" # not as mktemp leaves it: there are other users than root
    echo "deb $mirror $suite main" >"$root/etc/apt/sources.list"
    cp /etc/resolv.conf "$root/etc/resolv.conf"
    echo "127.0.0.1 localhost $(hostname)" >"$root/etc/hosts"
    # minbase images of containers may leave out what is to be looked at.
    rm -f "$root"/etc/dpkg/dpkg.cfg.d/*
    mkdir -p "$root/mnt/given"
}

# enter FILE: run the script in $root; its processes see no others.
enter() {
    # shellcheck disable=SC2016
    unshare --mount --pid --fork --kill-child --propagation private sh -c '
        root=$1 archives=$2
        mount -t proc proc "$root/proc" &&
        mount -t sysfs -o ro sysfs "$root/sys" &&
        mount -t devpts -o newinstance,ptmxmode=666 devpts "$root/dev/pts" &&
        mount -t tmpfs tmpfs "$root/dev/shm" &&
        mount --bind "$archives" "$root/var/cache/apt/archives" || exit 1
        chroot "$root" /usr/bin/env -i HOME=/root TERM=dumb LC_ALL=C.UTF-8 \
            PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
            DEBIAN_FRONTEND=noninteractive ${http_proxy:+http_proxy="$http_proxy"} sh -eux
        exit $?' enter "$root" "$folder/archives" <"$1" &
    child=$!
    status=0
    wait "$child" || status=$?
    child=
    return "$status"
}

# What a part finds in /mnt/given, and runs.
give_clone() { git -c safe.directory='*' -C "$top" bundle create -q "$root/mnt/given/highwater.bundle" HEAD; }
give_tarball() {
    make --no-print-directory -C "$top" dist DIST="$root/mnt/given" >/dev/null
}
give_packages() {
    ls "$folder"/deb/*.deb >/dev/null || { echo "no packages: PARTS=build makes them" >&2 && return 1; }
    cp "$folder"/deb/*.deb "$root/mnt/given"
    give_tarball
}

part_readme() {
    give_clone
    cat <<'SCRIPT'
apt-get update -qq
apt-get install -qq -y --no-install-recommends git make
cd /root
git clone -q /mnt/given/highwater.bundle highwater
cd highwater
date
make reproduce
date
make check
date
SCRIPT
}

part_build() {
    give_tarball
    cat <<'SCRIPT'
apt-get update -qq
apt-get install -qq -y --no-install-recommends dpkg-dev lintian
cd /root
tar -xzf /mnt/given/highwater-*.tar.gz
cd highwater-*/
mkdir debian && cp -R scripts/debian/. debian
apt-get build-dep -qq -y --no-install-recommends ./
rm -r debian
sh scripts/deb.sh /mnt/given/highwater-*.tar.gz /root/built
mkdir /mnt/given/deb
cp /root/built/*.deb /mnt/given/deb
SCRIPT
}

part_package() {
    give_packages
    cat <<'SCRIPT'
apt-get update -qq
find / -xdev -not -path '/mnt/*' -not -path '/tmp/*' -path '*highwater*' >/tmp/before
cd /root
apt-get install -qq -y --no-install-recommends /mnt/given/highwater_*.deb /mnt/given/libhighwater0_*.deb
tar -xzf /mnt/given/highwater-*.tar.gz
tests=$(echo /root/highwater-*/scripts/debian/tests)
highwater gen nets:net=resnet50 -o net.json
highwater solve net.json --solver greedy
for page in 1/highwater.1 1/highwater-check.1 5/highwater-formats.5; do
    test -s /usr/share/man/man$page.gz
done
apt-get install -qq -y --no-install-recommends man-db
man -P cat 1 highwater | grep -q highwater
test -s /usr/share/bash-completion/completions/highwater
test -s /usr/share/zsh/vendor-completions/_highwater
test -s /usr/share/fish/vendor_completions.d/highwater.fish
apt-get install -qq -y --no-install-recommends python3 libpython3-stdlib
AUTOPKGTEST_TMP=$(mktemp -d) "$tests/proof"
apt-get install -qq -y --no-install-recommends /mnt/given/libhighwater-dev_*.deb gcc libc6-dev make pkg-config
AUTOPKGTEST_TMP=$(mktemp -d) "$tests/examples"
python3 -B -c 'import sys; sys.path.insert(0, "/usr/share/doc/libhighwater-dev/examples"); import highwater'
apt-get purge -qq -y highwater libhighwater0 libhighwater-dev
find / -xdev -not -path '/mnt/*' -not -path '/tmp/*' -not -path '/root/*' -not -path '/var/cache/man/*' -path '*highwater*' >/tmp/after
diff /tmp/before /tmp/after
SCRIPT
}

part_tutorials() {
    give_packages
    cat <<'SCRIPT'
apt-get update -qq
apt-get install -qq -y --no-install-recommends /mnt/given/*.deb gnuplot-nox python3 graphviz
cd /root
tar -xzf /mnt/given/highwater-*.tar.gz
cd highwater-*/
sh scripts/check-tutorials.sh /usr/bin/highwater
SCRIPT
}

commit=$(git -c safe.directory='*' -C "$top" rev-parse HEAD)
failed=
for part in ${PARTS:-readme build package tutorials}; do
    case $part in
    readme | build | package | tutorials) ;;
    *) echo "check-chroot: no part $part" >&2 && exit 2 ;;
    esac
    if [ -z "${FRESH:-}" ] && [ "$(cat "$folder/$part.passed" 2>/dev/null)" = "$commit" ]; then
        echo "$part: passed before"
        continue
    fi
    rm -f "$folder/$part.passed"
    begin=$(date +%s)
    make_root
    "part_$part" >"$folder/$part.sh"
    if enter "$folder/$part.sh" >"$folder/$part.log" 2>&1; then
        if [ "$part" = build ]; then
            rm -rf "$folder/deb"
            cp -R "$root/mnt/given/deb" "$folder/deb"
        fi
        echo "$commit" >"$folder/$part.passed"
        echo "$part: passed ($(($(date +%s) - begin)) s)"
    else
        failed="$failed $part"
        echo "$part: FAILED ($(($(date +%s) - begin)) s); the end of $folder/$part.log:"
        tail -n 30 "$folder/$part.log"
    fi
    rm -rf --one-file-system "$root"
    root=
done
[ -z "$failed" ]
