# The walk of the 2001 manual's section 3.3: you decide who goes, and what a VS_toss gives. SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
. "$project/tests/lib/simulator.sh"
bring examples/ac-controller/main.c
simulate main.c -simul <<'END'
go 1
go 2
go 2 1
continue 2
go 1
objects
trace
back
back
where
go 2
go 2 3
trace
move 1
move 4
end
save mine.path
quit
END
run cat mine.path
run verisoft replay main.c mine.path
