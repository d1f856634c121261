/* expect -DFD=0: complete.  none: 5 states, 4 transitions.
 * expect -DFD=1: complete.
 * expect -DFD=2: complete.
 *
 * What a program sees of its standard files is the same in every start. */
#include <verisoft.h>
#include <sys/stat.h>

static struct stat about, again;

int main(void)
{
    fstat(FD, &about);
    VS_toss(1);
    fstatat(FD, "", &again, 0x1000);             /* AT_EMPTY_PATH */
    VS_assert(about.st_ino == again.st_ino && about.st_mode == again.st_mode);
    return 0;
}
