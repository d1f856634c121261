# Scenario files that do not fit. SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
bring two.c fine.c
for p in two fine; do must ${CC:-gcc} -g -DVERIFY -I"$project/include" -o $p $p.c "$B/verisoft-rt.o"; done
run verisoft ./two --quiet
run cat error1.path
run verisoft replay ./two missing.path
run verisoft replay ./fine error1.path
says() { printf "$1" > s.path; echo "# $1"; run verisoft replay ./two s.path; }
says 'verisoft-path 2\n2\n'
says 'some other file\n'
says ''
says 'verisoft-path 1\nx\n'
says 'verisoft-path 1\n3\n'
says 'verisoft-path 1\n1\n'
says 'verisoft-path 1\n2\n'
says 'verisoft-path 1\n2 = 7\n'
says 'verisoft-path 1\n2 VS_toss(5) = 1\n'
says 'verisoft-path 1\n'
says 'verisoft-path 1\n2 = 0\n2\n1\n'
says 'verisoft-path 1\n2 = 1   # a comment\n\n2\n1 # another\n'
says 'verisoft-path 1\nerror: deadlock\n2 = 1\n2\n1\n'
says 'verisoft-path 1\n2 = 1\n2\n2\n'
run verisoft ./two --init-path s.path --quiet
printf 'verisoft-path 1\n2 = 1\n' > s.path
find_in 'depth\|step\|!' verisoft ./two --init-path s.path
printf 'verisoft-path 1\n2 = 0\n' > s.path
run verisoft ./two --init-path s.path --quiet
