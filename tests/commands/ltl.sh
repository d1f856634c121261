# The ltl command: what it prints, what it refuses. SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
run verisoft ltl '[](p -> <>q)'
run verisoft ltl --not '[](p -> <>q)' --never
run verisoft ltl '<>(so /\ X(!eo U (ni /\ (np U ne))))' --never --name forwarding
run verisoft ltl 'X p' --json
run verisoft ltl false
run verisoft ltl --never -- true
run verisoft ltl --template response --globally p=request s='answer || hangup'
run verisoft ltl --template precedence-chain-2-1 --between p=a s=b t=c q=d r=e --formula
run verisoft ltl --template=absence p=a --formula --not
run verisoft ltl --template response --between p=request s=answer q=open r=close --trigger --formula
run verisoft ltl '[](p -> <>q)' --trigger --never
run verisoft ltl 'p U q' --svg drawing.svg
line "head -n 3 drawing.svg | tail -n 1"
run verisoft ltl 'p U q' --svg again.svg --formula
line "cmp again.svg drawing.svg"
line "verisoft ltl 'p U q' --svg - | cmp - drawing.svg"
run verisoft ltl 'p U q' --svg - --text

run verisoft ltl
run verisoft ltl ''
run verisoft ltl 'p & q'
run verisoft ltl p '->' q
run verisoft ltl '[](p -> q'
run verisoft ltl 'p U q U r'
run verisoft ltl --nevr p
run verisoft ltl --befor p
run verisoft ltl --never --json p
run verisoft ltl --text=1 p
run verisoft ltl --svg
run verisoft ltl p --svg nowhere/drawing.svg
run verisoft ltl --name x p
run verisoft ltl --never --name 'a b' p
run verisoft ltl p --not --trigger
run verisoft ltl '[]p' --trigger
run verisoft ltl p=a
run verisoft ltl --before p
run verisoft ltl --template responce p=a s=b
run verisoft ltl --template response p=a
run verisoft ltl --template response p=a s=b z=c
run verisoft ltl --template response p=a p=b s=c
run verisoft ltl --template response p='a &&' s=b
run verisoft ltl --template response p=a s=b --before --after
run verisoft ltl --template response p=a s=b '[]c'
run verisoft ltl --template response a=1 b=2 c=3 d=4 e=5 f=6 g=7
run verisoft ltl --templates '[]p'
run verisoft ltl '<>a && <>b && <>c && <>d && <>e && <>f' --svg large.svg
run verisoft help ltl
