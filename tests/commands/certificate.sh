# Certificates: made, followed, and what is said of those that lie. SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
bring two.c fine.c
said() { run "$@" | sed 's/[0-9,]* bytes/N bytes/g; s/[0-9a-f]\{64\}/DIGEST/g'; }       # which differ with the version of zstd, and of the program
cp "$project/examples/producers-consumers.c" buffer.c

said verisoft buffer.c --certificate buffer.scc
line 'sed -n "1,4p" buffer.scc'
said verisoft certify buffer.c buffer.scc
said verisoft certify buffer.c buffer.scc --quiet --json report.json --report report.html
run json report.json result
run json report.json states
run json report.json transitions
run json report.json veracity_error
line 'grep -c "http:\|https:\|src=" report.html'

echo '# on one processor, where nobody writes or reads it beside the search: the same'
one=$(taskset -cp $$ | sed 's/.*: //; s/[,-].*//')
alone() { taskset -c "$one" verisoft "$@"; }
alone buffer.c --certificate alone.scc --quiet
run cmp alone.scc buffer.scc
alone certify buffer.c buffer.scc --quiet
echo "[$?]"

echo '# of processes that have ended nothing is asked'
run verisoft certify buffer.c buffer.scc --quiet --invariant 'buffer@2 >= 0' --invariant 'semaphores >= 0' --invariant 'next(buffer) >= 0 && buffer@2 >= 0'

echo '# somebody who believes it'
said verisoft buffer.c --certificate short.scc --trustful --quiet
said verisoft certify buffer.c short.scc
said verisoft certify buffer.c short.scc --trustful
said verisoft certify buffer.c buffer.scc --trustful --quiet --report believed.html
line 'grep -c "Neither the producer nor the certificate" report.html believed.html'

echo '# no certificate of what was cut, or found errors; and none is left'
cp buffer.scc old.scc
said verisoft buffer.c --certificate old.scc --stop-at-state 100
run ls old.scc
said verisoft two.c --certificate two.scc --quiet
run ls two.scc
said verisoft two.c --certificate two.scc --json - --quiet > said
grep certificate said

echo '# another program'

said verisoft certify fine.c buffer.scc
said verisoft certify buffer.c buffer.scc -- 3
mkdir there && sed 's/^int main/\/* *\/ int main/' buffer.c > there/buffer.c
said verisoft certify there/buffer.c buffer.scc

echo '# no certificate, a damaged one, another version'
said verisoft certify buffer.c buffer.c
echo hello > hello.scc
said verisoft certify buffer.c hello.scc
head -c 500 buffer.scc > half.scc
said verisoft certify buffer.c half.scc
sed '1s/5/6/' buffer.scc > later.scc
said verisoft certify buffer.c later.scc
sed 's/^states: [0-9]*/states: 99999999999/' buffer.scc > many.scc
said verisoft certify buffer.c many.scc
sed 's/^states: .*/&\nstates: 5/' buffer.scc > twice.scc
said verisoft certify buffer.c twice.scc
sed 's/^states: .*/timers: late\n&/' buffer.scc > late.scc
said verisoft certify buffer.c late.scc

echo '# how to ask'
said verisoft certify buffer.c
said verisoft buffer.c buffer.scc
said verisoft buffer.c --certificate x.scc --search dfs
said verisoft buffer.c --certificate x.scc --max-depth 10
said verisoft buffer.c --trustful
said verisoft buffer.c --certificate /nowhere/x.scc
said verisoft buffer.c --certificate .
said verisoft certify buffer.c buffer.scc --report /nowhere/x.html

echo '# what is no file stays what it is'
mkfifo pipe
cat pipe > read-it &
said verisoft buffer.c --certificate pipe --quiet
wait
line 'head -1 read-it; [ -p pipe ] && echo "still a pipe"'
