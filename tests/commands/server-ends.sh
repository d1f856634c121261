# How the server ends, and that nothing is left of it. SPDX-License-Identifier: MIT
. "$project/tests/lib/server.sh"

for signal in INT TERM HUP; do
    start_server
    ask '{"do": "go", "process": 2, "choice": 1}' > body
    curl -s -m 60 "${address}wait?seq=$(field seq < body)" > last &
    client=$!
    hold "$port" 10 'GET /' > held & half=$!
    wait_until grep -q open held
    kill -$signal $server
    end_of_server
    is "exit status after $signal" 130 $status
    wait $client
    kill $half
    wait $half 2> /dev/null
    nothing_left "$signal"
done

start_server
ask '{"do": "go", "process": 2, "choice": 1}' > body
kill -KILL $server
end_of_server 2> /dev/null
is "exit status after KILL" 137 $status
nothing_left "KILL"

# A request to wait for a change comes just as it ends: it is stopped, asked, interrupted, and goes on.
if command -v python3 > /dev/null; then
    start_server
    cat > late.py <<'END'
import os, signal, socket, sys
port, secret, server = int(sys.argv[1]), sys.argv[2], int(sys.argv[3])
def ask(s, seq): s.sendall(f'GET /{secret}/wait?seq={seq} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n'.encode())
def state(): return open(f'/proc/{server}/stat').read().rsplit(')')[1].split()[0]
s = socket.create_connection(('127.0.0.1', port))
ask(s, 99)
s.recv(1000)
os.kill(server, signal.SIGSTOP)
while state() != 'T': pass
ask(s, 0)
os.kill(server, signal.SIGINT)
os.kill(server, signal.SIGCONT)
END
    must python3 late.py "$port" "$secret" $server
    end_of_server
    is "exit status after a late request" 130 $status
    nothing_left "a late request"
fi

# quit, in the middle of half a request of somebody else
start_server
hold "$port" 10 'GET /' > held & half=$!
wait_until grep -q open held
is "reply to quit" '{"ok":true}' "$(ask '{"do": "quit"}')"
end_of_server
is "exit status after quit" 0 $status
kill $half
wait $half 2> /dev/null
nothing_left "quit"

# A port that is taken.
start_server
verisoft "$project/examples/ac-controller/main.c" -simul --no-browser --port "$port" > out 2> err
is "exit status for a taken port" 2 $?
grep -q -- '--port 0' err || { echo "what to do is not said:"; cat err; failed=1; }
is "what is printed" 0 "$(wc -c < out)"
ask '{"do": "quit"}' > body
end_of_server
is "exit status" 0 $status
# It is free again at once.
forget_words
verisoft "$project/examples/ac-controller/main.c" -simul --no-browser --port "$port" > printed 2> said &
server=$!
wait_until announced
ask '{"do": "quit"}' > body 2>&1
kill -INT $server
end_of_server

# The browser gets an address that is good once, and none of our descriptors.
cat > browser <<'END'
#!/bin/sh
echo "$1" > told
ls /proc/self/fd | wc -l > fds
curl -s -m 60 -L "$1" > page
curl -s -m 60 -L "$1" -w '%{http_code}' -o /dev/null > again
mv again done
exec sleep 60
END
chmod +x browser
forget_words
DISPLAY=:9 BROWSER=$PWD/browser verisoft "$project/examples/ac-controller/main.c" -simul --port 0 > printed 2> said &
server=$!
wait_until announced
wait_until test -e done
address=$(sed -n 's/^VeriSoft simulator: //p' printed)
cmp page "$project/build/page/index.html" || failed=1
is "status of the second time" 404 "$(cat done)"
at_most "descriptors of the browser" 4 "$(cat fds)"
grep -q "${address##*:}" told && { echo "the secret is among the arguments of the browser"; failed=1; }
is "zombies" "" "$(ps -o stat= --ppid $server | grep Z)"
ask '{"do": "quit"}' > body
end_of_server
is "exit status" 0 $status
for p in /proc/[0-9]*; do
    grep -qza "^TMPDIR=$TMPDIR" "$p/environ" 2> /dev/null && grep -qa '^sleep' "$p/cmdline" 2> /dev/null && kill "${p#/proc/}"
done

# $BROWSER has words, and needs no screen; what cannot be opened is told.
cat > words <<'END'
#!/bin/sh
echo "$# $1 $2" > words.told
exit "$2"
END
chmod +x words
for wanted in 0 3; do
    rm -f words.told
    forget_words
    env -u DISPLAY -u WAYLAND_DISPLAY BROWSER="no-such-browser:$PWD/words --new $wanted %s" "$B/verisoft" \
        "$project/examples/ac-controller/main.c" -simul --port 0 > printed 2> said &
    server=$!
    wait_until announced
    wait_until test -s words.told
    is "words for the browser" "3 --new $wanted" "$(cat words.told)"
    [ $wanted = 0 ] || wait_until grep -q 'ended with status 3' said
    kill -INT $server
    end_of_server
    [ $wanted = 3 ] || is "what is said of a browser that ended well" "" "$(grep -v interrupted said)"
    nothing_left "a browser that ended with status $wanted"
done
forget_words
DISPLAY=:9 BROWSER=no-such-browser "$B/verisoft" "$project/examples/ac-controller/main.c" -simul --port 0 > printed 2> said &
server=$!
wait_until announced
wait_until grep -q 'no browser could be opened' said
kill -INT $server
end_of_server

# Without a screen.
forget_words
env -u DISPLAY -u WAYLAND_DISPLAY -u BROWSER "$B/verisoft" "$project/examples/ac-controller/main.c" -simul --port 0 > printed 2> said &
server=$!
wait_until announced
wait_until grep -q 'no browser could be opened' said
kill -INT $server
end_of_server
nothing_left "all"
no_objects_left
exit $failed
