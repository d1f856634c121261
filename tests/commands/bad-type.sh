# A type of a user's own that lacks what a search or a report would come upon is refused when it is loaded, in words. SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
echo 'int main(void) { return 0; }' > main.c
begin() {                            # WORDS: a type whose operation, or the rest of which, has these
    cat << END
#include <object.h>
#include <stddef.h>
static int size(const int32_t arg[3], char *why, size_t room) { (void)arg, (void)why, (void)room; return 1; }
static void init(const int32_t arg[3], uint32_t *state) { (void)arg; *state = 0; }
static uint32_t choices(const uint32_t *state, const struct op *op) { (void)op; return *state; }
static uint32_t execute(struct log *log, uint32_t *state, const struct op *op, uint32_t choice) { (void)log, (void)state, (void)op, (void)choice; return 0; }
static const struct operation operations[] = { { .name = "pass", $1 } };
const struct object_type vs_type = { .version = OBJECT_VERSION, .name = "gate", .operations = operations, .operation_count = 1, .size = size,
                                     .init = init, .choices = choices, .execute = execute, $2 };
END
}
refused() {                          # WORDS OPERATION TYPE
    begin "$2" "$3" > gate.c
    must ${CC:-cc} -shared -fPIC -I"$project/include" -o gate.so gate.c
    verisoft main.c --object ./gate.so > out 2>&1
    is "status where it says: $1" 2 $?
    grep -q "$1" out || { echo "it does not say: $1"; cat out; failed=1; }
}
refused 'needs `units`' '.format = "pass(%o)", .awaits = AWAITS_UNITS' ''
refused 'without a name or a format' '' ''
refused 'only types of VeriSoft' '.format = "pass(%o)", .awaits = AWAITS_THREAD' ''
refused 'an argument that there is not' '.format = "pass(%o)", .limit = { .arg = 3 }' ''
refused 'has no operations' '.format = "pass(%o)"' '.operation_count = 0'
begin '.format = "pass(%o)", .awaits = AWAITS_LOCK' '' > gate.c
must ${CC:-cc} -shared -fPIC -I"$project/include" -o gate.so gate.c
verisoft main.c --object ./gate.so --quiet > out 2>&1
is "status of one that lacks nothing" 0 $?
exit $failed
