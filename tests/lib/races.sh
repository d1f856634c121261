# What the tests of data races have in common: their programs, and a line for what is found in one. SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
for file in "$project"/tests/commands/races/*.c* "$project"/tests/commands/cc/copy.c; do must cp "$file" .; done

made=
try() {                              # FILE [FLAGS] [OPTIONS] [-- ARGUMENTS]: all errors; the report in a line
    name=$1 flags= options=
    shift
    for word; do case $word in -D*|-f*|-m*) flags="$flags $word" ;; *) options="$options $word" ;; esac; done
    case $name in *.cc) compiler=c++ ;; *) compiler=cc name=$name.c ;; esac
    [ "$made" = "$name$flags" ] || verisoft $compiler "$name" -O0 -w -pthread $flags -o program || echo "$name does not compile"
    made=$name$flags
    verisoft ./program --stop-at-error 0 --divergence-limit 60 --output out --json r.json --quiet $options
    status=$?
    name=${name%.c*}
    case $name in
    counter|counts|once|adds|bytes|lazy|own|statics|deque|copy|torn|bits|expected|mixed) executions=", executions $(json r.json executions)" ;;
    tries)                                              # how many rounds there are before a loop is as it was depends on the compiler
        verisoft ./program --stop-at-error 0 --reduction sleep --output out --json s.json --quiet $options
        executions=", executions $(json r.json executions), traces $(json s.json executions)"
        [ "$(json r.json executions)" != "$(json s.json executions)" ] || executions=", one execution a trace" ;;
    *) executions= ;;
    esac
    case $name$flags${CC:-gcc}$executions in            # clang's code may show that nobody looks at what an addition gives: then one order is enough
    counter*ATOMIC*clang*" 1") executions=", executions 2" ;;
    esac
    case $name$flags in mixed*WHICH=6) executions= ;; pair*WRONG) ;; pair*) executions=", executions $(json r.json executions)" ;; esac
    free=$(json r.json race_free)
    case $name$flags${CC:-gcc} in builtin*LOCK*clang*) free=true ;; esac          # clang leaves out stores to what a thread is made with, and the report says so
    case $name in exception) free="as far as the compiler shows" ;; esac          # what is given to a thread is left out by one, and not by the other
    echo "$name $*: $status $(json r.json result)$executions, race-free $free"
    for i in 0 1 2 3; do
        kind=$(json r.json errors.$i.kind 2> /dev/null) || break
        case $kind in
        race) echo "    race: $(json r.json errors.$i.variable | sed 's/^use\[0\]$/use/')" ;;
        ?*)   echo "    $kind" ;;
        esac
    done
    rm -rf out
}
