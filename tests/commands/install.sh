# Installed elsewhere, it works as it does here. SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
bring two.c
must make -s -C "$project" install SAN="$SAN" PREFIX="$PWD/prefix" > log 2>&1
prefix/bin/verisoft two.c --json r.json --quiet
is "exit status" 1 $?
is "kind" assertion "$(json r.json errors.0.kind)"
[ -e prefix/share/man/man1/verisoft.1 ] || { echo "there is no man page"; failed=1; }
must ${CC:-gcc} -I prefix/include -I prefix/include/verisoft -o alone two.c prefix/lib/verisoft/verisoft-rt.o
cp -r "$project/examples/rendezvous" .
must make -s -C rendezvous clean
must make -s -C rendezvous INCLUDE="$PWD/prefix/include/verisoft"
cd rendezvous && ../prefix/bin/verisoft main.c --object ./rendezvous.so --quiet
is "exit status of the rendezvous" 0 $?
exit $failed
