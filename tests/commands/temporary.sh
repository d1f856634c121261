# Temporary files and folders of processes that are ended before they remove them: they have the same names when the program is started again, and are new then; what
# others have made is left alone; in the end nothing is left. SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
cat > waits.c << 'END'
#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static int ends[2];
static void use(void)
{
    char name[] = "file-XXXXXX", folder[] = "folder-XXXXXX", within[40], c;
    int file = mkstemp(name);
    assert(file >= 0 && mkdtemp(folder));
    snprintf(within, sizeof within, "%s/one", folder);
    assert(open(within, O_CREAT | O_EXCL | O_RDWR, 0600) >= 0 && read(file, &c, 1) == 0 && write(file, "x", 1) == 1);
    if (read(ends[0], &c, 1) == 1)
        unlink(name), unlink(within), rmdir(folder);
}
int main(void)
{
    assert(!pipe(ends));
    for (int i = 0; i < CHILDREN; i++)
        if (fork() == 0) {
            use();
            _exit(0);
        }
    assert(write(ends[1], "1", 1) == 1);             /* for one of them */
    while (wait(NULL) > 0)
        ;
    return 0;
}
END
trial() {                            # CHILDREN OPTIONS...: what is found
    children=$1; shift
    must ${CC:-gcc} -g -DCHILDREN=$children waits.c -o waits
    verisoft ./waits --json r.json --quiet --output found "$@" > said 2>&1
    is "$children children, $*: status" $((children > 1)) $?
    is "$children children, $*: kinds" "$([ $children = 1 ] || echo deadlock)" "$(sed -n 's/^ *"kind": "\(.*\)",*$/\1/p' r.json | sort -u)"
    is "$children children, $*: left" "" "$(ls -d file-* folder-* 2> /dev/null)"
}
trial 1
trial 2
trial 2 --stop-at-error 0 --stop-at-state 300
trial 2 --search random --stop-at-state 300
name=$(grep -h -o 'file-[a-z0-9]*' found/*.path | head -n 1)
echo kept > "$name"
verisoft ./waits --quiet --json r.json --output found > said 2>&1
is "with a file of another" 1 $?
is "its file" kept "$(cat "$name")"
is "and no other" "$name" "$(ls -d file-* folder-*)"
exit $failed
