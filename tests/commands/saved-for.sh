# A replay tells the error that its scenario was saved for, where several are the case at once: by the fields of the header, whatever its words. SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"

cat > both.c <<'C'
#include <verisoft.h>
#include <unistd.h>
int main(void)
{
    int value = fork() ? 0 : 1;
    VS_toss(0);
    if (value)
        VS_assert(value == 0);
    VS_assert(value == 1);
    return 0;
}
C
cat > races.c <<'C'
#include <pthread.h>
static int a, b;
static void *writer(void *arg) { a = 1; b = 2; return arg; }
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, writer, 0);
    a = 3;
    b = 4;
    pthread_join(t, 0);
    return 0;
}
C
for who in 1 2; do
    printf 'verisoft-path 1\nerror: assertion in words of somebody else\nprocess: %d\n\n1 = 0\n2 = 0\n' $who > s.path
    "$B/verisoft" replay both.c s.path > said
    is "status" 1 $?
    grep -q "is false in process $who" said || { echo "not the error of process $who:"; cat said; failed=1; }
    grep -q 'did not come' said && { echo "it did come"; failed=1; }
done

"$B/verisoft" races.c --quiet --stop-at-error 0 > /dev/null
files=0
for file in error*.path; do
    grep -q '^error: race' $file || continue
    files=$((files + 1))
    grep -q '^race: [0-9]* [0-9]*$' $file || { echo "$file does not say which transitions race"; failed=1; }
    variable=$(sed -n 's/^error: .*: \([ab]\) is .*/\1/p' $file)
    sed -i 's/^error: race.*/error: race/' $file         # the fields are enough
    "$B/verisoft" replay races.c $file > said
    is "status of $file" 1 $?
    grep -q "^  $variable is " said || { echo "$file was saved for $variable:"; cat said; failed=1; }
done
[ $files -ge 2 ] || { echo "$files scenarios of races, there should be two or more"; failed=1; }

for header in 'process: 0' 'process: 1 2' 'process: x' 'race: 3' 'race: 3 3' 'race: 5 3' 'race: 1 2 3'; do
    printf 'verisoft-path 1\n%s\n' "$header" > s.path
    "$B/verisoft" replay both.c s.path > said 2>&1
    is "status of '$header'" 2 $?
    grep -q 's.path:2: ' said || { echo "'$header' is not refused in its line"; failed=1; }
done
exit $failed
