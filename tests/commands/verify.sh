# Properties checked with Spin: the alternating bit protocol, alone and together, right and wrong. SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
needs_spin
cp "$project"/examples/alternating-bit/* .

# A first harness runs as it is.
must verisoft extract sender.at --defaults -o sender.harness 2> log
must verisoft extract figure2.c --defaults -o figure2.harness 2> log
line "verisoft verify sender.harness 2> log"
line "verisoft verify figure2.harness deadlock unspecified 2> log"

line "verisoft verify perfect.harness 2> log"
line "verisoft verify lossy.harness goes-on 2> log"
line "verisoft verify repaired.harness assertions delivered-if 2> log"
line "verisoft verify wrong.harness assertions --output forms --json report.json --junit report.xml --sarif report.sarif 2> log"
run cat forms/assertions.statements.txt
line "tail -15 forms/assertions.variables.txt"
line "grep -c '<text' forms/assertions.svg"
line "grep -e '<test' -e '</test' -e '<failure' report.xml | sed -e s,time=.*,, -e s,message=.*,,"
run json report.sarif version
run json report.sarif runs.0.results.0.message.text
run json report.sarif runs.0.results.0.locations.0.physicalLocation.region.startLine
run json report.sarif runs.0.tool.driver.rules.0.id
run json report.json result
run json report.json compiled
run json report.json properties.0.verdict
run json report.json properties.0.identifier
run json report.json properties.0.trail.0.process

run verisoft verify
run verisoft verify perfect.harness nonsense
run verisoft verify none.harness
run verisoft verify perfect.harness --form nonsense
run verisoft verify perfect.harness --memory 1
