# Two hundred random programs that read and write shared variables, plainly and atomically: the outcomes, deadlocks and data races that are
# found must be those of an interpreter that tries everything and shares no code with VeriSoft; make fuzz runs more. SPDX-License-Identifier: MIT
command -v python3 > /dev/null || { echo "python3 is not installed"; exit 77; }
python3 -B "$project/tests/fuzz/accesses.py" "$B/verisoft" "$PWD/accesses" 1 200
