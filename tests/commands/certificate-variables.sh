# Certificates of programs whose threads use atomic variables: of states and of executions, whole and in parts; of one that is compiled here and of
# one that was made by `verisoft cc`; what a lie in the header looks like. SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
needs_fixed_addresses
must cp "$project/tests/commands/races/pair.c" .
flags="pair.c -DN=2 -pthread"
said() {                             # what differs between compilers is left out
    echo "\$ $*"
    "$@" > ../said 2>&1
    echo "[$?]"
    grep -o '^certified\|^rejected.*\|No certificate.*\|named in.*\|parts[,;]' ../said
}
makes() {                            # STRATEGY: as many as the search itself says
    verisoft $flags --instrument 1 $1 --certificate $2 --quiet --json check.json
    echo "$1: $?, shared: $(grep -ac '^shared: ' $2), instrument: $(grep -ac '^instrument: 1' $2)"
    verisoft certify $flags $2 --quiet --json certify.json
    echo "certify: $?, $(json certify.json result), $(json certify.json shared_variables) variables"
    [ "$(json check.json transitions)" = "$(json certify.json transitions)" ] || echo "not as many transitions"
}
makes '--search stateful' states.scc
makes '--reduction optimal' tree.scc
for file in states.scc tree.scc; do said verisoft certify $flags $file --tasks 3 -j 2; done
must verisoft cc $flags -g -o pair
must verisoft ./pair --search stateful --certificate executable.scc --quiet
said verisoft certify ./pair executable.scc
echo "--- lies"
sed '/^shared: /s/ [^ ]*@1[^ ]*//' states.scc > fewer.scc
said verisoft certify $flags fewer.scc
sed 's/^shared: .*/shared: here/' states.scc > wrong.scc
said verisoft certify $flags wrong.scc
sed '/^shared: /d' tree.scc > none.scc
said verisoft certify $flags none.scc
sed 's/^instrument: 1/instrument: 0/' states.scc > blind.scc
said verisoft certify $flags blind.scc
said verisoft $flags --certificate as-it-is.scc --divergence-limit 1
