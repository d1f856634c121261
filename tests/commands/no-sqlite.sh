# Where SQLite is not installed, all but the farm is built, and the farm says what is missing. SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
. "$project/build/parts"
parts=$(make -C "$project" -npr SQLITE= FORCE 2> /dev/null | sed -n 's/^SOURCES := //p')
must ${CC:-cc} -std=gnu11 -I"$project/include" -I"$project/src" -I"$project" ${SAN:+-fsanitize=$SAN} -c "$project/src/cli/farm.c" -o farm.o
objects=$(for part in $parts; do [ $part = src/cli/farm.c ] || echo "$B/${part%.c}.o"; done)
must ${CC:-cc} ${SAN:+-fsanitize=$SAN} -o verisoft farm.o $objects "$project/build/page.o" ${libraries%-lsqlite3*}
find_in 'SQLite' ./verisoft farm harness.h
must ./verisoft --version > said
