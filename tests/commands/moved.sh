# A scenario of shared variables is one of the program, not of its addresses: it replays when the program was compiled anew and all lies elsewhere.
# SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
cat > count.c << 'END'
#include <assert.h>
#include <pthread.h>
static struct { long unused; int count; } all;
static void *up(void *unused)
{
    static int last;
    last += all.count++;
    return last > 50 ? NULL : unused;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, up, NULL);
    up(NULL);
    pthread_join(thread, NULL);
    assert(all.count == 2);
    return 0;
}
END
verisoft count.c -pthread --output found > report
must cp "$(sed -n '/assertion violated/,$s/.*replay count.c -pthread \(.*path\)$/\1/p' report | head -n 1)" one.path
line "sed -n 's/^shared: //p' one.path | tr ' ' '\n' | sort"
for change in '' 's/^static struct/static char before[5000] = "x";\n&/' 's/long unused/& /; $a char *after = "y";'; do
    sed "$change" count.c > again.c
    for flags in '' -DANEW -fno-common; do
        verisoft replay again.c -pthread $flags one.path > replayed; is "replay of '$change' $flags" 1 $?
        grep -q 'assert(all.count == 2) is false' replayed || { cat replayed; failed=1; }
    done
done
line "printf 'end\nquit\n' | verisoft simulate again.c -pthread one.path --terminal | tail -n 1"
sed 's/\<all\>/shared/g' count.c > shared.c      # the runtime has a variable of that name, too
verisoft shared.c -pthread --output shared > report
grep -q '^shared: .*&shared+0x8/4' shared/error1.path || { cat shared/error1.path; failed=1; }
echo '# what cannot be found'
sed 's/all\.count/other.count/g; s/} all;/} other;/' count.c > again.c
run verisoft replay again.c -pthread one.path
sed 's/^shared:.*/shared: \&all+0x40\/4/' one.path > behind.path
run verisoft replay count.c -pthread behind.path
sed 's/^shared:.*/shared: \&\/4/' one.path > none.path
run verisoft replay count.c -pthread none.path
exit ${failed:-0}
