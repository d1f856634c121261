# The farm's page for other machines: accounts, sessions, tokens; who may only read tries every request that writes, by the farm's own table of them; who guesses
# passwords waits. SPDX-License-Identifier: MIT
. "$project/tests/lib/kill.sh"
needs_farm
command -v curl > /dev/null || { echo "curl is not installed"; exit 77; }
command -v python3 > /dev/null || { echo "python3 is not installed"; exit 77; }
[ -e "$project/build/page/farm/login.html" ] || { echo "the page was left out of the build"; exit 77; }
must cp "$project"/examples/alternating-bit/* .
farm() { verisoft farm lossy.harness "$@"; }

# Without an account nobody listens elsewhere; an account has a name, a role and a password that is long enough.
farm --listen 127.0.0.1:0 --no-browser > out 2>&1
is "status without accounts" 2 $?
grep -q 'user add NAME' out || { echo "it does not say what to do"; cat out; failed=1; }
echo short | farm user add eve --role editor > out 2>&1;            is "a short password" 2 $?
echo long-enough | farm user add '../eve' --role editor > out 2>&1; is "a name that is a path" 2 $?
echo long-enough | farm user add eve > out 2>&1;                    is "no role" 2 $?
echo long-enough | farm user add eve --role root > out 2>&1;        is "another role" 2 $?
echo editor-secret | must farm user add edith --role editor
echo reader-secret | must farm user add rita --role reader
is "the list" "edith editor rita reader" "$(farm user list | tr -s ' \n' ' ' | sed 's/ $//')"
grep -aq 'reader-secret\|editor-secret' lossy.farm* && { echo "a password is in the database"; failed=1; }

verisoft farm lossy.harness --listen 127.0.0.1:0 --no-browser > printed 2> said &
server=$!
trap 'kill $server 2> /dev/null' EXIT
tries=0
until grep -q '^Ctrl-C' printed; do
    tries=$((tries + 1))
    [ $tries -lt 600 ] && kill -0 $server 2> /dev/null || { echo "it does not start"; cat said; exit 1; }
    sleep 0.05
done
port=$(sed -n 's|^VeriSoft farm: http://127.0.0.1:\([0-9]*\)/$|\1|p' printed)
cat > visit.py << 'END'
import json, random, sys, time, urllib.error, urllib.request
base = "http://127.0.0.1:%s/" % sys.argv[1]
bad = 0
def ask(path, body=None, **headers):
    data = None if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
    given = {k.replace("_", "-"): v for k, v in headers.items()}
    if data is not None: given.setdefault("Content-Type", "application/json")
    try:
        answer = urllib.request.urlopen(urllib.request.Request(base + path, data, given), timeout=60)
    except urllib.error.HTTPError as problem:
        answer = problem
    return answer.status, answer.headers, answer.read().decode()
def expect(what, wanted, got):
    global bad
    if wanted != got:
        print("%s: %r, and it should be %r" % (what, got, wanted)); bad += 1
def enter(name, password, **headers):
    for i in range(40):              # so many a second may try; who does not guess comes in
        status, said, text = ask("login", {"name": name, "password": password}, **headers)
        if status != 429: break
        time.sleep(0.2)
    return status, said.get("Set-Cookie", "")
def session(name, password):
    status, cookie = enter(name, password)
    expect("login of " + name, 200, status)
    cookie = cookie.split(";")[0]
    return cookie, json.loads(ask("session", Cookie=cookie)[2])["token"]

# nobody
for path in ["do", "wait?seq=0", "session", "page.js", "index.html", "lossy.farm", "../index.html"]:
    expect("a stranger at " + path, 401, ask(path, {"do": "list"} if path == "do" else None)[0])
expect("the page to come in by", (200, True), (lambda a: (a[0], "login.js" in a[2]))(ask("")))
for name, password in [("edith", "wrong"), ("nobody", "editor-secret"), ("edith' OR 1=1 --", "x"), ("", ""), ("x" * 5000, "y" * 5000)]:
    expect("login as " + name[:20], 403, enter(name, password)[0])
random.seed(7)
for body in [b"", b"{", b"[]", b"null", b'{"name": 1, "password": []}', b"\xff\xfe"] + [bytes(random.randrange(256) for _ in range(200)) for _ in range(20)]:
    expect("nonsense %r" % body[:20], 403, ask("login", body)[0])

# a reader: every request that writes, by the farm's own table
cookie, token = session("rita", "reader-secret")
given = dict(Cookie=cookie, X_VeriSoft_Token=token)
table = json.loads(ask("do", {"do": "requests"}, **given)[2])["value"]
writes = [one["name"] for one in table if one["writes"]]
expect("what writes", {"start", "abort", "delete", "try", "put", "map", "look", "quit"}, set(writes))
for name in writes:
    for extra in ({}, {"all": True}, {"name": "deadlock", "text": "property x\n", "left": "a", "right": "b"}):
        status, _, text = ask("do", {"do": name, **extra}, **given)
        expect("a reader's " + name, (403, False), (status, json.loads(text)["ok"]))
for one in table:
    if not one["writes"]: expect("a reader's " + one["name"], 200, ask("do", {"do": one["name"]}, **given)[0])
expect("the page", True, "page.js" in ask("", Cookie=cookie)[2])

# an editor: with the token, from our own page, and not otherwise
cookie, token = session("edith", "editor-secret")
expect("without the token", 403, ask("do", {"do": "list"}, Cookie=cookie)[0])
expect("with another", 403, ask("do", {"do": "list"}, Cookie=cookie, X_VeriSoft_Token="0" * 32)[0])
expect("from elsewhere", 403, ask("do", {"do": "list"}, Cookie=cookie, X_VeriSoft_Token=token, Origin="http://evil.example")[0])
expect("as a form", 415, ask("do", b"do=quit", Cookie=cookie, X_VeriSoft_Token=token, Content_Type="application/x-www-form-urlencoded")[0])
expect("abort", 200, ask("do", {"do": "abort", "all": True}, Cookie=cookie, X_VeriSoft_Token=token)[0])
for flag in ["HttpOnly", "SameSite=Strict", "Max-Age="]: expect(flag, True, flag in enter("edith", "editor-secret")[1])
expect("Secure over plain HTTP", False, "Secure" in enter("edith", "editor-secret")[1])
expect("Secure behind TLS", True, "Secure" in enter("edith", "editor-secret", X_Forwarded_Proto="https")[1])
expect("log out", 200, ask("logout", {}, Cookie=cookie, X_VeriSoft_Token=token)[0])
expect("after that", 401, ask("do", {"do": "list"}, Cookie=cookie, X_VeriSoft_Token=token)[0])
expect("a session of one's own making", 401, ask("do", {"do": "list"}, Cookie="verisoft=" + "0" * 32)[0])

# who guesses waits, also with the right word; it may come so late that the wait is over
def guess(): return ask("login", {"name": "rita", "password": "guess"})[0]
def guess_until_refused(): return next((status for status in (guess() for i in range(1000)) if status != 403), 403)
for i in range(20):
    refused, status = guess_until_refused(), ask("login", {"name": "rita", "password": "reader-secret"})[0]
    if status != 200: break
expect("guessing", 429, refused)
expect("the right password in the middle of it", 429, status)
open("edith", "w").write("\n".join(session("edith", "editor-secret")))
sys.exit(1 if bad else 0)
END
python3 visit.py $port || failed=1

# Who is removed is out at once.
cookie=$(sed -n 1p edith) token=$(sed -n 2p edith)
list() { curl -s -m 60 -o body -w '%{http_code}' -H 'Content-Type: application/json' -H "Cookie: $cookie" -H "X-VeriSoft-Token: $token" -d '{"do": "list"}' "http://127.0.0.1:$port/do"; }
is "an editor" 200 "$(list)"
must farm user remove edith
is "one who was removed" 401 "$(list)"
kill -INT $server
wait $server
nothing_left "the farm"
exit $failed
