# Extracted models of programs against the programs themselves. SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
needs_spin
set -- 4 1
. "$project/tests/lib/models.sh"
