# Forty properties, and the model is compiled once for each kind of search, as for one. Events that no routine names have the names that the driver has
# for them. SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
needs_spin
cp "$project"/examples/alternating-bit/* .
cp perfect.harness forty.harness
for i in $(seq 40); do
    printf 'property p%d\n    symbol sent%d   on_its_way == 1\n    symbol taken%d  on_its_way == 0\n    holds [](sent%d -> <>taken%d)\nend\n' $i $i $i $i $i
done >> forty.harness
line "verisoft verify forty.harness \$(seq -f p%g 40) --json report.json 2> log | tail -1"
run json report.json compiled
line "verisoft verify perfect.harness delivered --json report.json 2> log | tail -1"
run json report.json compiled

cat > events.c << 'END'
enum event { on, off };
enum { alarm = 7 };
void m(int event)
{
    static int state;
    switch (state) {
    case 0:
        switch (event) {
        case on: state = 1; break;
        case off: break;
        }
        break;
    case 1:
        switch (event) {
        case on: break;
        case off: state = 0; break;
        }
    }
}
END
cat > events.harness << 'END'
verisoft harness 1
source events.c
machine m
declare
#define fire 9
end
driver
active proctype any()
{
end: do
    :: m_in!on
    :: m_in!alarm
    :: m_in!fire
    :: m_in!11
    od
}
end
END
line "verisoft verify events.harness unspecified --form none 2> log"
