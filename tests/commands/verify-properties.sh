# Formulas with X, templates, features, vacuity, several copies of a machine. SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
needs_spin

cat > phone.at <<'END'
enum { offhook, onhook, ring, hangup };
enum { CFBL, ACR };
struct line;
int  fenable(struct line *, int), anonymous(struct line *);
void dialtone(struct line *), reject(struct line *), forward(struct line *), alert(struct line *), busytone(struct line *);

void phone(struct line *x, int event)
{
    static int state = 1;
    goto start;
@idle:
    switch (event) {
    case offhook:
        dialtone(x);
    @talk:
        switch (event) {
        case onhook:
            goto B_idle;
        case ring:
            if (fenable(x, ACR)) {
                reject(x);
                goto B_talk;
            }
            if (fenable(x, CFBL))
                forward(x);
            else
                busytone(x);
            goto B_talk;
        case hangup:
            goto B_talk;
        }
        goto B_talk;
    case ring:
        alert(x);
        goto B_idle;
    }
    goto B_idle;
start:
    switch (state) { @@ }
error:
out:;
}
END
cat > phone.harness <<'END'
verisoft harness 1
source phone.at
machine phone
feature CFBL fenable(x,CFBL)
feature ACR  fenable(x,ACR)
map
    forward(x)   forwarded = 1
    reject(x)    rejected = 1
    dialtone(x)  skip
    alert(x)     skip
    busytone(x)  skip
end
declare
    bool forwarded, rejected;
end
driver
active proctype subscriber()
{
end_subscriber:
    do
    :: phone_event == -1; d_step { forwarded = 0; rejected = 0 }
        if :: phone_in!offhook :: phone_in!onhook :: phone_in!ring fi
    od
}
end

property cfbl
    says   a call for a busy line with CFBL is forwarded
    symbol so  phone@talk
    symbol eo  phone@idle
    symbol si  phone.event == ring
    symbol ei  phone.event == -1
    symbol fw  forwarded
    features +CFBL
    violation <>(so && X(!eo U ((!eo && si) && ((!eo && !fw && !ei) U (!eo && !fw && ei)))))
end

property cfbl-without-acr
    says   the same, when anonymous calls are not rejected
    symbol so  phone@talk
    symbol eo  phone@idle
    symbol si  phone.event == ring
    symbol ei  phone.event == -1
    symbol fw  forwarded
    features +CFBL -ACR
    violation <>(so && X(!eo U ((!eo && si) && ((!eo && !fw && !ei) U (!eo && !fw && ei)))))
end

property by-template
    says   a ring on a busy line is forwarded before anything else comes
    symbol ringing   phone@talk && phone.event == ring
    symbol forwards  forwarded
    features +CFBL -ACR
    template response globally p=ringing s=forwards
end

property never-hung-up
    says   after a hang-up of the other side the line is idle
    symbol hung  phone.event == hangup
    symbol idle  phone@idle
    template response globally p=hung s=idle
end
END
line "verisoft verify phone.harness 2> log"
line "verisoft verify phone.harness cfbl by-template --form statements --output out 2> log | sed -n '/step/,/^\$/p'"
run cat out/by-template.automaton.txt

# Each event has its response, but for one in one state.
must verisoft extract phone.at --defaults -o alone.harness 2> log
line "verisoft verify alone.harness unspecified --form statements 2> log"

# Two copies.
sed -e 's/^machine phone/& count 2/' -e 's/phone_in!/phone_in[0]!/g' -e 's/phone_event == -1/true/' -e '/^property/,$d' phone.harness > two.harness
cat >> two.harness <<'END'
property both
    says   not both talk
    symbol first   phone[0]@talk
    symbol second  phone[1]@talk
    holds  [](!first || !second)
end
property one
    symbol first   phone[0]@talk
    holds  []!first
end
END
line "verisoft verify two.harness both one --form chart 2> log"

# Mistakes.
mistake() { sed '/^property/,$d' phone.harness > bad.harness; printf '%b' "$1" >> bad.harness; line "verisoft verify bad.harness 2>&1 | tail -1"; }
mistake 'property p\n holds [](a ->\n symbol a 1\nend\n'
mistake 'property p\n holds []a\nend\n'
mistake 'property p\n says x\nend\n'
mistake 'property p\n template respons globally p=a s=b\nend\n'
mistake 'property p\n template response globally p=a\nend\n'
mistake 'property p\n symbol a phone@talking\n holds []a\nend\n'
mistake 'property p\n symbol a phone@2\n holds []a\nend\n'
mistake 'property p\n features +CW\nend\n'
mistake 'property p\n symbol a forwardd\n holds []a\nend\n'

# A trigger that happens, and is answered at once, so that no automaton ever leaves its first state; and one that never does.
sed '/^property/,$d' phone.harness > tried.harness
cat >> tried.harness <<'END'
property answered-at-once
    symbol forwards  forwarded
    symbol again     forwarded == 1
    features +CFBL -ACR
    holds [](forwards -> <>again)
end
property never-hung-up
    symbol hung  phone.event == hangup
    symbol idle  phone@idle
    holds [](hung -> <>idle)
end
property no-trigger
    symbol hung  phone.event == hangup
    holds []!hung
end
property in-scope
    symbol hung   phone.event == hangup
    symbol idle   phone@idle
    symbol rings  phone.event == ring
    template absence after-until p=hung q=rings r=idle
end
END
line "verisoft verify tried.harness answered-at-once never-hung-up no-trigger in-scope --json tried.json 2> log"
line "verisoft verify tried.harness answered-at-once never-hung-up --exhaustive 2> log"
run json tried.json properties.0.runs.2.kind

# What is sent has the words of the program, or of the harness; and an entry for what is a feature is no slip.
cat > words.harness <<'HARNESS'
verisoft harness 1
source phone.at
machine phone
feature CFBL fenable(x,CFBL)
map
    fenable(x,CFBL)   true
    dialtone(x)  told!ACR
    reject(x)    said!rude; rejected = 1
    forward(x)   skip
    alert(x)     skip
    busytone(x)  skip
end
declare
    mtype = { polite, rude };
    chan told = [1] of { byte };
    chan said = [1] of { mtype };
    bool rejected;
end
property quiet
    symbol r  rejected
    holds  []!r
end
HARNESS
line "verisoft verify words.harness quiet --exhaustive 2>&1 | grep -v -e ' statements:' -e '^quiet '"

# What Spin refuses has its place in what the user wrote; a slip in a name is told.
cp "$project"/examples/alternating-bit/* .
sed 's/to_receiver!msg/to_reciever!msg/' map > wrong-map
sed 's/^map map/map wrong-map/' perfect.harness > wrong-right.harness
line "verisoft verify wrong-right.harness delivered 2>&1 | grep -o '^verisoft: sender.at:.*undeclared variable: [a-z_]*'"
sed 's/bool on_its_way/bol on_its_way/' perfect.harness > wrong-declaration.harness
line "verisoft verify wrong-declaration.harness delivered 2>&1 | grep -o '^verisoft: wrong-declaration.harness:[0-9]*'"
sed 's/on_its_way == 1/on_its_way == == 1/' perfect.harness > wrong-symbol.harness
line "verisoft verify wrong-symbol.harness delivered 2>&1 | grep -o 'it is in a property: .*'"
line "verisoft verify perfect.harness delivred 2>&1 | tail -1"
