# The report as JSON, where it goes, and what happens when it cannot go there. SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
bring two.c
must ${CC:-gcc} -g -DVERIFY -I"$project/include" -o program two.c "$B/verisoft-rt.o"
line 'verisoft ./program --json - > report.json; echo $?; json report.json result'
for key in program result errors.# errors.0.kind errors.0.depth errors.0.process errors.0.location errors.0.message \
    errors.0.scenario stopped_by search reduction processes states transitions executions sleep_cut depth_cut max_depth \
    native_transitions local_states output; do
    run json report.json $key
done
for key in native_starts restores seconds memory_kb; do
    json report.json $key | grep -q '^[0-9.e-]*$' || echo "$key is no number"
done
run verisoft ./program --json other.json --quiet
run json other.json errors.0.kind
run verisoft ./program --output some/folder --quiet
run verisoft ./program --output folder --quiet
run ls folder
find_in 'replay' verisoft ./program --output folder
: > file
run verisoft ./program --output file --quiet
run verisoft ./program --output file/folder --quiet
line 'verisoft ./program --json /no/such/folder/report.json --quiet'
line 'verisoft ./program --json /dev/full --quiet'
line 'verisoft ./program > /dev/full'
line 'verisoft ./program --json - > /dev/full'
line 'verisoft ./program | true; echo done'
line 'verisoft ./program --json - >&-'
