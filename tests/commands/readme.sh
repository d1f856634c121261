# The first command of README.md that checks a program. SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
[ -e "$project/README.md" ] || { echo "there is no README.md"; exit 77; }
command=$(sed -n 's/^ *\(\$ \)\{0,1\}\(build\/verisoft .*\.c.*\)$/\2/p' "$project/README.md" | head -n 1)
[ "$command" ] || { echo "README.md has no command that begins with build/verisoft"; exit 1; }
here=$PWD
cp -r "$project/examples" . && mkdir build && ln -s "$B/verisoft" build/verisoft
eval "${command%%#*} --output $here/out --json $here/r.json" > text
is "exit status of '$command'" 1 $?
is "errors" 1 "$(json r.json errors.#)"
exit $failed
