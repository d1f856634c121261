# The executable is deleted while a program with threads is searched by starting it again and again.
# SPDX-License-Identifier: MIT
. "$project/tests/lib/kill.sh"
${CC:-cc} -g -o program "$project/bench/threads/philosophers.c" -pthread || exit 1
timeout 1000 verisoft ./program --restart 1 --quiet -- ordered 6 2 > said 2>&1 &     # for ever, as it seems
search=$!
cut 15 0 program sleep 600           # until the program is run
rm program
wait $search
status=$?
[ $status = 2 ] || { echo "the executable is gone: status $status"; failed=1; }
grep -q 'program cannot be run' said || { echo "the executable is gone, and nobody says so:"; cat said; failed=1; }
nothing_left "the executable is gone"
exit $failed
