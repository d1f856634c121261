# Invariants: in every state, of every transition, in every search that enters all states; and what is no invariant.
# SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
bring oven.c fine.c
never='!(oven.parts[DOOR].on@1 && oven.parts[HEAT].on@1)'

find_in 'No errors' verisoft oven.c --invariant "$never"
find_in 'invariant\|^ *[0-9!] ' verisoft oven.c -DWRONG --invariant "$never" --search bfs
find_in 'invariant' verisoft replay oven.c -DWRONG --invariant "$never" error1.path
for search in stateful bfs 'dfs --reduction none --max-depth 10' 'dfs --reduction sleep --max-depth 10' 'random --random-seed 3'; do
    find_in 'is false\|which@' verisoft oven.c --search $search --invariant 'which == 0'
done

echo '# fields, elements, pointers, numbers of both signs, several at a time'
run verisoft oven.c --quiet --invariant 'oven.last implies (oven.last == &oven.parts[0])'
run verisoft oven.c --quiet --invariant '!oven.last || oven.last->turns < 3' --invariant 'turns[1] == 3 || oven.c:turns[1] == -0x3' \
    --invariant "oven.parts[which].on <= 'a' - 96 && *turns == 0 && ~turns[0] == -1 && (turns[1] & 1) << 2 == 4 && 7 % 4 == 3"
find_in 'is false\|no value' verisoft oven.c --invariant 'oven.last->turns < 3'
find_in 'is false\|no value' verisoft oven.c --invariant '1 / which >= 0'

echo '# arrays of arrays; elements that there are'
cat > board.c <<'END'
#include <verisoft.h>
int board[2][3] = { { 1, 2, 3 }, { 4, 5, 6 } }, row;
struct { short bits[2][2]; int others[1]; } set = { { { 1, 2 }, { 3, 4 } }, { 5 } };
int main(void)
{
    row = VS_toss(2);
    VS_assert(1);
    return 0;
}
END
run verisoft board.c --quiet --invariant 'board[1][2] == 6 && *board[1] == 4 && **board == 1 && board[0][1] + 3 == board[1][1]' \
    --invariant 'set.bits[1][0] == 3 && set.bits[0][1] == 2 && set.others[0] == 5' --invariant 'row < 2 implies board[row][0] == 1 + 3 * row'
find_in 'is false\|no value' verisoft board.c --invariant 'board[row][0] == 1 + 3 * row'
find_in 'is false\|no value' verisoft board.c --invariant 'board[0][3 - row] == 3 - row + 1'
for slip in 'board[1] == 2' 'set.bits[1] == 3' 'board[1][1][0]'; do
    find_in verisoft: verisoft board.c --invariant "$slip"
done

echo '# transitions'
run verisoft oven.c --quiet --invariant 'oven.parts[0].turns@1 == 2 implies next(oven.parts[0].turns@1) != 1'
find_in 'is false\|next' verisoft oven.c --invariant 'oven.parts[0].turns@1 == 2 implies next(oven.parts[0].turns@1) != 0'
run verisoft oven.c --search bfs --invariant 'next(which) >= 0'

echo '# in the configuration, in the report, in certificates'
echo "invariant $never" > system_file.VS
verisoft oven.c -DWRONG --json report.json > /dev/null
run json report.json errors.0.kind
run verisoft oven.c --certificate oven.scc --quiet
rm system_file.VS
line 'grep -a ^invariant oven.scc'
find_in 'invariant' verisoft certify oven.c oven.scc --invariant 'which <= 1'
run verisoft certify oven.c oven.scc --invariant 'which == 0' --quiet
run verisoft certify oven.c oven.scc --invariant 'next(which) <= 1' --quiet
run verisoft certify oven.c oven.scc --invariant 'oven.parts[0].turns@1 == 2 implies next(oven.parts[0].turns@1) != 0' --quiet
run verisoft certify oven.c oven.scc --trustful --invariant 'which <= 1' --quiet
run verisoft certify oven.c oven.scc --trustful --invariant 'next(which) <= 1'

echo '# slips'
for slip in ovn oven.part oven 'oven.last->turn' 'oven.parts->on' 'which.on' 'which[0]' '*which' 'which <' '(which' 'which@0' 'which@9' '3 == 3' \
            'turns[which@2]@1 == 0' 'which == HAET' 'which which' "$(printf '%0200d' 0 | tr 0 '(')which" ''; do
    find_in 'verisoft:\|oven.parts->on' verisoft oven.c --invariant "$slip"
done
run verisoft oven.c --invariant 'which == 0' --reduction source
build stripped fine.c -s
run verisoft ./stripped --invariant 'x == 0'
