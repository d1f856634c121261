# A page hears what another one did, and nobody holds up the others. SPDX-License-Identifier: MIT
. "$project/tests/lib/server.sh"
start_server
processor() { awk '{ print $14 + $15 }' "/proc/$server/stat"; }          # in ticks
connections() { ls -l "/proc/$server/fd" | grep -c socket: ; }        # and a few sockets more
connections_are() { [ "$(connections)" = "$1" ]; }
waits() { curl -s -m 60 --trace-ascii "${2:-/dev/null}" "${address}wait?seq=$1"; }

before=$(connections)                # nobody has asked yet
seq=$(ask '{"do": "where"}' | field seq)
is "an old number" "{\"seq\":$seq}" "$(waits $((seq + 7)))"
wait_until connections_are "$before"
waits "$seq" > first &
one=$!
waits "$seq" > second &
two=$!
wait_until connections_are $((before + 2))
ask '{"do": "go", "process": 2, "choice": 1}' > body
wait $one $two
now=$(field seq < body)
is "the first hears" "{\"seq\":$now}" "$(cat first)"
is "the second hears" "{\"seq\":$now}" "$(cat second)"
[ "$now" -gt "$seq" ] || { echo "seq did not grow: $seq, $now"; failed=1; }

# Nothing happens for twenty seconds: it is told so, and nobody was busy meanwhile.
ticks=$(processor)
is "nothing happened" "{\"seq\":$now}" "$(waits "$now")"
at_most "ticks while waiting" 40 $(($(processor) - ticks))

# Clients that are killed while they wait.
for i in 1 2 3 4 5; do
    curl -s -m 60 "${address}wait?seq=$now" > killed &
    kill_me=$!
    wait_until connections_are $((before + 1))
    kill -9 $kill_me
    wait $kill_me 2> /dev/null
    ask '{"do": "where"}' > body
    wait_until connections_are "$before"
done
is "answers to those who were killed" 0 "$(wc -c < killed)"

# Half a request and then silence, from many; and waiting ones that never read their answer.
hold "$port" 100 'GET /' > held1 & half=$!
hold "$port" 100 "POST /$secret/do HTTP/1.1\\r\\nHost: 127.0.0.1:$port\\r\\nContent-Type: application/json\\r\\nContent-Length: 99\\r\\n\\r\\n{" \
    > held2 & deaf_body=$!
hold "$port" 100 "GET /$secret/wait?seq=$now HTTP/1.1\\r\\nHost: 127.0.0.1:$port\\r\\n\\r\\n" > held3 & deaf=$!
for file in held1 held2 held3; do wait_until grep -q open $file; done
wait_until connections_are $((before + 300))
ticks=$(processor)
case $(ask '{"do": "where"}') in
*'"ok":true'*) ;;
*) echo "others are held up"; failed=1 ;;
esac
sleep 2
at_most "ticks while 300 are silent" 40 $(($(processor) - ticks))
case $(ask '{"do": "previous"}') in
*'"ok":true'*) ;;
*) echo "others are held up"; failed=1 ;;
esac
kill $half $deaf_body $deaf
wait $half $deaf_body $deaf 2> /dev/null
ask '{"do": "where"}' > body
wait_until connections_are "$before"

# 200 at once.
i=0
while [ $i -lt 200 ]; do
    echo "url = \"${address}do\""
    echo "output = \"many/$i\""
    i=$((i + 1))
done > all
mkdir many
curl -s -m 60 -Z --parallel-max 200 --parallel-immediate -H 'Content-Type: application/json' -d '{"do": "where"}' -K all
is "answers" 200 "$(grep -l '"ok":true' many/* | wc -l)"
wait_until connections_are "$before"

# At the end everybody is told.
now=$(ask '{"do": "where"}' | field seq)
waits "$now" sent > last &
last=$!
wait_until grep -q 'Send header' sent
ask '{"do": "where"}' > body         # whoever asked before has been heard
wait_until connections_are $((before + 1))
ask '{"do": "quit"}' > body
wait $last
is "told at the end" "{\"seq\":$now}" "$(cat last)"
end_of_server
is "exit status" 0 $status
exit $failed
