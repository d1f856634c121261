# Along a scenario, forwards and backwards, and what would have been had the other process gone first. SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
. "$project/tests/lib/simulator.sh"
bring examples/ac-controller/main.c
verisoft main.c --quiet --output found
simulate main.c -simul found/error1.path --output mine <<'END'
next
n
next
next
previous
reset
back
end
# something else: the door opens before the controller looks
move 2
go 2 2
trace
go 2
go 1
go 1
save other.path
load other.path
end
filter ^2 send
END
run verisoft replay main.c mine/other.path
run verisoft replay main.c found/error1.path
