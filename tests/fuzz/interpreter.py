"""Small programs with threads, and all that can happen when they run, found by trying everything.

A program is made of statements (the list below). It can be printed as C, with one statement a line, and it can be interpreted:
`outcomes` goes through every state that the threads can come to, by every interleaving, and says which errors there are. Nothing
here knows how VeriSoft works; what a call does is written down once more, from POSIX. So where the two differ, one is wrong.

Shared data is used under its own lock only (x[i] under mutex i, y[i] under rwlock i); so the order of the calls below
decides everything, and what is between two calls can be taken as one step.

    lock i, unlock i, trylock i A B         mutex i; A when it was free (and ends with unlock i), else B
    set i E                                 x[i] = E
    if i C A B                              on x[i], under its lock
    keep i; ifkept C A B                    v = x[i], under its lock; later, on v
    wait i C, waitonce i C                  while (or if) C holds of x[i]: pthread_cond_wait(c[i], m[i])
    signal i, broadcast i
    semwait k, sempost k, semtry k A B
    rdlock i, wrlock i, rwunlock i, sety i E, tryrd i A B, trywr i A B
    barrier k                               of two threads
    create t f, join t, detach t            thread variable t runs function f
    assert i C                              on x[i], under its lock
    exit, quick, leave                      exit(0), _exit(0), pthread_exit
    tell                                    the values of all x and y, an error for each: what was reached can so be compared
    kill t, raise                           SIGUSR1 to a thread, to oneself; its handler does sem_post on semaphore 0
    block, unblock, sigwait                 SIGUSR1 in the mask of the thread
E is one of EFFECTS, C one of TESTS with a number."""
# SPDX-License-Identifier: MIT

EFFECTS = {'++': lambda x: x + 1, '--': lambda x: x - 1, '*= 2': lambda x: x * 2, '^= 1': lambda x: x ^ 1, '= 1': lambda x: 1}
TESTS = {'==': lambda x, n: x == n, '<': lambda x, n: x < n, '>': lambda x, n: x > n, '!=': lambda x, n: x != n, '<=': lambda x, n: x <= n}
TOLD = 8                                 # outcomes that `tell` tells apart

class Program:
    """functions: lists of statements, by name; 'main' is the first thread. semaphores: their first values."""
    def __init__(self, functions, mutexes=2, rwlocks=1, semaphores=(0, 0), threads=4):
        self.functions, self.mutexes, self.rwlocks, self.semaphores, self.threads = functions, mutexes, rwlocks, semaphores, threads
        self.signals = any(s[0] in ('kill', 'raise', 'sigwait') for body in functions.values() for s in walk(body))

def walk(body):
    for s in body:
        yield s
        for part in s:
            if isinstance(part, list):
                yield from walk(part)

# ---- as instructions: a list for each function; a jump names the place in the list. The line is that of the C text ----

class Text:
    def __init__(self):
        self.lines = []
    def add(self, text):
        self.lines.append(text)
        return len(self.lines)

HEAD = '''#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>
static pthread_mutex_t m[4] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_cond_t c[4] = {PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER};
static pthread_rwlock_t r[2] = {PTHREAD_RWLOCK_INITIALIZER, PTHREAD_RWLOCK_INITIALIZER};
static pthread_barrier_t b[2];
static sem_t s[2];
static pthread_t t[8];
static sigset_t usr1;
static int x[4], y[2];'''

