# The page and the protocol over HTTP. SPDX-License-Identifier: MIT
. "$project/tests/lib/server.sh"
start_server
is "lines printed" 2 "$(wc -l < printed)"
is "secret" 32 "$(echo "$secret" | tr -d '\n' | wc -c)"

for name in "" index.html page.js page.css layout.js; do
    is "status of /$name" 200 "$(status_of "$address$name")"
    cmp body "$project/build/page/${name:-index.html}" || failed=1
done
is "without the last slash" "303 $address" "$(curl -s -m 60 -o body -w '%{http_code} %{redirect_url}' "${address%/}")"

curl -s -m 60 -D headers -o body "$address"
for header in 'content-security-policy: .*frame-ancestors .none' 'x-content-type-options: nosniff' 'referrer-policy: no-referrer' \
        'cache-control: no-store' 'content-type: text/html'; do
    grep -qi "^$header" headers || { echo "no header $header"; cat headers; failed=1; }
done
curl -s -m 60 -I "$address" | grep -q '^HTTP/1.1 200' || { echo "HEAD does not work"; failed=1; }
status_of "${address}page.js" -D headers > status && grep -qi '^content-type: text/javascript' headers || failed=1

case $(ask '{"id": 7, "do": "where"}') in
*'"id":7'*) ;;
*) echo "no reply to where"; failed=1 ;;
esac
case $(ask '{"do": "go", "process": 2, "choice": 1}') in
*'"ok":true'*'"position":1'*|*'"position":1'*'"ok":true'*) ;;
*) echo "process 2 did not go"; ask '{"do": "where"}'; failed=1 ;;
esac
case $(ask 'nonsense') in
*'"ok":false'*) ;;
*) echo "nonsense is not refused"; failed=1 ;;
esac
is "status of nonsense" 400 "$(status_of -H 'Content-Type: application/json' -d '{' "${address}do")"
is "status of a list" 200 "$(status_of -H 'Content-Type: application/json; charset=utf-8' -d '[]' "${address}do")"
is "status of nothing" 400 "$(status_of -X POST -H 'Content-Type: application/json' -d '' "${address}do")"
ask '{"do": "quit"}' > body
end_of_server
is "exit status" 0 $status
exit $failed
