# Data races and atomic variables where addresses matter: what lies on a stack or in memory that is shared has its name only where they
# are fixed, and the C++ library chooses by an address whom it wakes. SPDX-License-Identifier: MIT
. "$project/tests/lib/races.sh"
needs_fixed_addresses

try bytes -DLOCAL
for which in 1 2 3; do try own -DWHICH=$which -DLENT; done
try shared

library() {                          # [FLAGS]: what is found in library.cc, each kind once; how it is spelled depends on the library
    verisoft library.cc -std=c++20 -pthread --instrument 1 "$@" --stop-at-error 0 --divergence-limit 60 --output out --json r.json --quiet
    echo "library $*: $? $(json r.json result) $(sed -n 's/^ *"kind": "\(.*\)",*$/\1/p' r.json | sort -u | tr '\n' ' ')"
    rm -rf out
}

for which in 1 2 3 4 5 6 7; do library -DWHICH=$which; done
for type in char long; do library -DWHICH=8 -DTYPE=$type; done
library -DWHICH=8 -DTYPE=pair -latomic   # clang 14 calls a library for it
library -DWHICH=8 -DTYPE=char -DWRONG
library -DWHICH=3 -DWRONG
library -DWHICH=7 -DWRONG
