# What a verifier tells of itself while it runs is, at its end, what the report says: states, depth, and which states of the automaton were reached;
# and of one that is verified it is known which statements were.
# SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
needs_farm
command -v python3 > /dev/null || { echo "python3 is not installed"; exit 77; }
must cp "$project"/examples/alternating-bit/* .
{ sed '/^property/,/^end/d' perfect.harness; echo without progress; } > alone.harness       # Spin does not name the only claim of a model
cat > never << 'END'

property never-two
    symbol two  receiver.seqno == 2
    symbol one  receiver.seqno == 1
    violation  <>(two && <>one)
end
END
cat never >> perfect.harness
cat never >> alone.harness
mkdir perfect alone
: > seen
for both in perfect/delivered perfect/alternates perfect/never-two alone/never-two; do
    harness=${both%/*} property=${both#*/}
    verisoft farm $harness.harness show $property --json show.json
    verisoft farm $harness.harness run $property 0 "$(json show.json content)" "$PWD/$harness" "$PWD/result.json" "$PWD/live" 1024 0 1 > said 2>&1
    is "$property" 0 $?
    python3 - >> seen << 'END' || failed=1
import json, struct
told = open("live", "rb").read()
head = "<ddqddI"
states, transitions, depth, memory, seconds, count = struct.unpack_from(head, told)
statements = [struct.unpack_from("<HBB", told, struct.calcsize(head) + 4 * i) for i in range(1, count)]
result = json.load(open("result.json"))
last = result["runs"][-1]            # of some the trigger was looked for last (T)
reached = [state["reached"] for state in result["automaton"]["states"]]
by_itself = all(here for line, here, jump in statements if not jump)
if states != last["states"]:
    raise SystemExit("%s: told %g states, the report has %g" % (result["name"], states, last["states"]))
if last["kind"] == "E" and by_itself != all(reached):
    raise SystemExit("%s: told %s, the report has %s" % (result["name"], statements, reached))
print(result["name"], last["kind"], reached)
END
done
grep -q 'E \[True, False, False' seen && grep -q 'E \[True, True' seen || { echo "no exhaustive search was looked at:"; cat seen; failed=1; }

# A statement to which nobody can come is told, at its place; all others are reached.
awk '{ print } /seqno = 1 - seqno/ { print "            if (s == seqno)"; print "                seqno = 1 - seqno;" }' receiver.at > changed && mv changed receiver.at
never=$(grep -n 'seqno = 1 - seqno' receiver.at | sed -n '2s/:.*//p')
verisoft farm perfect.harness --once > said 2>&1
verisoft farm perfect.harness show delivered --json show.json
is "statements that were never reached" "$never" "$(json show.json coverage.missed.0.line)"
is "those that were" $(($(json show.json coverage.statements) - 1)) "$(json show.json coverage.reached)"
exit $failed
