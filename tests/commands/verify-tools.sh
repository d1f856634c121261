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

# A model that is too large for its memory is not verified, whatever was seen of it with bits; nor is one that is too large for its time.
cat > large.harness <<'END'
verisoft harness 1
source sender.at
machine sender
driver
byte a, b, c;
active proctype count() { do :: a++ :: b++ :: c = (c + 1) % 8 od }
end
END
sed 's/byte a, b, c;/int a, b, c;/; s/ % 8//' large.harness > endless.harness
line "verisoft verify large.harness deadlock --memory 16 --json report.json > out 2> log"
line "grep -o -e 'not finished' -e 'no violation in' -e 'was taken for another and left out' out"
line "json report.json properties.0.runs.0.kind"
line "json report.json properties.0.runs.0.memory_kb | awk '{ print (\$1 > 1000) }'"
line "verisoft verify endless.harness deadlock --time-limit 1 > out 2> log"
line "grep -o -e 'not finished' -e 'the time limit ended the search' out"
