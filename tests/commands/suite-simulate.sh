# A scenario of a suite in the simulator: forwards, backwards, and on another way, for which the box is started again; what cannot be seen is said; nothing is left.
# SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
cat > suite.toml <<'END'
[box]
start = "echo 0 > state; exec sleep 1000"
[[driver]]
name = "one"
run = "exec python3 driver.py 1"
[[driver]]
name = "two"
run = "exec python3 driver.py 1"
END
cat > driver.py <<'END'
import sys, verisoft as vs
name = "STATE"
vs.step("read")
old = int(open(name).read())
vs.answer(str(old))
vs.step("write")
open(name, "w").write(str(old + 1))
vs.step("read again")
vs.check(int(open(name).read()) == old + int(sys.argv[1]), "nobody came between")
END
sed -i "s|STATE|$PWD/state|" driver.py && sed -i "s|> state|> $PWD/state|" suite.toml
verisoft test suite.toml > said 2>&1
is "an update is lost, or seen twice" 1 $?
grep -q 'walk through: .* suite.toml -simul error1.path' said || { cat said; failed=1; }
walk() { printf "$1" | verisoft simulate suite.toml error1.path --terminal > walked 2>&1; is "the simulator" 0 $?; }
walk 'end\n'
grep -q 'error here: assertion violated' walked && grep -q 'nobody came between' walked || { cat walked; failed=1; }
walk '{"do": "hello"}\n'              # what the page is told
grep -q '"suite":true' walked || { cat walked; failed=1; }
walk 'end\nprevious\nprevious\nnext\nreset\n'
grep -q 'position 0 of' walked || { cat walked; failed=1; }
# On another way each driver comes to its end by itself.
walk "reset\nmove 3\n$(for p in 2 2 2 2 2 3 3 3 3 3; do printf 'go %s\\n' $p; done)where\n"
grep -q 'This leaves the loaded scenario' walked || { cat walked; failed=1; }
grep -q 'the box answered: 1' walked || { cat walked; failed=1; }
for question in 'stack 2' 'locals 2' 'print 2 x' 'step 2'; do
    walk "move 5\n$question\n"
    grep -q 'error: suite.toml is a suite' walked || { cat walked; failed=1; }
done
printf 'next\nnext\n' | verisoft simulate suite.toml --terminal > walked 2>&1
is "without a scenario" 0 $?
verisoft simulate nothing.toml --terminal < /dev/null > walked 2>&1
is "no such suite" 2 $?
exit ${failed:-0}
