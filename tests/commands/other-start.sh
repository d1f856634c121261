# A program whose semaphore begins with another value at every start: what is found in one start says nothing of the next.
. "$project/tests/lib/transcript.sh"
cat > other.c << 'END'
#include "verisoft.h"
#include <fcntl.h>
#include <unistd.h>
int main(void)
{
    char count = 0;
    int file = open("count", O_RDWR | O_CREAT, 0666), array = semget(IPC_PRIVATE, 1, 0600);
    if (read(file, &count, 1) < 0)
        return 1;
    count++;
    if (pwrite(file, &count, 1, 0) != 1)
        return 1;
    close(file);
    semsetval(array, 0, count & 1);
    count = 0;
    if (fork() == 0)
        semwait(array, 0, 1);
    return 0;
}
END
verisoft --json - --stop-at-error 0 other.c > said 2>&1
is "status" 1 $?
grep -q 'the program made semaphore 0, 0 otherwise when it was started again' said || { cat said; failed=1; }
exit $failed
