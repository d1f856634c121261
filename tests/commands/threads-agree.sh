# A few random programs with threads and processes, on which all reductions must agree; make fuzz runs more. SPDX-License-Identifier: MIT
command -v python3 > /dev/null || { echo "python3 is not installed"; exit 77; }
timeout 2500 python3 "$project/tests/fuzz/threads.py" "$B/verisoft" "$PWD/threads" 1000 5
