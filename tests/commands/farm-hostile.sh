# What strangers and mischief send to the farm's page gets an answer and does nothing: wrong secrets, other origins, requests that are no JSON or not what they
# should be, names that would be paths or commands, texts that would be more than a property, and a thousand connections.
# SPDX-License-Identifier: MIT
. "$project/tests/lib/kill.sh"
needs_farm
command -v curl > /dev/null || { echo "curl is not installed"; exit 77; }
command -v python3 > /dev/null || { echo "python3 is not installed"; exit 77; }
[ -e "$project/build/page/farm/index.html" ] || { echo "the page was left out of the build"; exit 77; }
must cp "$project"/examples/alternating-bit/* .
cp lossy.harness before && cp map map.before

verisoft farm lossy.harness --no-browser --port 0 > printed 2> said &
farm=$!
trap 'kill $farm 2> /dev/null' EXIT
tries=0
until grep -q '^Ctrl-C' printed; do
    tries=$((tries + 1))
    [ $tries -lt 600 ] && kill -0 $farm 2> /dev/null || { echo "it does not start"; cat said; exit 1; }
    sleep 0.05
done
address=$(sed -n 's/^VeriSoft farm: //p' printed)
port=$(echo "$address" | sed 's|.*:\([0-9]*\)/.*|\1|')
status_of() { curl -s -m 60 -o body -w '%{http_code}' "$@"; }
json='Content-Type: application/json'

is "without the secret" 404 "$(status_of -H "$json" -d '{"do": "list"}' "http://127.0.0.1:$port/do")"
is "from elsewhere" 403 "$(status_of -H "Origin: http://evil.example" -H "$json" -d '{"do": "quit"}' "${address}do")"
is "by another name" 403 "$(status_of -H "Host: evil.example:$port" -H "$json" -d '{"do": "quit"}' "${address}do")"
is "as a form" 415 "$(status_of -d '{"do": "quit"}' "${address}do")"
for path in ../index.html ../page.js farm/index.html /etc/passwd ..%2f..%2fetc%2fpasswd lossy.farm lossy.harness; do
    is "status of $path" 404 "$(status_of --path-as-is "$address$path")"
done
is "the page" 200 "$(status_of "$address")"
grep -q 'VeriSoft farm' body || { echo "another page"; failed=1; }

# Requests that were written by a machine, and some by a person; each must be refused in words, and change nothing.
cat > hostile.py << 'END'
import json, random, sys, urllib.request
address = sys.argv[1]
def ask(body):
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    request = urllib.request.Request(address + "do", data, {"Content-Type": "application/json"})
    try:
        return json.loads(urllib.request.urlopen(request, timeout=60).read())
    except urllib.error.HTTPError as problem:
        return json.loads(problem.read())
bad = 0
def refused(body):
    global bad
    reply = ask(body)
    if reply.get("ok") or not reply.get("error"):
        print("not refused:", body, reply)
        bad += 1
names = ["../../etc/passwd", "$(touch owned)", "; touch owned", "`touch owned`", "'; DROP TABLE run; --", "<script>", "a\u0000b", "x" * 100000, "", "%s%n%s", "\ud7ff\u2028"]
for name in names:
    for what in ["property", "start", "abort", "delete", "automaton"]:
        refused({"do": what, "name": name})
    refused({"do": "put", "name": name, "text": "property %s\nholds p\nend\n" % name})
    refused({"do": "source", "file": name})
    refused({"do": "try", "name": name, "text": name})
for file in ["/etc/passwd", "lossy.farm", "/proc/self/environ", "lossy.harness", "."]:
    refused({"do": "source", "file": file})
text = "property goes-on\n    symbol works  sender.event != -1\n    holds  []<>works\nend\n"
for more in ["source /etc/passwd\n" + text, text + "option -include /etc/passwd\n", text + "map\nx  y\nend\n", text.replace("end\n", "property two\nholds works\nend\n")]:
    refused({"do": "put", "name": "goes-on", "text": more})
refused({"do": "put", "name": "goes-on", "text": text, "before": "property goes-on\nend\n"}) if ask({"do": "put", "name": "goes-on", "text": text, "before": "x"})["value"].get("conflict") is None else None
for left, right in [("x\nend\nsource y", "skip"), ("", "skip"), ("x", ""), ("x", "a\nend")]:
    refused({"do": "map", "left": left, "right": right})
for body in [b"", b"{", b"[]", b"7", b'{"do": 7}', b'{"do": "list"', b'\xff\xfe', b'{"do": "quit", "do": "list"}', b"[" * 5000]:
    reply = ask(body)
    if reply.get("ok"):
        print("not refused:", body[:50], reply)
        bad += 1
random.seed(5)
keys = ["do", "name", "text", "before", "id", "file", "left", "right", "state", "feature", "most", "all"]
values = ["list", "property", "trail", "try", "source", "features", "live", "start", None, True, False, -1, 2**62, 1.5, [], {}, "", "goes-on", "\u202e", [[[]]], "deadlock'"]
for _ in range(400):
    request = {key: random.choice(values) for key in random.sample(keys, 4)}
    if request.get("do") == "start":
        continue
    ask(request)
assert ask({"do": "list"})["ok"]
sys.exit(1 if bad else 0)
END
python3 hostile.py "$address" || failed=1
cmp before lossy.harness || failed=1
cmp map.before map || failed=1
[ ! -e owned ] || { echo "a name was run"; failed=1; }

# A thousand connections, most of them silent: who asks is answered.
cat > many.py << 'END'
import resource, socket, sys
soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 4096), hard))
crowd = []
for i in range(min(1000, resource.getrlimit(resource.RLIMIT_NOFILE)[0] - 50)):
    one = socket.socket()
    one.settimeout(10)
    one.connect(("127.0.0.1", int(sys.argv[1])))
    crowd.append(one)
print("ready", flush=True)
sys.stdin.read()
END
mkfifo leave
python3 many.py "$port" < leave > crowd &
crowd=$!
exec 7> leave
until grep -q ready crowd 2> /dev/null || ! kill -0 $crowd 2> /dev/null; do sleep 0.05; done
is "among a thousand" 200 "$(status_of -H "$json" -d '{"do": "list"}' "${address}do")"
exec 7>&-
wait $crowd

is "quit" 200 "$(status_of -H "$json" -d '{"do": "quit"}' "${address}do")"
wait $farm
is "status" 0 $?
nothing_left "the end"
exit $failed
