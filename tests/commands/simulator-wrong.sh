# What a person may get wrong. SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
. "$project/tests/lib/simulator.sh"
bring examples/ac-controller/main.c two.c
verisoft two.c --quiet
mv error1.path two.path
printf 'not a scenario\n' > bad.path
simulate main.c -simul <<'END'
dance
s
go
go x
go 9
go 0
go 1
go 2 4
go 2 0 0
go 99999999999
next
back
move 3
move
load missing.path
load two.path
load bad.path
load ../main.c
load /etc/passwd
save ../x
save x
save .x.path
save
chart svg ../x.svg
chart png x.png
source /etc/passwd
source ../../../etc/passwd
print 1
locals
space
visit 1
filter (
quit now
where
END
run verisoft main.c -simul --terminal missing.path
run verisoft main.c -simul --terminal two.path
run verisoft missing.c -simul --terminal
run verisoft main.c -simul --terminal --port 70000
run verisoft main.c -simul --terminal --hold
find_in . ls