CALLS = {
    'lock': 'pthread_mutex_lock(&m[%d]);', 'unlock': 'pthread_mutex_unlock(&m[%d]);', 'signal': 'pthread_cond_signal(&c[%d]);',
    'broadcast': 'pthread_cond_broadcast(&c[%d]);', 'semwait': 'sem_wait(&s[%d]);', 'sempost': 'sem_post(&s[%d]);',
    'rdlock': 'pthread_rwlock_rdlock(&r[%d]);', 'wrlock': 'pthread_rwlock_wrlock(&r[%d]);', 'rwunlock': 'pthread_rwlock_unlock(&r[%d]);',
    'barrier': 'pthread_barrier_wait(&b[%d]);', 'join': 'pthread_join(t[%d], NULL);', 'detach': 'pthread_detach(t[%d]);',
    'kill': 'pthread_kill(t[%d], SIGUSR1);', 'raise': 'raise(SIGUSR1);', 'exit': 'exit(0);', 'quick': '_exit(0);',
    'leave': 'pthread_exit(NULL);', 'block': 'pthread_sigmask(SIG_BLOCK, &usr1, NULL);',
    'unblock': 'pthread_sigmask(SIG_UNBLOCK, &usr1, NULL);', 'sigwait': '{ int got; sigwait(&usr1, &got); }',
}
TRIES = {'trylock': 'pthread_mutex_trylock(&m[%d])', 'semtry': 'sem_trywait(&s[%d])',
         'tryrd': 'pthread_rwlock_tryrdlock(&r[%d])', 'trywr': 'pthread_rwlock_trywrlock(&r[%d])'}

class Compiler:
    def __init__(self, program):
        self.program, self.text, self.code = program, Text(), {}
        for line in HEAD.split('\n'):
            self.text.add(line)
        self.text.add('static void handler(int signal)')
        self.handler = [('sempost', self.text.add('{ (void)signal; sem_post(&s[0]); }'), 0), ('return', 0)]
        self.told = [self.outcome_line(i) for i in range(TOLD)]
        for name in program.functions:
            if name != 'main':
                self.text.add('static void *%s(void *);' % name)
        for name, body in program.functions.items():
            if name != 'main':
                self.function('static void *%s(void *v_)' % name, name, body)
        self.main()

    def outcome_line(self, i):
        self.text.add('static void told%d(void)' % i)
        return self.text.add('{ assert(!"outcome %d"); }' % i)

    def function(self, head, name, body):
        self.text.add(head)
        self.text.add('{ int v = 0; (void)v; (void)v_;')
        self.code[name] = []
        self.block(self.code[name], body)
        self.code[name].append(('return', self.text.add('return NULL; }')))

    def main(self):
        p = self.program
        self.text.add('int main(void)')
        self.text.add('{ int v = 0; (void)v;')
        self.text.add('for (int i = 0; i < 2; i++) { sem_init(&s[i], 0, i ? %d : %d); pthread_barrier_init(&b[i], NULL, 2); }'
                      % (p.semaphores[1], p.semaphores[0]))
        self.text.add('struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};')
        self.text.add('sigemptyset(&usr1); sigaddset(&usr1, SIGUSR1);%s' % (' sigaction(SIGUSR1, &action, NULL);' if p.signals else ' (void)action;'))
        self.code['main'] = []
        self.block(self.code['main'], p.functions['main'])
        self.code['main'].append(('exit', self.text.add('return 0; }')))

    def block(self, code, body):
        for s in body:
            self.statement(code, *s)

    def two(self, code, head, test, a, b):               # test: an instruction that goes on, or jumps to the place put behind it
        line = self.text.add(head + ' {')
        at = len(code)
        code.append(None)
        self.block(code, a)
        end = len(code)
        code.append(None)
        self.text.add('} else {')
        code[at] = (test[0], line) + test[1:] + (len(code),)
        self.block(code, b)
        self.text.add('}')
        code[end] = ('jump', line, len(code))

    def statement(self, code, kind, *a):
        add = self.text.add
        if kind in ('set', 'sety'):
            variable = 'xy'[kind == 'sety']
            code.append((kind, add('%s[%d]%s;' % (variable, a[0], a[1] if a[1] in ('++', '--') else ' ' + a[1])), *a))
        elif kind in ('if', 'ifkept'):
            i, test, n, then, other = a if kind == 'if' else (None,) + a
            self.two(code, 'if (%s %s %d)' % ('v' if i is None else 'x[%d]' % i, test, n), (kind, i, test, n), then, other)
        elif kind in TRIES:
            self.two(code, 'if (%s == 0)' % (TRIES[kind] % a[0]), (kind, a[0]), a[1], a[2])
        elif kind == 'keep':
            code.append((kind, add('v = x[%d];' % a[0]), *a))
        elif kind in ('wait', 'waitonce'):
            i, test, n = a
            line = add('%s (x[%d] %s %d) pthread_cond_wait(&c[%d], &m[%d]);' % ('while' if kind == 'wait' else 'if', i, test, n, i, i))
            at = len(code)
            code += [('if', line, i, test, n, at + 4), ('enter', line, i), ('wake', line, i), ('jump', line, at if kind == 'wait' else at + 4)]
        elif kind == 'create':
            code.append((kind, add('pthread_create(&t[%d], NULL, %s, NULL);' % a), *a))
        elif kind == 'assert':
            code.append((kind, add('assert(x[%d] %s %d);' % a), *a))
        elif kind == 'tell':
            self.tell(code)
        else:
            code.append((kind, add(CALLS[kind] % a), *a))

    def tell(self, code):
        self.text.add('v = 0;')
        code.append(('clear', 0))
        for i in range(self.program.mutexes):
            self.statement(code, 'lock', i)
            self.text.add('v = v * 5 + x[%d];' % i)
            code.append(('add', 0, 'x', i))
            self.statement(code, 'unlock', i)
        for i in range(self.program.rwlocks):
            self.statement(code, 'rdlock', i)
            self.text.add('v = v * 5 + y[%d];' % i)
            code.append(('add', 0, 'y', i))
            self.statement(code, 'rwunlock', i)
        self.text.add('void (*const told[])(void) = {%s};' % ', '.join('told%d' % i for i in range(TOLD)))
        self.text.add('told[v & %d]();' % (TOLD - 1))
        code.append(('told', 0))

