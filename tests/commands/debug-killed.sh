# gdb, the live copy of the program and its host are killed while the simulator uses them; then the simulator itself.
# SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
needs_gdb
bring examples/ac-controller/main.c
mkfifo in

children() {                         # PARENT [NAME]: its processes, of this name
    for stat in /proc/[0-9]*/stat; do
        { read -r line < "$stat"; } 2>/dev/null || continue
        rest=${line##*) } name=${line#*(} name=${name%)*}
        set -- "$1" "$2" $rest
        [ "$4" = "$1" ] && { [ -z "$2" ] || [ "$name" = "$2" ]; } && echo "${line%% *}"
        set -- "$1" "$2"
    done
}
say() {                              # COMMAND SEEN TIMES: waits until it has been printed so often
    echo "$1" >&3
    tries=0
    until [ "$(grep -c -e "$2" out)" -ge "$3" ]; do
        tries=$((tries + 1))
        [ $tries -lt 600 ] || { echo "$1: no answer"; tail -n 5 out; exit 1; }
        sleep 0.1
    done
}
start() {
    verisoft main.c -simul --terminal < in > out 2>&1 &
    simulator=$!
    exec 3> in
    say 'stack 2' 'Environment' 1
}
gone() {                             # WHAT PID...: are they? A zombie that nobody has waited for yet is, too
    what=$1
    shift
    for pid; do
        tries=0
        while read -r line 2>/dev/null < "/proc/$pid/stat"; do
            case ${line##*) } in Z*) break ;; esac
            tries=$((tries + 1))
            [ $tries -lt 100 ] || { echo "$what: process $pid is left: $line"; failed=1; kill -9 "$pid"; break; }
            sleep 0.1
        done
    done
}

start
seen=1
for whom in gdb verisoft-live program gdb; do
    host=$(children $simulator verisoft-live)
    if [ $whom = program ]; then victims=$(children "$host"); else victims=$(children $simulator $whom); fi
    [ "$victims" ] || { echo "there is no $whom"; failed=1; }
    kill -9 $victims
    gone "$whom" $victims
    seen=$((seen + 1))
    say 'stack 2' '#0 *Environment' $seen
done
say '{"do": "step", "process": 2, "choice": 1}' '"inside": *{' 1
victims=$(children $simulator gdb)
kill -9 $victims
gone gdb $victims
say '{"do": "next_line", "process": 2}' '"inside": *{' 2
host=$(children $simulator verisoft-live)
all="$(children $simulator) $(children "$host")"
echo quit >&3
exec 3>&-
wait $simulator
is "status after quit" 0 $?
gone quit $all

for signal in KILL TERM INT; do
    start
    say '{"do": "step", "process": 2, "choice": 1}' '"inside": *{' 1
    host=$(children $simulator verisoft-live)
    all="$(children $simulator) $(children "$host")"
    kill -$signal $simulator
    wait $simulator 2>/dev/null
    exec 3>&-
    gone $signal $all
done
rm -rf "$TMPDIR"/verisoft-*          # of the simulator that was killed
exit $failed
