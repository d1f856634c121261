# system_file.VS: bad lines are refused with their place; the command line wins. SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
bring two.c
must ${CC:-gcc} -g -DVERIFY -I"$project/include" -o program two.c "$B/verisoft-rt.o"

says() { printf "$1" > system_file.VS; echo "# $1"; run verisoft ./program --quiet; }
says 'max_depht 3\n'
says 'max_depth\n'
says 'max_depth 3 4\n'
says 'max_depth three\n'
says '\n# comment\nnproc 0\n'
says 'json out.json\n'
says 'send_to_queue 0\n'
says 'send_to_queue 0 1 2 3\n'
says 'send_to_queue x 1\n'
says 'semwait 0 1\n'
says 'send_to_qeue 0 1\n'
says 'send_to_queue 0 65\n'
says '# VeriSoft system file, version 2\n'
says 'stop_at_error 3'
says 'nproc 2\nmax_depth 1   # a comment\r\n\n\tsearch dfs\n'
says 'nproc 2\nsend_to_queue 0 2\nrcv_from_queue 0 1\nreduction persistent\n'
says 'nproc 3\n'
run verisoft ./program --quiet --nproc 2
rm system_file.VS
run verisoft ./program --config missing.VS
echo 'max_depth 1' > other.VS
run verisoft ./program --config other.VS --quiet
run verisoft ./program --config other.VS --max-depth 2 --search dfs --quiet
line 'verisoft help system_file.VS > system_file.VS && verisoft ./program --quiet'
line 'sed s/^#// system_file.VS | grep -c "^ *max_depth"'
