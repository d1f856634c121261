# The short reader of doc/scc.md reads what was written, and that is what the state-space file says. SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
for tool in python3; do command -v $tool > /dev/null || { echo "$tool is not installed"; exit 77; }; done
for example in producers-consumers alternating-bit; do
    verisoft "$project/examples/$example.c" --certificate all.scc --save-state-space --max-sss 100 --quiet
    is "status of $example" 0 $?
    python3 "$project/doc/scc-reader.py" all.scc > read || failed=1
    grep '^[0-9]' sss.VS > written
    cmp written read || failed=1
    verisoft "$project/examples/$example.c" --certificate tree.scc --trustful --quiet
    python3 "$project/doc/scc-reader.py" tree.scc > read || failed=1
    awk '!seen[$2]++ && $2 > 0' written > tree; awk '!seen[$2]++ && $2 > 0' read | cmp tree - || failed=1
done
exit $failed
