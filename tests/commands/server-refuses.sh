# Who does not know the secret, comes from elsewhere, or asks for what is not there, gets nothing. SPDX-License-Identifier: MIT
. "$project/tests/lib/server.sh"
start_server
root=http://127.0.0.1:$port
wrong=$(echo "$secret" | tr 0-9a-f 1-9a-f0)

# Without the secret there is nothing, and all of it looks the same.
curl -s -m 60 "$root/" > nothing
for path in "" favicon.ico do wait index.html "$wrong/" "$wrong/do" "$wrong/wait?seq=0" "${secret%?}/" "${secret}0/" "x$secret/" \
        "//$secret/" "./$secret/x" "%00$secret/" "$(echo "$secret" | tr a-f A-F)x/"; do
    is "status of /$path" 404 "$(status_of --path-as-is "$root/$path")"
    cmp body nothing || failed=1
    is "status of POST /$path" 404 "$(status_of --path-as-is -H 'Content-Type: application/json' -d '{"do": "quit"}' "$root/$path")"
done
grep -q "$secret" nothing && { echo "the secret is told"; failed=1; }

# No way into the file system.
for path in .. ../ ../../etc/passwd ....//etc/passwd %2e%2e/%2e%2e/etc/passwd ..%2f..%2fetc%2fpasswd /etc/passwd //etc/passwd \
        'page.js/..' page.js%00.html '..\..\etc' main.c printed . ./index.html .done do/ wait/ index.html/ "$secret/"; do
    is "status of $path" 404 "$(status_of --path-as-is "$address$path")"
done

# Another name for this machine, or a page of another site.
json='Content-Type: application/json'
for host in evil.example "evil.example:$port" 127.0.0.1 "127.0.0.1:1$port" localhost "0.0.0.0:$port" "[::1]:$port" \
        "127.0.0.1:$port.evil.example" "localhost:$port@evil.example" ""; do
    is "status for the host '$host'" 403 "$(status_of -H "Host: $host" "$address")"
done
is "status without a host" 403 "$(status_of -0 -H "Host:" "$address")"
is "status for localhost" 200 "$(status_of -H "Host: localhost:$port" "$address")"
for origin in http://evil.example "https://127.0.0.1:$port" http://127.0.0.1 null "http://127.0.0.1:$port.evil.example" \
        "http://localhost:1$port"; do
    is "status for the origin $origin" 403 "$(status_of -H "Origin: $origin" -H "$json" -d '{"do": "quit"}' "${address}do")"
    is "status of wait for the origin $origin" 403 "$(status_of -H "Origin: $origin" "${address}wait?seq=0")"
done
is "status for our own origin" 200 "$(status_of -H "Origin: http://localhost:$port" -H "$json" -d '{"do": "where"}' "${address}do")"

# What a form of another site could send.
for type in text/plain application/x-www-form-urlencoded 'multipart/form-data; boundary=x' application/jsonx text/json; do
    is "status for the type $type" 415 "$(status_of -H "Content-Type: $type" -d '{"do": "quit"}' "${address}do")"
done
is "status without a type" 415 "$(status_of -H 'Content-Type:' -d '{"do": "quit"}' "${address}do")"

for method in GET PUT DELETE OPTIONS TRACE; do
    is "status of $method do" 405 "$(status_of -X $method -H "$json" "${address}do?do=quit")"
done
for name in "" page.js wait; do
    is "status of POST $name" 405 "$(status_of -H "$json" -d '{"do": "quit"}' "$address$name")"
done

# Too long, announced and not.
head -c 17000000 /dev/zero | tr '\0' ' ' > long
is "status of 17 MB" 413 "$(status_of -H "$json" --data-binary @long "${address}do")"
is "status of 17 MB in pieces" 413 "$(status_of -H "$json" -H 'Transfer-Encoding: chunked' --data-binary @long "${address}do")"
head -c 15000000 long > short
printf '{"do": "where"}' >> short
is "status of 15 MB" 200 "$(status_of -H "$json" --data-binary @short "${address}do")"
is "status of a long address" 404 "$(status_of "$address$(head -c 5000 /dev/zero | tr '\0' a)")"

is "only on the loopback address" "0100007F" "$(awk -v port="$(printf ':%04X' "$port")" \
    '$4 == "0A" && substr($2, 9) == port { print substr($2, 1, 8) }' /proc/net/tcp)"
ask '{"do": "quit"}' > body
end_of_server
is "exit status" 0 $status
exit $failed
