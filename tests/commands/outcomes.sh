# Fifty random programs with threads, signals and exits: what is found must be what an interpreter finds that shares no code with
# VeriSoft; make fuzz runs more. SPDX-License-Identifier: MIT
command -v python3 > /dev/null || { echo "python3 is not installed"; exit 77; }
python3 -B "$project/tests/fuzz/outcomes.py" "$B/verisoft" "$PWD/outcomes" 1 50
