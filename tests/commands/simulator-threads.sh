# A program with threads: both ways, and into another branch; messages through a pipe and a message queue. SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
. "$project/tests/lib/simulator.sh"
bring examples/transfer.c tests/cases/posix-pipe.c late.c
verisoft transfer.c --quiet
simulate transfer.c -simul error1.path <<'END'
end
objects
move 4
trace
go 1
go 1
back
back
next
save mine.path
END
run verisoft replay transfer.c mine.path
simulate transfer.c -simul <<'END'
go 1
go 1
go 2
go 2
load mine.path
end
END
simulate posix-pipe.c -simul <<'END'
go 1
go 1
go 1
go 1
go 1
objects
{"do": "trace", "from": 4, "to": 5}
END
# It turns out to share something only when it does.
simulate late.c -simul <<'END'
go 1
where
go 1
go 1
save late.path
END
simulate late.c -simul <<'END'
load late.path
end
END
