# The daemon: a save is noticed, what it touches is verified again, and who broke it gets one mail, with the chart; without a page.
# SPDX-License-Identifier: MIT
. "$project/tests/lib/kill.sh"
needs_farm
command -v git > /dev/null || { echo "git is not installed"; exit 77; }
must cp "$project"/examples/alternating-bit/* .
mkdir include maps && mv abp.h include && mv map maps
sed -i 's|^map map|option -Iinclude -Inowhere\nmap maps/map|' perfect.harness
export HOME="$PWD" GIT_CONFIG_NOSYSTEM=1
git init -q . && git add -A && git -c user.name=Ada -c user.email=ada@example.org commit -qm first || exit 1

# A mail command of this test: each mail is a file.
cat > post << 'END'
#!/bin/sh
[ "$1" = -t ] || exit 1
cat > "$(mktemp "$POST/mail.XXXXXX")"
END
chmod +x post && mkdir mails
export POST="$PWD/mails"

wait_until() {                       # COMMAND...
    tries=0
    until "$@"; do
        tries=$((tries + 1))
        [ $tries -lt 1200 ] || { echo "this does not become true: $*"; cat printed said; kill $farm; exit 1; }
        sleep 0.1
    done
}
counts() { verisoft farm perfect.harness list 2> /dev/null | tail -n 1 | grep -q "$1"; }
mails() { [ "$(ls mails | wc -l)" = "$1" ]; }

verisoft farm perfect.harness --watch --no-page --mail "$PWD/post" -j 2 > printed 2> said &
farm=$!
wait_until counts '^0 pending, 0 running, [1-9][0-9]* verified, 0 failed'
is "mails" 0 "$(ls mails | wc -l)"

# Bob breaks it, in an editor that writes a new file and renames it.
sed 's/seqno = 1 - seqno;/seqno = seqno;/' sender.at > sender.new
git -c user.name=Bob -c user.email=bob@example.org commit -qam 'nothing' --allow-empty
must mv sender.new sender.at
git -c user.name=Bob -c user.email=bob@example.org commit -qam 'simpler' || exit 1
wait_until counts ' [1-9][0-9]* failed$'
wait_until counts '^0 pending, 0 running'
verisoft farm perfect.harness list --json list.json
failures=$(json list.json counts.failed)
wait_until mails "$failures"
grep -qx 'To: bob@example.org' mails/* || { echo "not to who broke it:"; head -3 mails/*; failed=1; }
grep -q '^Subject: \[verisoft\] .* is violated' mails/* || { echo "no subject"; failed=1; }
grep -q -e '--->|' mails/* || { echo "no chart"; cat mails/*; failed=1; }

# Mended, and broken in the same way: its verdict is known, and nobody is told twice.
git checkout -q HEAD~1 -- sender.at
wait_until counts ' 0 failed$'
git checkout -q HEAD -- sender.at
wait_until counts ' [1-9][0-9]* failed$'
sleep 1
is "mails" "$failures" "$(ls mails | wc -l)"

# What cannot be used is said once; it goes on. Headers and maps are watched in their own folders, too.
cp include/abp.h "$TMPDIR/kept" && echo 'no C {' >> include/abp.h
wait_until grep -q 'no model can be made' said
must cp "$TMPDIR/kept" include/abp.h
wait_until counts ' [1-9][0-9]* failed$'
cp maps/map "$TMPDIR/kept" && echo 'alone' >> maps/map
wait_until grep -q 'maps/map' said
must cp "$TMPDIR/kept" maps/map; rm "$TMPDIR/kept"
wait_until counts ' [1-9][0-9]* failed$'
verisoft farm perfect.harness --once > twice 2>&1
is "a second one" 2 $?
grep -q 'another command works on this farm already' twice || { cat twice; failed=1; }

kill -TERM $farm
wait $farm
is "status" 130 $?
LC_ALL=C grep -n '^verisoft: \([^ -~]\|$\)' said && { echo "words that nobody wrote"; failed=1; }
verisoft farm perfect.harness history > history
grep -q 'verified -> failed' history || { echo "no history:"; cat history; failed=1; }
[ ! -e perfect.farm-lock ] || { echo "the lock is left"; failed=1; }
nothing_left "the end"
exit $failed
