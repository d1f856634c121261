# Certificates of reduced searches: of processes and of threads, whole and in parts; what is refused; what a lie looks like. SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
said() { run "$@" | sed 's/[0-9,]* bytes/N bytes/g; s/[0-9a-f]\{64\}/DIGEST/g'; }
cat > counters.c << 'END'
#include <pthread.h>
#include <stdlib.h>
#include "verisoft.h"
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static int count;
static void *add(void *first)
{
    pthread_mutex_lock(first ? &other : &lock);
    pthread_mutex_unlock(first ? &other : &lock);
    pthread_mutex_lock(&lock);
    count += VS_toss(1);
    pthread_mutex_unlock(&lock);
    return NULL;
}
int main(void)
{
    pthread_t t[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, add, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
#ifdef WRONG
    VS_assert(count < 2);
#endif
    return 0;
}
END
cp "$project/examples/producers-consumers.c" .

echo '# threads'
must verisoft counters.c --reduction optimal --certificate threads.scc --quiet
find_in 'certificate\|follow' verisoft counters.c --reduction source --certificate other.scc | sed 's/[0-9,]* bytes/N bytes/'
line 'sed -n "/^kind\|^memory\|^executions\|^transitions/p" threads.scc'
said verisoft certify counters.c threads.scc
for reduction in source optimal; do
    for program in counters.c producers-consumers.c; do
        must verisoft $program --reduction $reduction --certificate all.scc --quiet --json made.json
        verisoft certify $program all.scc --quiet --json whole.json; is "$program $reduction: status" 0 $?
        for what in executions transitions sleep_cut; do
            is "$program $reduction: $what" "$(json made.json $what)" "$(json whole.json $what)"
        done
        verisoft certify $program all.scc --tasks 5 -j 2 --quiet --json parts.json; is "$program $reduction in parts: status" 0 $?
        for what in result executions transitions sleep_cut races; do
            is "$program $reduction in parts: $what" "$(json whole.json $what)" "$(json parts.json $what)"
        done
    done
done

echo '# what is not written'
run verisoft counters.c -DWRONG --reduction optimal --certificate none.scc --quiet
find_in 'No certificate' verisoft counters.c -DWRONG --reduction optimal --certificate none.scc
[ -e none.scc ] && { echo "none.scc is there"; failed=1; }
run verisoft counters.c --reduction optimal --certificate none.scc --invariant 'count < 3'
run verisoft counters.c --reduction optimal --certificate none.scc --trustful
run verisoft counters.c --reduction sleep --certificate none.scc
run verisoft counters.c --reduction optimal --certificate none.scc --max-depth 10
run verisoft certify counters.c threads.scc --invariant 'count < 3'
run verisoft certify counters.c threads.scc --trustful
run verisoft certify counters.c -DWRONG threads.scc
line 'head -c 500 threads.scc > damaged.scc; verisoft certify counters.c damaged.scc --quiet; echo $?'

echo '# lies'
for tool in python3 zstd; do command -v $tool > /dev/null || { echo "$tool is not installed"; exit 77; }; done
cat > lie.py << 'END'
import subprocess, sys
def number(n):
    return bytes([n & 127 | 128]) + number(n >> 7) if n > 127 else bytes([n])
header = open("threads.scc", "rb").read().split(b"\n\n", 1)[0].split(b"\n")
all = [line.split() for line in open("read")]
paths = []
for line in all:
    paths.append((paths[-1][:int(line[1])] if paths else []) + line[2:])
exec(sys.argv[1])
steps = choices = turns = b""
before, taken = [], 0
for path in paths:
    same = next((i for i, (a, b) in enumerate(zip(before, path)) if a != b), min(len(before), len(path)))
    turns += number(len(before) - same) + number(len(path) - same)
    for step in path[same:]:
        process, result = (step.split(":") + ["0"])[:2]
        steps += bytes([int(process) - 1 + (128 if result != "0" else 0)])
        choices += number(int(result)) if result != "0" else b""
    taken += len(path) - same
    before = path
streams = [subprocess.run(["zstd", "-cq"], input=s, stdout=subprocess.PIPE, check=True).stdout for s in (steps, choices, turns, b"")]
lengths = dict(zip((b"steps-bytes", b"choices-bytes", b"turns-bytes", b"start-bytes"), map(len, streams)))
lengths[b"executions"], lengths[b"transitions"] = len(paths), taken
header = [line.split(b": ")[0] + b": %d" % lengths[line.split(b": ")[0]] if line.split(b": ")[0] in lengths else line for line in header]
open("lie.scc", "wb").write(b"\n".join(header) + b"\n\n" + b"".join(streams))
END
must python3 "$project/doc/scc-reader.py" threads.scc > read
line 'sort -n read | head -3'
line 'python3 lie.py ""; verisoft certify counters.c lie.scc --quiet; echo $?'
for lie in 'del paths[4:]' 'paths.pop()' 'paths.pop(0)' 'paths[2].pop()' 'paths[0][5] = "9"' 'paths[0][3] = "1:1"' 'paths.append(paths[0])' 'paths.clear()'; do
    echo "# $lie"
    python3 lie.py "$lie"
    said verisoft certify counters.c lie.scc | grep -v '^To see it'
done
line 'python3 lie.py "del paths[4:]"; verisoft certify counters.c lie.scc --tasks 3 -j 2 --quiet; echo $?'
run verisoft replay counters.c rejected2.path
exit $failed
