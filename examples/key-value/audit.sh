# Looks at one of the two accounts, at any time: nobody ever owes anything. SPDX-License-Identifier: MIT
account=account$(vs toss 1)
vs step "$account"
exec 5<> "/dev/tcp/127.0.0.1/$VERISOFT_PORT"
echo "get $account" >&5
read -r value <&5
vs answer "$value"
vs check "$account holds $value, which is not less than 0" test "$value" -ge 0
