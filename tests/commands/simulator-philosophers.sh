# Philosophers, each of whom takes a fork: who waits for whom; and a state space that was saved. SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
. "$project/tests/lib/simulator.sh"
bring examples/philosophers.c
simulate philosophers.c -simul <<'END'
go 1
go 2
go 3
objects
back
go 1
END
verisoft philosophers.c --search stateful --save-state-space --quiet
simulate philosophers.c -simul error1.path <<'END'
end
space
match 1\)$
visit 3
trace
visit 1000000
match (
END
