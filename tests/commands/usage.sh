# What cannot be understood is refused, with the nearest that can. SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
bring two.c
run verisoft
run verisoft --nonsense
run verisoft two.c --max-dept 3
run verisoft two.c --max_depth
run verisoft two.c --max-depth many
run verisoft two.c --max-depth -1
run verisoft two.c --max-depth 99999999999999999999
run verisoft two.c --ignore-deadlock 2
run verisoft two.c --search statefull
run verisoft two.c --reduction nothing
run verisoft two.c --search stateful --reduction source
run verisoft two.c --search random --reduction sleep
run verisoft two.c --nproc 65
run verisoft chekc two.c
run verisoft replay two.c
run verisoft replay
run verisoft replay two.c x.path --search bfs
run verisoft check
run verisoft help nonsense
run verisoft two.c --object missing.so
run verisoft two.c -x
run verisoft --quiet --max-depth=5 two.c
