# Random programs with threads, whose extracted models have the verdicts that a search of the program has; make fuzz runs more.
# SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
needs_spin
command -v python3 > /dev/null || { echo "python3 is not installed"; exit 77; }
python3 -B "$project/tests/fuzz/models.py" "$B/verisoft" "$PWD/models" 1 6
