# A driver in C that is parked at its beginning is started once, and each path gets a copy; who cannot be parked is started for each; what is
# right only in a copy is noticed; and nobody stays. SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
cat > parked.c <<'END2'
#include <verisoft-parking.h>
#include <fcntl.h>
int main(int count, char **words)
{
    const char *how = count > 1 ? words[1] : "", *before = getenv("VERISOFT_PORT");
    int copies = 0;
    if (*how == 'f' && open("/dev/null", O_RDONLY) < 0)          /* a file is open */
        return 9;
    if (*how == 'i')                                             /* nobody waits for its children */
        signal(SIGCHLD, SIG_IGN);
    if (*how == 'a')                                             /* a request was made */
        vs_check(1);
    copies += getenv("VERISOFT_PARKING") != NULL;                /* of a replay this is not so */
    vs_park();
    unsigned n = vs_toss(2);
    vs_step("");
    if (*how == 's')
        return 0;
    if (*how == 'p' && fork() == 0) {                            /* somebody is left behind */
        close(vs_socket());
        for (;;)
            pause();
    }
    vs_check(before && atoi(getenv("VERISOFT_PORT")) > 0);
    vs_check(*how != 'e' || n != 2);
    vs_check(*how != 'c' || !copies);
    if (*how == 'k' && n == 2)
        abort();
    return *how == 'x' && n == 1 ? 3 : 0;
}
END2
must ${CC:-cc} -Wall -Wextra -Werror -I"$project/include" -o parked parked.c

suite() {                            # COMMAND...: a driver each
    printf '[box]\nreplays = 1\nshrink = 3\n' > suite.toml
    for command; do printf '[[driver]]\nname = "d%s"\nrun = "echo >> starts; %s"\n' $((number += 1)) "$command" >> suite.toml; done
    rm -f starts *.path
    verisoft test suite.toml --json r.json --quiet; status=$?
    starts=$(wc -l < starts)
    pgrep -x parked -s "$$" > /dev/null && { echo "somebody stays: $*"; failed=1; }
}
one() {                              # WHAT STATUS STARTS EXECUTIONS COMMAND...
    what=$1 wanted=$2 most=$3 runs=$4
    shift 4
    suite "$@"
    is "status, $what" $wanted $status
    is "starts, $what" $most $starts
    is "starts told, $what" $most "$(($(json r.json native_starts) + ${again:-1}))"
    is "executions, $what" $runs "$(json r.json executions)"
}
# One start for all paths; and one for the path that is run once more.
one 'parked' 0 2 3 'exec ./parked'
again=2 one 'two of them' 0 4 54 'exec ./parked s' 'exec ./parked s'
one 'it leaves somebody behind' 0 2 3 'exec ./parked p'
one 'it ignores its children' 0 2 3 'exec ./parked i'
one 'a file is open' 0 4 3 'exec ./parked f'
one 'it has asked' 0 4 3 'exec ./parked a'
one 'a child of its shell' 0 4 3 './parked; exit $?'

# Its errors are told as ever, and were seen by a driver that was started anew.
for how in 'e assertion' 'k crash' 'x crash'; do
    suite "exec ./parked ${how% *}"
    is "status, $how" 1 $status
    is "kind, $how" "${how#* }" "$(json r.json errors.0.kind)"
    is "paths that fail, $how" 1 "$(json r.json errors | grep -c '"kind"')"
done
suite 'exec ./parked c'
[ $status != 0 ] || { echo "what is so only in a copy was believed"; failed=1; }
verisoft test suite.toml -j 2 --quiet > /dev/null; [ $? != 0 ] || failed=1
exit $failed
