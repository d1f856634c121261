# For tests of the simulator's web server: starts it, and asks it with curl. SPDX-License-Identifier: MIT
. "$project/tests/lib/kill.sh"
command -v curl > /dev/null || { echo "curl is not installed"; exit 77; }
[ -e "$project/build/page/index.html" ] || { echo "the simulator's page was left out of the build"; exit 77; }

wait_until() {                       # COMMAND...: until it succeeds, but not for ever
    tries=0
    until "$@"; do
        tries=$((tries + 1))
        [ $tries -lt 1200 ] || { echo "this does not become true: $*"; exit 1; }
        sleep 0.05
    done
}
trap 'kill $server $half $deaf_body $deaf 2> /dev/null' EXIT

forget_words() { : > printed; : > said; }      # or those of a server before are taken for those of the next

# In the background, with the process id in $server and the address in $address.
start_server() {                     # OPTIONS...
    forget_words
    verisoft "$project/examples/ac-controller/main.c" -simul --no-browser --port 0 "$@" > printed 2> said &
    server=$!
    wait_until announced
    address=$(sed -n 's/^VeriSoft simulator: //p' printed)
    port=$(echo "$address" | sed 's|.*:\([0-9]*\)/.*|\1|')
    secret=$(echo "$address" | sed 's|.*/\([0-9a-f]*\)/$|\1|')
}
announced() {
    grep -q '^Ctrl-C ends it' printed && return
    kill -0 $server 2> /dev/null && return 1
    echo "the server did not start"; cat said; exit 1
}

end_of_server() {                    # in $status
    wait $server
    status=$?
}

ask() {                              # REQUEST: prints the reply
    curl -s -m 60 -H 'Content-Type: application/json' -d "$1" "${address}do"
}

status_of() {                        # CURL'S ARGUMENTS: prints the HTTP status
    curl -s -m 60 -o body -w '%{http_code}' "$@"
}

field() {                            # NAME: of the JSON object read, a number
    sed -n "s/.*\"$1\":\([0-9]*\).*/\1/p"
}
