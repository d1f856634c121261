# The command lines of the manual's section 5.1. SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
bring examples/ac-controller/main.c
run verisoft main.c
run verisoft main.c -simul error1.path --terminal
printf 'verisoft-path 1\n' > start.path
run verisoft main.c -simul --terminal
