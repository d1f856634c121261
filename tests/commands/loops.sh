# Sixty random programs whose threads wait in loops: how they end and who waits for ever must be what the graph of all their states says, which is
# made by an interpreter that shares no code with VeriSoft; make fuzz runs more. SPDX-License-Identifier: MIT
command -v python3 > /dev/null || { echo "python3 is not installed"; exit 77; }
python3 -B "$project/tests/fuzz/loops.py" "$B/verisoft" "$PWD/loops" 1 60
