# The telephone switch: a program without warnings that runs, and a model of which a few requirements are checked, with errors and without.
# bench/switch has all of them. SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
needs_spin
cp -r "$project/examples/switch/." .
must make -s clean

must make -s VERISOFT=verisoft CFLAGS="-O1 -Wall -Wextra -Wshadow -Werror" > log 2>&1
line "./switch < calls | tail -20"
must make -s clean
must make -s VERISOFT=verisoft CFLAGS="-O1 -Wall -Wextra -Wshadow -Werror -DFIRST" > log 2>&1

line "verisoft verify switch.harness dts-before-cfbl dos-dialtone acr-before-cw"
line "verisoft verify switch.harness dts-before-cfbl -DERROR=2 2>&1"
line "verisoft verify switch.harness dialtone -DERROR=1 --form none 2> log"
