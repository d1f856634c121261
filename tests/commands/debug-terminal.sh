# Lines, stacks and variables of live processes, as they are typed in the simulator's terminal. SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
command -v gdb > /dev/null || { echo "gdb is not installed"; exit 77; }

# What is typed, and of what is answered that which comes from gdb.
look_into() {                        # PROGRAM... < COMMANDS
    cat > ../typed
    echo "\$ verisoft $* -simul --terminal"
    sed 's/^/> /' ../typed
    verisoft "$@" -simul --terminal < ../typed > ../answered 2>&1
    status=$?
    grep -E '^  #| inside |^error|^ *[^ ]+ = ' ../answered | sed -e 's/0x[0-9a-f]*/0x/g'
    echo "[$status]"
}

bring examples/ac-controller/main.c tests/unit/programs/threads.c tests/unit/programs/forks.c tests/unit/programs/objects.cc
look_into main.c <<'END'
stack 1
go 2 1
step 2
print 2 message
next-line 2
step 1
step 1
step 1
locals 1
print 1 is_room_hot && !ac
print 1 1 i
print 1 nosuch
stack 1
step 2 0
go 1
stack 1
reset
stack 1
print 1 is_room_hot
print 2 0 from_me
END
look_into threads.c <<'END'
go 1
go 1
go 1
step 2
step 2
print 2 *(struct account *)arg
print 3 counter
go 2
step 2
step 2
stack 2
stack 1
END
look_into forks.c <<'END'
go 1
go 1
go 1
go 1
go 1
next-line 2
step 2
print 2 level
stack 2
stack 3
print 1 level
END
look_into objects.cc <<'END'
go 1
go 1
step 2
stack 2
go 2
print 2 this->name
step 2
step 2
print 2 values
END
# One that was not compiled by us.
must ${CC:-gcc} -g -o threads threads.c -lpthread
look_into ./threads <<'END'
go 1
go 1
go 1
go 2
step 2
stack 2
print 2 *mine
END
