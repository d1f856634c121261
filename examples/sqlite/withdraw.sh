# Takes 60 or 10 from an account that has 100, and pays it out; what is there and what was paid come to 100 at any time. As `wrong` it reads,
# and writes what it computed. SPDX-License-Identifier: MIT
sql() { sqlite3 "$VERISOFT_FOLDER/bank/data" "$1"; }
[ "$(vs toss 1)" = 0 ] && amount=60 || amount=10
vs step database
if [ "$1" = wrong ]; then
    balance=$(sql 'select balance from account')
    vs answer "$balance"
    vs assume test "$balance" -ge $amount
    vs step database
    sql "update account set balance = $((balance - amount)), paid = paid + $amount"
else
    sql "update account set balance = balance - $amount, paid = paid + $amount where balance >= $amount"
fi
vs step database
all=$(sql 'select balance + paid from account')
vs answer "$all"
vs check "balance and what was paid come to 100, not $all" test "$all" = 100
