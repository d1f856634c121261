# A program that has threads only later: what was done is done again, as a group. SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
. "$project/tests/lib/simulator.sh"
bring later.c
simulate later.c -simul <<'END' | sed 's/0x[0-9a-f]*/0x/'
go 1 2
go 2
objects
go 1
go 2
trace
go 1 1
where
go 1 1
go 1
trace
END
