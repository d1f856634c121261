# The first command of README.md that checks a program finds an error, and the second prints what stands there.
# SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
[ -e "$project/README.md" ] || { echo "there is no README.md"; exit 77; }
command=$(sed -n 's/^ *\(\$ \)\{0,1\}\(build\/verisoft .*\.c.*\)$/\2/p' "$project/README.md" | head -n 1)
[ "$command" ] || { echo "README.md has no command that begins with build/verisoft"; exit 1; }
here=$PWD
cp -r "$project/examples" . && mkdir build && ln -s "$B/verisoft" build/verisoft
eval "${command%%#*} --output $here/out --json $here/r.json" > text
is "exit status of '$command'" 1 $?
is "errors" 1 "$(json r.json errors.#)"

compile=$(sed -n 's/^    \$ gcc \(.*\)/\1/p' "$project/README.md" | head -n 1)
must eval "${CC:-gcc} $compile"
command='build/verisoft ./transfer'
# From the command to the next line that is not indented.
awk -v command="    \$ $command" 'here && /^[^ ]/ { exit } here { sub(/^    /, ""); print } $0 == command { here = 1 }' \
    "$project/README.md" | sed '$d' > expected
$command > printed
is "exit status of '$command'" 1 $?
diff -u expected printed || failed=1
exit $failed
