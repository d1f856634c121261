# More connections than anybody needs, silent or half said, with the secret and without: who asks is answered, meanwhile and
# afterwards, also when the process may open few files. SPDX-License-Identifier: MIT
. "$project/tests/lib/server.sh"
answers() {                          # WHEN
    case $(ask '{"do": "where"}') in
    *'"ok":true'*) ;;
    *) echo "no answer: $1"; failed=1 ;;
    esac
    is "status of the page, $1" 200 "$(status_of "$address")"
}
crowd() {                            # NUMBER TEXT WHEN
    : > held
    hold "$port" "$1" "$2" > held & half=$!
    wait_until grep -q open held
    answers "$3"
    kill $half
    wait $half 2> /dev/null
    answers "$3, and gone"
}
head="HTTP/1.1\\r\\nHost: 127.0.0.1:"
json="Content-Type: application/json\\r\\nContent-Length: 16000000\\r\\n\\r\\n{"
for files in "$(ulimit -Sn)" 64; do
    (ulimit -Sn "$files" && exec sleep 0) || continue
    old=$(ulimit -Sn)
    ulimit -Sn "$files"
    start_server
    ulimit -Sn "$old"
    crowd 520 'G' "520 that said one letter, $files files"
    crowd 520 '' "520 that said nothing, $files files"
    crowd 520 "GET /$secret/wait?seq=0 $head$port\\r\\n\\r\\n" "520 that wait, $files files"
    crowd 520 "POST /$secret/do $head$port\\r\\n$json" "520 long requests, $files files"
    ask '{"do": "quit"}' > body
    end_of_server
    is "exit status" 0 $status
done
exit $failed
