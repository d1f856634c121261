# Files that the simulator reads and writes: nothing is lost, nothing hangs, and what is of another program is told.
# SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
. "$project/tests/lib/simulator.sh"
bring examples/ac-controller/main.c two.c
mkdir found elsewhere
verisoft main.c --quiet --output found
cp found/error1.path before
cp main.c elsewhere
simulate main.c -simul found/error1.path --output found <<'END'
go 2 0
save error1.path
save mine.path
save mine.path
replace
replace
go 2
replace mine.path
chart svg mine.svg
chart svg mine.svg a title
replace
chart ps mine.ps
replace mine.ps
{"do": "save", "file": "mine.path"}
{"do": "save", "file": "mine.path", "replace": 1}
{"do": "save", "file": "mine.path", "replace": true}
{"do": "chart", "format": "svg", "file": "mine.svg", "replace": false}
replace mine.c
END
run cmp before found/error1.path
run cat found/mine.path
run grep -c 'a title' found/mine.svg

# Of another program.
verisoft two.c --quiet --save-state-space 1 --output two
mv found/error1.path two/main.path
simulate main.c -simul --output two <<'END'
load main.path
space
load error1.path
END
find_in warning verisoft elsewhere/main.c -simul two/main.path --terminal
find_in warning verisoft two.c -simul found/mine.path --terminal
sed '/^[0-9]/d' two/main.path > two/none.path
find_in warning verisoft two.c -simul two/none.path --terminal
printf 'verisoft-path 1\n' > two/unsaid.path
find_in warning verisoft two.c -simul two/unsaid.path --terminal

# What is no file.
mkfifo two/pipe.path
mkdir two/folder.path
rm two/sss.VS
mkfifo two/sss.VS
simulate main.c -simul --output two <<'END'
load pipe.path
load folder.path
space
END
run verisoft replay main.c two/pipe.path
run verisoft main.c -simul --terminal two/pipe.path

# What cannot be written.
line 'verisoft main.c -simul --terminal > /dev/full'
line 'printf "save last.path\\n" | verisoft main.c -simul --terminal --output two > /dev/full; ls two/last.path'
run verisoft main.c -simul --terminal --output two/main.path
run verisoft main.c -simul --terminal --output two/no/folder
run verisoft main.c -simul --terminal --no-browser
run verisoft main.c -simul --port 5 --terminal