# ---- what can happen ----

class Thread:
    FIELDS = ('function', 'at', 'v', 'woken', 'passed', 'ended', 'detached', 'joined', 'pending', 'blocked', 'after')
    def __init__(self, function, blocked=False):
        self.function, self.at, self.v = function, 0, 0
        self.woken = False           # by a signal of the condition variable before which it stands
        self.passed = False          # the barrier before which it stands
        self.ended = self.detached = self.joined = False
        self.pending, self.blocked = False, blocked              # SIGUSR1
        self.after = None            # in the handler: (function, at) to which it returns
    def copy(self):
        other = Thread.__new__(Thread)
        other.__dict__.update(self.__dict__)
        return other
    def key(self):
        return tuple(self.__dict__[f] for f in self.FIELDS)

class State:
    def __init__(self, program):
        self.x, self.y = [0] * 4, [0] * 2
        self.owner = [None] * 4                      # of each mutex
        self.waiting = [frozenset()] * 4             # at each condition variable
        self.semaphores = list(program.semaphores)
        self.writer, self.readers = [None] * 2, [()] * 2
        self.arrived = [frozenset()] * 2             # at each barrier
        self.variables = [None] * 8                  # which thread t[i] is
        self.threads = [Thread('main')]
        self.over = False                            # the whole program has ended
    def copy(self):
        other = State.__new__(State)
        for name, value in self.__dict__.items():
            other.__dict__[name] = list(value) if isinstance(value, list) else value
        other.threads = [t.copy() for t in self.threads]
        return other
    def key(self):
        return (tuple(self.x), tuple(self.y), tuple(self.owner), tuple(self.waiting), tuple(self.semaphores), tuple(self.writer),
                tuple(self.readers), tuple(self.arrived), tuple(self.variables), tuple(t.key() for t in self.threads), self.over)

VISIBLE = {'lock', 'unlock', 'trylock', 'enter', 'wake', 'signal', 'broadcast', 'semwait', 'sempost', 'semtry', 'rdlock', 'wrlock',
           'rwunlock', 'tryrd', 'trywr', 'barrier', 'create', 'join', 'detach', 'kill', 'raise', 'block', 'unblock', 'sigwait',
           'exit', 'quick', 'leave', 'return'}

class TooLarge(Exception):
    pass

