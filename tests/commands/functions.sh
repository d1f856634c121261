# doc/functions.md says of every function of this machine's C library, once, what becomes of it, and the runtime does so; and the runtime calls the library, not itself.
# SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
libc=$(${CC:-cc} -print-file-name=libc.so.6)
[ -e "$libc" ] || { echo "the compiler knows of no libc.so.6"; exit 77; }

defined() {                          # FILE: the functions that it offers
    nm -D --defined-only "$1" | awk '$2 ~ /^[TWi]$/ && $3 !~ /@GLIBC_PRIVATE$/ { sub(/@.*/, "", $3); print $3 }' | sort -u
}
listed() {                           # CLASS: the names in the lists of that chapter
    awk -v class="$1" '/^## / { here = $2 == class } here && /^    / { for (i = 1; i <= NF; i++) print $i }' \
        "$project/doc/functions.md"
}
table() {                            # LIST: the names in that list of the runtime
    printf '#include "functions.h"\n#define X(name, ...) name\n%s(X)\n' "$1" | ${CC:-cc} -E -P -I"$project/runtime" - | tr -s ' \t' '\n' | grep .
}
none() {                             # WHAT FILE: the file must be empty
    [ -s "$2" ] || return 0
    echo "$1: $(tr '\n' ' ' < "$2")"
    failed=1
}

defined "$libc" > libc
defined "$B/libverisoft.so" > runtime
for class in Controlled Unsupported Harmless; do listed $class | sort > $class; done
{ table UNSUPPORTED; table UNSUPPORTED_IN_GROUP; } | sort > refused
sort Controlled Unsupported Harmless > all
[ "$(wc -l < libc)" -gt 1000 ] || { echo "no functions in $libc"; failed=1; }

uniq -d all > found;                     none "more than once in doc/functions.md" found
uniq all | comm -23 libc - > found;      none "in the C library, but not in doc/functions.md" found
comm -23 Controlled runtime > found;     none "controlled in doc/functions.md, but not defined by the runtime" found
comm -23 Unsupported runtime > found;    none "unsupported in doc/functions.md, but not defined by the runtime" found
comm -12 Harmless runtime > found;       none "harmless in doc/functions.md, but defined by the runtime" found
comm -3 Unsupported refused > found;     none "unsupported in doc/functions.md or in runtime/functions.h, but not in both" found

# What the linker would have the runtime call in the place of the C library's (--wrap) the runtime itself must not call: it would call itself.
nm "$B/verisoft-rt.o" | awk '$2 ~ /^[TW]$/ && sub(/^__wrap_/, "", $3) { ours[$3] } $1 == "U" { called[$2] } END { for (name in ours) if (name in called) print name }' > found
none "called by the runtime, and wrapped: to be in OF_LIBC of the Makefile" found
exit $failed
