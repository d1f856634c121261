# Reports of check for continuous integration: what is found, what is not, and what came to nothing. SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
cp "$project"/examples/ac-controller/main.c "$project"/examples/transfer.c .
printf 'int main(void) { return undeclared; }\n' > broken.c
cat > "an odd.c" << 'END'
#include <verisoft.h>
int main(void)
{
    VS_print("<&\"\001\377>");
    VS_assert(VS_toss(2) < 2 && "<\377>");
    return 0;
}
END

xml() {                              # FILE: is it XML, and what is in it?
    if command -v xmllint > /dev/null; then xmllint --noout "$1" || failed=1; fi
    command -v python3 > /dev/null && { python3 -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])' "$1" || failed=1; }
    sed -e 's/time="[^"]*"/time="T"/' "$1"
}
line "verisoft main.c --stop-at-error 0 --max-depth 12 --quiet --junit main.xml --sarif main.sarif"
xml main.xml
for key in version runs.0.tool.driver.name runs.0.results.# runs.0.results.0.ruleId runs.0.results.0.level runs.0.results.0.message.text \
           runs.0.results.0.locations.0.physicalLocation.artifactLocation.uri runs.0.results.0.locations.0.physicalLocation.region.startLine \
           runs.0.results.0.codeFlows.0.threadFlows.0.locations.0.location.message.text runs.0.invocations.0.executionSuccessful; do
    run json main.sarif $key
done

line "verisoft transfer.c --max-depth 2 --quiet --junit=cut.xml --sarif=cut.sarif"
xml cut.xml
run json cut.sarif runs.0.invocations.0.toolExecutionNotifications.0.message.text

line "verisoft broken.c --quiet --junit broken.xml --sarif broken.sarif 2> log"
xml broken.xml | sed 's/for the reason above.*"/..."/'
run json broken.sarif runs.0.invocations.0.executionSuccessful
run json broken.sarif runs.0.results.#

line "verisoft 'an odd.c' --quiet --junit odd.xml --sarif odd.sarif"
xml odd.xml
run json odd.sarif runs.0.results.0.locations.0.physicalLocation.artifactLocation.uri

# A deadlock has the place of who waits.
printf '#include <pthread.h>\nstatic pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\nint main(void)\n{\n    pthread_mutex_lock(&m);\n    return pthread_mutex_lock(&m);\n}\n' > twice.c
line "verisoft twice.c --instrument 0 --quiet --sarif twice.sarif"
run json twice.sarif runs.0.results.0.locations.0.physicalLocation.region.startLine

line "verisoft main.c --quiet --junit none/main.xml"
exit $failed
