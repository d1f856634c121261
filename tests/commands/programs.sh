# What is no program is refused, with what is wrong and what to do. SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
bring two.c
run verisoft missing.c
mkdir folder
run verisoft folder
: > empty.c
run verisoft empty.c
printf '#!/bin/sh\ntrue\n' > script && chmod +x script
run verisoft script
echo "some text" > text
run verisoft text
printf '\177ELF and nothing more' > broken && chmod +x broken
run verisoft broken
echo 'int main(int count, char **words) { return count - 1 ? words[1][0] : 0; }' > plain.c
must ${CC:-gcc} plain.c -o plain
run verisoft ./plain
must cp plain plain.exe.c         # some call their executables so
find_in 'process' verisoft ./plain.exe.c
run verisoft ./plain x --max-depth 1
run verisoft ./plain --max-dept 1
must cp plain other && must chmod u+s other
run verisoft ./other
printf '#include <stdlib.h>\nint main(void) { return !getenv("WANTED"); }\n' > wants.c
must ${CC:-gcc} wants.c -o wants
WANTED=1 find_in 'ended with status' verisoft ./wants
WANTED=1 run verisoft ./wants --env WANTED
run verisoft ./wants --env WANTED=2
must ${CC:-gcc} -fPIC -shared plain.c -o plain.so
run verisoft ./plain.so
chmod -x plain
run verisoft ./plain
${CC:-gcc} -static plain.c -o static 2> /dev/null || must cp plain static
chmod +x static
run verisoft ./static
echo 'int main(void) { return x; }' > wrong.c
find_in 'verisoft:' verisoft wrong.c | sed 's/above: .*/above: .../'
echo 'int other(void) { return 0; }' > other.c
find_in 'verisoft:' verisoft other.c
must ${CC:-gcc} -g -DVERIFY -I"$project/include" -o program two.c "$B/verisoft-rt.o"
find_in 'see it happen' verisoft ./program other.c -DX --max-depth 1
find_in 'verisoft:' verisoft other.c ./program
find_in 'verisoft:' verisoft -DX ./program
find_in 'verisoft:' env CC=no-such-compiler verisoft two.c
find_in 'verisoft:' env TMPDIR=/no/such/folder verisoft two.c
echo 'int main(void) { return 1; }' > quits.c
run verisoft quits.c
printf '#include <signal.h>\nint main(void) { signal(SIGTERM, SIG_IGN); signal(SIGHUP, SIG_IGN); return 1; }\n' > leaves.c
must ${CC:-gcc} leaves.c -o leaves
run verisoft ./leaves
verisoft quits.c --quiet --json quits.json
run json quits.json gave_up
