# What no program can do, and one that wrote into the wire tells all the same, is an error of that program, and nothing else happens. Each
# word is EVENT,TYPE,CODE,ARG0,ARG1,ARG2,OBJECT,FRESH,AT, with the numbers of include/wire.h. SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
bring tell.c
build tells tell.c -pthread

spoilt() {                           # [threads] WORD...
    timeout -k 30 300 verisoft ./tells --max-depth 40 --divergence-limit 2 --output found -- "$@" > said 2>&1 < /dev/null
    status=$?
    [ $status = 1 ] && tr -s ' \n' ' ' < said | grep -q 'structure violated.*wrote into memory that is not its own' && return
    echo "$*: status $status"
    cat said
    failed=1
}

# Events that there are not; deaths and loops that only VeriSoft itself can see.
for event in 13 77 100 101 102 103 4294967295; do
    spoilt $event,0,0,0,0,0,0,0,0
    spoilt threads $event,0,0,0,0,0,0,0,-1
done

# That the runtime gave up, in its name: then nothing is known of the program, and why is said.
for how in '' threads; do
    verisoft ./tells --output found -- $how 12,0,0,0,0,0,0,0,-1 > said 2>&1 < /dev/null
    is "status of a program that gives up in our name" 2 $?
    tr -s ' \n' ' ' < said | grep -q 'wrote into memory that is not its own' || { cat said; failed=1; }
done

# Processes with memory of their own have neither threads nor what these synchronise by.
for operation in 6,1,0,0,0 6,4,0,0,0 7,2,0,0,0 12,4,-1,-1,0 13,1,-1,-1,-1 14,2,0,1,0 0,8,0,0,0 0,10,63,0,0 0,12,0,0,0 0,18,355,0,0 \
    0,15,3,100000,0 0,1,64,0,0 0,2,11,0,0 0,3,0,0,0 0,5,99999,0,0 0,6,0,0,0 0,7,0,0,0 1,1,0,0,0 5,5,0,0,0 17,0,0,0,0 31,0,0,0,0; do
    spoilt 1,$operation,0,0,0
done

# In a group: no object where there must be one, and one where there is none; types that it has not; numbers beyond the ends of tables.
for operation in 6,1,0,0,0,0 5,1,2,0,0,0 12,2,0,1,0,0 1,0,1,0,0,77 2,0,1,0,0,77 3,0,1,0,0,77 0,8,0,0,0,77 4,1,1,0,0,77 18,0,0,0,0,77 \
    32,0,0,0,0,77 200,1,1,0,0,77 6,9,0,0,0,77 6,1,5,0,0,77 6,1,0,-1,0,77 6,1,0,65,0,77 6,1,0,1,0,77 5,1,-5,0,0,77 5,1,32768,0,0,77 \
    12,0,-1,0,0,77 12,2,32,1,0,77 12,2,0,-1,0,77 12,4,-1,-1,0,77 13,0,0,0,0,77 13,0,33,0,0,77 13,1,0,0,8,77 13,3,0,0,0,77 \
    14,0,-1,1,0,77 14,1,0,1,0,77 14,1,1,-1,0,77 0,10,64,0,0,0 0,10,-1,0,0,0 0,15,64,1,0,0 0,15,0,65,0,0 0,15,0,1000,2,0 0,15,0,-1,0,0 \
    0,18,512,-1,-1,0 0,18,639,-1,-1,0 0,2,11,0,0,0 0,5,99999,0,0,0 0,7,0,0,0,0 0,9,0,51202,0,0 0,24,4032,0,0,0 0,24,0,1,8,0 0,26,64,0,0,0 \
    0,26,0,65,0,0 0,26,0,0,16384,0; do
    spoilt threads 1,$operation,0,-1
done

# An array of two semaphores, a queue for two messages: then something larger.
for operation in 13,1,2,0,8 13,1,2,0,12 13,2,2,1,0 13,2,1,32768,0 13,2,1,-1,0 13,3,2,0,0 13,4,31,0,0 13,6,2,1,0 13,6,0,-2147483648,0 \
    13,7,1,32768,0; do
    spoilt threads 1,13,0,2,0,0,77,1,-1 1,$operation,77,0,-1
done
spoilt threads 1,5,2,2,0,0,77,0,-1 1,5,2,30000,0,0,77,1,-1
spoilt threads 1,5,2,30000,0,0,77,0,-1 1,5,2,2,0,0,77,1,-1

# A variable that must be visible, and is; that is to be one with what is none; without size.
for operation in 17,0,0,0,0,77 17,0,-1,0,0,77 17,0,0,1,0,77 17,0,0,2,0,77; do
    spoilt threads 11,$operation,0,-1
done

# How far it is in the batch.
for at in 0 2 5000 4294967295; do
    spoilt threads 1,6,1,0,0,0,77,1,$at
done
exit $failed
