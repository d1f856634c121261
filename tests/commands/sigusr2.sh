# sigusr2: processes are ended so that they can clean up. SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
cat > cleans.c <<'END'
#include <fcntl.h>
#include <signal.h>
#include <verisoft.h>

static char name[] = "cleaned-0";

static void clean(int signal)
{
    (void)signal;
    close(creat(name, 0600));
    _exit(0);
}

int main(void)
{
    int semaphore = semget(IPC_PRIVATE, 1, 0600);
    signal(SIGUSR2, clean);
    if (fork() == 0) {
        name[8] = '1';
        semwait(semaphore, 0, 1);
    }
    semwait(semaphore, 0, 1);
    return 0;
}
END
build program cleans.c
verisoft ./program --quiet
is "exit status" 1 $?
is "files without sigusr2" "" "$(ls | grep cleaned)"
verisoft ./program --sigusr2 1 --quiet
is "exit status with sigusr2" 1 $?
is "files with sigusr2" "cleaned-0 cleaned-1" "$(echo $(ls | grep cleaned))"
rm -f cleaned-*
echo 'sigusr2 1' > system_file.VS
verisoft ./program --quiet
is "files with sigusr2 from system_file.VS" "cleaned-0 cleaned-1" "$(echo $(ls | grep cleaned))"
exit $failed
