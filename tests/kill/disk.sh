# A full disk: what cannot be written is said, and nothing is left. SPDX-License-Identifier: MIT
. "$project/tests/lib/kill.sh"
bring two.c tests/cases/philosophers.c
build two two.c
build phil philosophers.c

# As good as a full disk, for everybody: files may not grow.
(
    ulimit -f 8
    verisoft two.c --quiet > out 2> err
    status=$?
    [ $status = 2 ] || { echo "compiling with no room: status $status"; cat err; exit 1; }
    verisoft ./phil --save-state-space 1 --search stateful --stop-at-error 0 --quiet -- 4 > out 2> err
    status=$?
    case $status in 1|2) ;; *) echo "a run with no room for anything: status $status"; cat err; exit 1 ;; esac
) || failed=1
nothing_left "files may not grow"

mkdir -p small
if mount -t tmpfs -o size=16k tmpfs small 2> /dev/null; then
    TMPDIR=$folder/small verisoft two.c --quiet 2> err
    is "exit status with a full TMPDIR" 2 $?
    is "files in the full TMPDIR" "" "$(ls small)"
    verisoft ./phil --save-state-space 1 --search stateful --stop-at-error 0 --output small -- 4 > out 2> err
    is "exit status with a full folder" 1 $?
    grep -q 'sss.VS' out err || { echo "nothing is said about sss.VS"; cat out err; failed=1; }
    head -c 100000 /dev/zero > small/full 2> /dev/null
    rm -f small/*.path small/sss.VS
    head -c 100000 /dev/zero >> small/full 2> /dev/null
    verisoft ./two --output small > out 2> err
    is "exit status without room for the scenario" 1 $?
    grep -q 'error1.path' out err || { echo "nothing is said about error1.path"; cat out err; failed=1; }
    umount small
else
    echo "(no small disk could be mounted)"
fi
nothing_left "a full disk"
next_run_works
exit $failed
