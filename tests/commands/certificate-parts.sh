# Certificates followed in parts: of processes and of threads, what is wrong in one of them, and how to ask. SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
needs_fixed_addresses
cp "$project/examples/producers-consumers.c" "$project"/examples/certification/*.* .

must verisoft producers-consumers.c --certificate processes.scc --quiet
must verisoft readers-writers.c --config readers-writers.VS --certificate threads.scc --quiet -- 2 1
for tasks in 1 2 7 30; do
    for program in 'producers-consumers.c processes.scc' 'readers-writers.c threads.scc -- 2 1'; do
        words=${program%% --*}
        rest=${program#"$words"}
        verisoft certify $words --quiet --json whole.json $rest; is "$program: status" 0 $?
        verisoft certify $words --tasks $tasks -j 2 --quiet --json parts.json $rest; is "$program: status in $tasks" 0 $?
        for what in result states transitions processes; do
            is "$program in $tasks: $what" "$(json whole.json $what)" "$(json parts.json $what)"
        done
        verisoft certify $words --tasks $tasks -j2 --trustful --quiet $rest; is "$program: status in $tasks, trustful" 0 $?
    done
done
run json parts.json parts

echo '# an error, and another program'
run verisoft certify readers-writers.c threads.scc --tasks 5 -j 2 --invariant 'active_readers < 2' --quiet -- 2 1
find_in 'is false' verisoft replay readers-writers.c --invariant 'active_readers < 2' error1.path -- 2 1
run verisoft certify readers-writers.c threads.scc --tasks 5 -j 2 --quiet -- 1 1

echo '# by other machines: a part is a file, and what comes of it stands beside it'
run verisoft certify readers-writers.c threads.scc --tasks 3 --parts parts -- 2 1
run verisoft certify readers-writers.c threads.scc --merge parts -- 2 1
for part in 1 2 3; do
    mkdir folder$part                # the program is another file in each
    TMPDIR=$PWD/folder$part verisoft certify readers-writers.c parts/$part.part --quiet -- 2 1; is "status of part $part" 0 $?
done
find_in 'certified\|It was followed' verisoft certify readers-writers.c threads.scc --merge parts -- 2 1
run verisoft certify readers-writers.c threads.scc --merge parts --trustful -- 2 1
cp parts/1.map parts/3.map
run verisoft certify readers-writers.c threads.scc --merge parts --quiet -- 2 1
cp parts/1.json parts/3.json
run verisoft certify readers-writers.c threads.scc --merge parts --quiet -- 2 1
run verisoft certify readers-writers.c parts/2.part --quiet -- 2 2
run verisoft check readers-writers.c parts/2.part

echo '# how to ask'
run verisoft certify readers-writers.c threads.scc -j
run verisoft certify readers-writers.c threads.scc -j 0
run verisoft certify readers-writers.c threads.scc --map x -- 2 1
line 'head -c 600 threads.scc > damaged.scc; verisoft certify readers-writers.c damaged.scc -j 2 --quiet -- 2 1'
exit $failed
