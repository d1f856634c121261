# Fifteen random programs with threads, most of which run for ever: their states and transitions are those that an interpreter counts which
# shares no code with VeriSoft; make fuzz runs more. SPDX-License-Identifier: MIT
command -v python3 > /dev/null || { echo "python3 is not installed"; exit 77; }
command -v gcc > /dev/null || { echo "gcc is not installed"; exit 77; }
python3 -B "$project/tests/fuzz/states.py" "$B/verisoft" "$PWD/states" 1 15
