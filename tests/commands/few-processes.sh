# Where the system refuses processes, no verdict is made of what could not be run. SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
command -v prlimit > /dev/null || { echo "prlimit is not installed"; exit 77; }
bring tests/cases/philosophers.c examples/transfer.c tests/cases/posix-fork.c
build philosophers philosophers.c
must ${CC:-gcc} -g -pthread -o transfer transfer.c
must ${CC:-gcc} -g -pthread -o forks posix-fork.c
[ -z "$SAN" ] || export ASAN_OPTIONS="$ASAN_OPTIONS:detect_leaks=0"   # looking for leaks takes a process
user=
if [ "$(id -u)" = 0 ]; then          # who may do everything has no limit
    command -v setpriv > /dev/null || { echo "setpriv is not installed"; exit 77; }
    user="setpriv --reuid=61234 --regid=61234 --clear-groups"
    open=$(mktemp -d /tmp/verisoft-XXXXXX) && trap 'rm -rf "$open"' EXIT         # which another user can enter, and this folder may not be
    mkdir -p "$open/bin" "$open/lib/verisoft" "$open/include/verisoft" && chmod -R a+rx "$open" && chmod 777 "$open" &&
    cp "$B/verisoft" "$open/bin" && cp "$B"/verisoft-*.o "$B"/libverisoft*.so "$B/verisoft-loader" "$B/verisoft.specs" "$open/lib/verisoft" && cp -r "$B/drivers" "$open/lib/verisoft" &&
    cp "$project"/include/*.h "$open/include/verisoft" && cp philosophers transfer forks "$open" && cd "$open" || exit 1
    export TMPDIR="$open" PATH="$open/bin:$PATH"
fi

# The error is found, or could not be confirmed, or no process could be made; never is it overlooked.
under() {                            # NUMBER STATUS-WITHOUT-LIMIT COMMAND...
    number=$1 free=$2
    shift 2
    $user prlimit --nproc=$number "$@" > said 2>&1
    status=$?
    case $status in
    $free) return ;;
    2) grep -q "ulimit -u $number)" said && return ;;
    3) grep -q 'not confirmed\|no new' said && return ;;
    esac
    echo "$number processes, $*: status $status"
    cat said
    failed=1
}
for number in 2 3 4 5 6 8; do
    under $number 1 verisoft ./philosophers -- 3
    under $number 1 verisoft ./transfer
    under $number 0 verisoft ./forks
done
$user verisoft ./philosophers --quiet -- 3
is "status without a limit" 1 $?
exit $failed
