# The controller is ended while the program computes: before its first operation, and in a loop without any.
# SPDX-License-Identifier: MIT
. "$project/tests/lib/kill.sh"
cat > slow.c <<'END'
#include <verisoft.h>

int main(int argc, char **argv)
{
    volatile long i = 0;
    int semaphore = semget(IPC_PRIVATE, 1, 0600);
    if (argc > 1) {
        fork();
        semsignal(semaphore, 0, 1);
    }
    for (;;)
        i++;
}
END
build program slow.c
for arguments in "" "-- x"; do
    for signal in 2 15 9; do
        cut $signal 500000 program verisoft ./program --divergence-limit 600 --quiet $arguments
        status=$?
        case $signal:$status in
        2:130|15:130|9:137) ;;
        *) echo "$signal while the program computes: status $status"; failed=1 ;;
        esac
        nothing_left "$signal while the program computes"
    done
done
no_objects_left
next_run_works
exit $failed