class Interpreter:
    def __init__(self, compiler, spurious=False, most=20000):
        self.code = dict(compiler.code)
        self.code['handler'] = compiler.handler
        self.told, self.program, self.spurious, self.most = compiler.told, compiler.program, spurious, most
        self.found = set()           # ('assertion', line), ('deadlock', lines where the threads stand)
        self.states = 0

    def instruction(self, t):
        return self.code[t.function][t.at]

    def outcomes(self):
        first = State(self.program)
        self.go_on(first, first.threads[0])
        seen, open_states = {first.key()}, [first]
        while open_states:
            state = open_states.pop()
            self.states += 1
            if self.states > self.most:
                raise TooLarge()
            nexts = [] if state.over else self.nexts(state)
            if not nexts and not state.over:
                self.no_way_on(state)
            for n in nexts:
                key = n.key()
                if key not in seen:
                    seen.add(key)
                    open_states.append(n)
        return self.found

    def no_way_on(self, state):
        stand = [self.instruction(t)[1] for t in state.threads if not t.ended]
        if stand:
            self.found.add(('deadlock', tuple(sorted(stand))))

    def go_on(self, state, t):
        """Up to the next visible instruction. What is between two of them nobody else can see."""
        while not t.ended and not state.over:
            kind, line, *a = self.instruction(t)
            if kind in VISIBLE:
                return
            t.at += 1
            if kind == 'set': state.x[a[0]] = EFFECTS[a[1]](state.x[a[0]])
            elif kind == 'sety': state.y[a[0]] = EFFECTS[a[1]](state.y[a[0]])
            elif kind == 'keep': t.v = state.x[a[0]]
            elif kind == 'clear': t.v = 0
            elif kind == 'add': t.v = t.v * 5 + (state.x if a[0] == 'x' else state.y)[a[1]]
            elif kind == 'jump': t.at = a[0]
            elif kind in ('if', 'ifkept'):
                if not TESTS[a[1]](t.v if kind == 'ifkept' else state.x[a[0]], a[2]):
                    t.at = a[3]
            elif kind == 'assert':
                if not TESTS[a[1]](state.x[a[0]], a[2]):
                    self.fails(state, line)
            elif kind == 'told':
                self.fails(state, self.told[t.v & (TOLD - 1)])

    def fails(self, state, line):                # the program is aborted
        self.found.add(('assertion', line))
        state.over = True

    def nexts(self, state):
        """All states that come next: a thread takes its step, in each way in which it can; or a signal is delivered."""
        result = []
        for number, t in enumerate(state.threads):
            if t.ended:
                continue
            if t.pending and not t.blocked:              # a signal interrupts its thread at once
                n = state.copy()
                self.deliver(n.threads[number])
                result.append(n)
                continue
            for way in self.ways(state, number, t):
                n = state.copy()
                self.step(n, number, n.threads[number], way)
                result.append(n)
        return result

    def deliver(self, t):
        t.pending, t.after = False, (t.function, t.at)
        t.function, t.at, t.blocked = 'handler', 0, True         # while it runs, its own signal waits

    def ways(self, state, number, t):
        """In which ways the thread can take its step; none: it is blocked."""
        kind, line, *a = self.instruction(t)
        i = a[0] if a else None
        if kind == 'lock': return [0] if state.owner[i] is None else []
        if kind == 'wake':
            if t.woken: return ['signalled'] if state.owner[i] is None else []
            return ['spurious'] if self.spurious and state.owner[i] is None else []
        if kind == 'signal': return sorted(state.waiting[i]) or [None]
        if kind == 'semwait': return [0] if state.semaphores[i] > 0 else []
        if kind == 'rdlock': return [0] if state.writer[i] is None else []
        if kind == 'wrlock': return [0] if state.writer[i] is None and not state.readers[i] else []
        if kind == 'barrier': return [0] if t.passed or number not in state.arrived[i] else []
        if kind == 'join': return [0] if state.threads[state.variables[i]].ended else []
        if kind == 'sigwait': return [0] if t.pending else []
        return [0]

    def step(self, state, number, t, way):
        kind, line, *a = self.instruction(t)
        i = a[0] if a else None
        t.at += 1
        getattr(self, 'do_' + kind)(state, number, t, i, a, way)
        if not state.over:
            self.go_on(state, t)

    def do_lock(self, state, number, t, i, a, way): state.owner[i] = number
    def do_unlock(self, state, number, t, i, a, way): state.owner[i] = None
    def do_trylock(self, state, number, t, i, a, way):
        if state.owner[i] is None: state.owner[i] = number
        else: t.at = a[1]

    def do_enter(self, state, number, t, i, a, way):
        state.owner[i], t.woken = None, False
        state.waiting[i] |= {number}
    def do_wake(self, state, number, t, i, a, way):
        state.waiting[i] -= {number}
        state.owner[i], t.woken = number, False
    def do_signal(self, state, number, t, i, a, way):
        if way is not None:
            state.threads[way].woken = True
            state.waiting[i] -= {way}
    def do_broadcast(self, state, number, t, i, a, way):
        for other in state.waiting[i]:
            state.threads[other].woken = True
        state.waiting[i] = frozenset()

    def do_semwait(self, state, number, t, i, a, way): state.semaphores[i] -= 1
    def do_sempost(self, state, number, t, i, a, way): state.semaphores[i] += 1
    def do_semtry(self, state, number, t, i, a, way):
        if state.semaphores[i]: state.semaphores[i] -= 1
        else: t.at = a[1]

    def do_rdlock(self, state, number, t, i, a, way): state.readers[i] = tuple(sorted(state.readers[i] + (number,)))
    def do_wrlock(self, state, number, t, i, a, way): state.writer[i] = number
    def do_tryrd(self, state, number, t, i, a, way):
        if state.writer[i] is None: self.do_rdlock(state, number, t, i, a, way)
        else: t.at = a[1]
    def do_trywr(self, state, number, t, i, a, way):
        if state.writer[i] is None and not state.readers[i]: state.writer[i] = number
        else: t.at = a[1]
    def do_rwunlock(self, state, number, t, i, a, way):
        if state.writer[i] == number: state.writer[i] = None
        else:
            readers = list(state.readers[i])
            readers.remove(number)
            state.readers[i] = tuple(readers)

    def do_barrier(self, state, number, t, i, a, way):
        if t.passed:
            t.passed = False
        elif state.arrived[i]:                       # the second: both may go on
            for other in state.arrived[i]:
                state.threads[other].passed = True
            state.arrived[i] = frozenset()
        else:
            state.arrived[i] = frozenset({number})
            t.at -= 1

    def do_create(self, state, number, t, i, a, way):
        new = Thread(a[1], t.blocked)
        state.variables[i] = len(state.threads)
        state.threads.append(new)
        self.go_on(state, new)
    def do_join(self, state, number, t, i, a, way): state.threads[state.variables[i]].joined = True
    def do_detach(self, state, number, t, i, a, way): state.threads[state.variables[i]].detached = True

    def do_kill(self, state, number, t, i, a, way):
        other = state.threads[state.variables[i]]
        other.pending = other.pending or not other.ended
    def do_raise(self, state, number, t, i, a, way):
        if t.blocked: t.pending = True
        else: self.deliver(t)
    def do_block(self, state, number, t, i, a, way): t.blocked = True
    def do_unblock(self, state, number, t, i, a, way):
        t.blocked = False
        if t.pending: self.deliver(t)
    def do_sigwait(self, state, number, t, i, a, way): t.pending = False

    def do_exit(self, state, number, t, i, a, way): state.over = True
    do_quick = do_exit
    def do_leave(self, state, number, t, i, a, way):
        t.ended = True
        t.pending = False
        state.over = all(other.ended for other in state.threads)
    def do_return(self, state, number, t, i, a, way):
        if t.after is None:
            self.do_leave(state, number, t, i, a, way)
        else:
            (t.function, t.at), t.after, t.blocked = t.after, None, False
