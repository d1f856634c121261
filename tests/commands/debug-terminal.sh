# Lines, stacks and variables of live processes, as they are typed in the simulator's terminal. SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
needs_gdb
case ${CC:-} in
*clang*)                             # a step of another compiler's program leads elsewhere
    command -v gcc > /dev/null && command -v g++ > /dev/null || { echo "this is how programs of gcc are looked into"; exit 77; }
    export CC=gcc CXX=g++ ;;
esac

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
# On the way to its end a process has not ended.
cat > crash.c <<'END'
#include <verisoft.h>
int main(void)
{
    if (fork() == 0) {
        VS_toss(1);
        exit(0);
    }
    VS_toss(1);
    int *where = NULL;
    *where = 1;
    return 0;
}
END
{ echo "go 2 0"; echo "step 1 0"; echo '{"do": "where"}'; echo "step 1"; echo "source crash.c"; echo "go 1"; } > ../typed
verisoft crash.c -simul --terminal < ../typed | tail -n +11
# Deeper than anybody looks.
cat > deep.c <<'END'
#include <verisoft.h>
static int down(int n)
{
    if (n)
        return 1 + down(n - 1);
    VS_toss(1);
    return 0;
}
int main(void) { return down(1000) < 0; }
END
printf 'stack 1\nlocals 1 3\nlocals 1 999\n' | verisoft deep.c -simul --terminal > ../answered
at_most "frames that are not shown" 600 $((1000 - $(grep -c '^  #' ../answered)))
tail -n 3 ../answered | sed 's/0 to [0-9]*/0 to N/'
# References.
cat > references.cc <<'END'
#include <string>
#include <verisoft.h>
struct pair { int a, b; };
static int look(const int &r, pair &q, std::string &name, int &&gone)
{
    VS_toss(1);
    return r + q.a + (int)name.size() + gone;
}
int main()
{
    pair p = { 1, 2 };
    std::string name = "ann";
    return look(p.b, p, name, 7) < 0;
}
END
look_into references.cc <<'END'
print 1 r
print 1 q
print 1 name
print 1 gone
print 1 q.a
print 1 r+1
END
# Without -g.
build plain threads.c -g0 -lpthread
look_into ./plain <<'END'
go 1
stack 1
locals 1
print 1 counter
print 1 (int)counter
print 1 counter = 3
step 1
where
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
