# When a tool is missing, fails, or is cut short, that is what is said. SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
needs_spin
cp "$project"/examples/alternating-bit/* .

mkdir none bad
for tool in sh env cat gcc cc as ld clang spin grep; do ln -s "$(command -v $tool)" none; done
rm none/spin
line "PATH=$PWD/none $B/verisoft verify perfect.harness deadlock 2>&1 | tail -1"
rm none/clang
line "PATH=$PWD/none $B/verisoft verify perfect.harness deadlock"

printf '#!/bin/sh\nkill -9 $$\n' > bad/spin
chmod +x bad/spin
line "PATH=$PWD/bad:\$PATH verisoft verify sender.at deadlock 2>&1 | tail -1"
printf '#!/bin/sh\nexit 0\n' > bad/spin
line "PATH=$PWD/bad:\$PATH verisoft verify sender.at deadlock 2>&1 | tail -1"
rm bad/spin
printf '#!/bin/sh\necho error: no more disk >&2\nexit 1\n' > bad/failing
chmod +x bad/failing
line "CC=$PWD/bad/failing verisoft verify sender.at deadlock 2>&1 | tail -1"

# A model that is too large for its memory is not verified; nor is one that is too large for its time.
cat > large.harness <<'END'
verisoft harness 1
source sender.at
machine sender
driver
int a, b, c, d, e;
active [2] proctype count() { do :: a++ :: b++ :: c++ :: d++ :: e++ od }
end
END
line "verisoft verify large.harness deadlock --memory 16 2> log | sed 's/[0-9]*[0-9] /N /g; s/M[0-9]*/M/; s/in [0-9.e+]*\$/in N/; s/in [0-9.e+]* was/in N was/'"
line "verisoft verify large.harness deadlock --time-limit 1 2> log | sed 's/[0-9]*[0-9] /N /g; s/[ABM][0-9]* /X /'"
