# What the documents show of a command is what it prints. "..." in a sample stands for any lines. SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
may-trace || { echo "ptrace is refused here: some lines are not known then"; exit 77; }
[ -e "$project/doc/samples" ] || { echo "the documents are not here"; exit 77; }
must cp "$project"/doc/samples/* "$project"/examples/ac-controller/*.c "$project/examples/philosophers.c" "$project/examples/transfer.c" .
must mkdir build examples
must ln -s "$B/verisoft" build/verisoft
must cp -r "$project/examples/ac-controller" "$project/examples/transfer.c" examples/
must cp -r "$project/examples/rendezvous" .

# Sample number N of a document: its command into ../command, what it shows into ../shown. Fails: there are not so many.
sample() {                           # DOCUMENT N
    : > ../shown
    awk -v number="$2" -v command=../command -v shown=../shown '
        /^    \$ /           { here = ++count == number; if (here) { print substr($0, 7) > command; found = 1 } next }
        /^[^ ]/              { here = 0 }
        here                 { print substr($0, 5) > shown }
        END                  { exit !found }' "$project/$1"
}

# Does what is printed have the shown lines, in pieces that follow each other?
compare() {                          # SHOWN PRINTED
    awk '
        NR == FNR { want[++wanted] = $0; next }
        { got[++lines] = $0 }
        function here(at, from, to,   i) {
            for (i = from; i < to; i++) if (want[i] != got[at + i - from]) return 0
            return 1
        }
        END {
            while (wanted && want[wanted] == "") wanted--
            for (from = 1; from <= wanted; from = to + 1) {
                for (to = from; to <= wanted && want[to] != "..."; to++) ;
                last = from == 1 ? 0 : lines
                for (skip = 0; !here(at + skip + 1, from, to); skip++)
                    if (skip >= last - at) { print "not printed, or not there: " want[from]; exit 1 }
                at += skip + to - from
            }
            if (want[wanted] != "..." && at < lines) { print "not shown: " got[at + 1]; exit 1 }
        }' "$1" "$2"
}

# Programs that the manual itself has, in front of the command.
from_manual() {                      # NAME
    awk -v command="    \$ verisoft $1" '
        index($0, command) == 1 { printf "%s", text; exit }
        /^[^ ]/   { text = ""; next }
        /^    / || text != "" { text = text substr($0, 5) "\n" }' "$project/doc/manual.md" > "$1"
}
for program in livelock.c spin.c crash.c; do from_manual $program; done
printf 'verisoft-path 1\n2 = 1\n2 send_to_queue(1, "room_is_hot")\n' > hot.path
for program in one queue race server pipes inotify; do must ${CC:-gcc} -g -pthread -o $program $program.c; done
${CC:-gcc} -static -pthread -o static race.c 2> /dev/null || rm -f static
must make -s -C rendezvous INCLUDE="$project/include"

# Not run: what needs a person, a debugger or a browser, and what is no command of ours.
left_out() {                         # COMMAND
    case $1 in
    gcc*|*gdb*|*--hold*) return 0 ;;
    *"-simul error1.path") return 0 ;;
    "verisoft main.c -simul error1.path --terminal") return 0 ;;
    *./static*) [ ! -e static ] ;;
    *verisoft*) return 1 ;;
    *) return 0 ;;
    esac
}

# In which line of a loop it was seen, and where a function ends: at its return (clang) or its brace (gcc).
may_differ='s/spin.c:6\([: ]\|$\)/spin.c:5\1/; /end of the thread/s/queue.c:16/queue.c:17/; /end of the thread/s/race.c:9$/race.c:10/'

check() {                            # DOCUMENT FOLDER
    number=0
    while number=$((number + 1)) && sample "$1" $number; do
        command=$(cat ../command)
        left_out "$command" && continue
        case $command in *replay*|*-simul*) ;; *) rm -f "$2"/error*.path "$2/counter" ;; esac
        case $command in *-simul*) rm -f "$2"/error*.path; (cd "$2" && verisoft main.c --quiet) ;; esac
        (cd "$2" && LC_ALL=C sh -c "$command" < /dev/null) 2>&1 | sed "$may_differ" > ../printed_here
        compare ../shown ../printed_here > ../why && continue
        echo "$1: $command"
        cat ../why ../printed_here
        failed=1
    done
    [ $number -gt 1 ] || { echo "$1 has no samples"; failed=1; }
}
must ${CC:-gcc} -g examples/transfer.c -o transfer -pthread
check README.md .
check doc/manual.md .
must ${CC:-gcc} -g transfer.c -o transfer -pthread
check doc/posix.md .
check doc/objects.md rendezvous
exit $failed
