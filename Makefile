# SPDX-License-Identifier: MIT
# make            builds build/verisoft and all it needs
# make demo       finds a real bug in an example and tells its story
# make check      builds with warnings as errors and runs all tests; make check SAN=address,undefined with sanitizers;
#                 make check TESTS="unit/ command/house" those whose name contains one of these words
# make checked    builds build/verisoft-checked, which looks at all invariants after every step of a search; a part of make check uses it
# make fresh      demo and check on a fresh Debian in a folder, as root: make fresh DIST=trixie WHO=user CC=clang
# make bench      speed, side by side with yardsticks; extraction; the errors of the telephone switch; certificates; the farm
# make fuzz       random programs and file readers, as many as you like: make fuzz PROGRAMS=100000 SECONDS=60
# make page       the simulator's page again, if it was left out for want of Node.js or of the network
# make install    PREFIX=/usr/local
# make deps       installs what is missing (Debian, Ubuntu), or says what to install
# V=1 shows the commands.

PREFIX   ?= /usr/local
PROGRAMS ?= 100000
SECONDS  ?= 60

# As many at once as there are processors, unless one says otherwise.
ifeq ($(filter -j% --jobserver%,$(MAKEFLAGS)),)
  MAKEFLAGS += -j$(shell nproc)
endif

ifneq ($(SAN),)
  B      := build/san
  SANITY := -fsanitize=$(SAN) -fno-sanitize-recover=all -fno-omit-frame-pointer
else
  B      := build
endif
ifneq ($(filter check,$(MAKECMDGOALS)),)
  WERROR := -Werror
endif

# -Wno-gnu-... is of clang, about what gcc takes: the head of the shared memory is kept as a copy, without what follows it.
WARN     := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wno-gnu-variable-sized-type-not-at-end $(WERROR)
CFLAGS   ?= -O2 -g
ALL      := -std=gnu11 $(WARN) $(CFLAGS) $(SANITY) -Iinclude -Isrc -I.
LIBS     := -lxxhash -ljansson -lmicrohttpd -ldw -lelf -lzstd -ldl -lm

# The database of properties needs SQLite, and its accounts the C library's companion for passwords; where one is not installed, the farm alone is left out.
SQLITE   := $(if $(and $(wildcard /usr/include/sqlite3.h),$(wildcard /usr/include/crypt.h)),yes)
ifeq ($(SQLITE),yes)
  LIBS   += -lsqlite3 -lcrypt
  $(B)/src/cli/farm.o: ALL += -DHAVE_SQLITE
endif

SOURCES  := $(filter-out $(if $(SQLITE),,src/cli/farm_%.c farm/%.c),$(wildcard src/*/*.c simulator/*.c extractor/*.c certifier/*.c suite/*.c web/*.c farm/*.c))
OBJECTS  := $(SOURCES:%.c=$(B)/%.o)
LIBRARY  := $(filter-out $(B)/src/cli/main.o,$(OBJECTS)) build/page.o
RUNTIME  := $(patsubst %.c,build/%.o,$(filter-out runtime/probe.c runtime/hooks.c runtime/near.c runtime/loader.c,$(wildcard runtime/*.c)))
UNITS    := $(patsubst %.c,$(B)/%,$(filter-out $(if $(SQLITE),,tests/unit/farm%.c),$(wildcard tests/unit/*.c)))
UNITLIB  := $(patsubst %.c,$(B)/%.o,$(wildcard tests/unit/lib/*.c))

# What walks, once more, with a look at all invariants after every step; the rest is as it is.
WALKING  := $(filter $(B)/src/search/% $(B)/src/system/%,$(OBJECTS))
CHECKED  := $(WALKING:$(B)/src/%=$(B)/checked/%)
CHECKERS := $(addprefix $(B)/tests/checked/,abroad aside cache differential foresight optimal philosophers)

# Model extraction parses C with libclang, in a program of its own; where that is not installed, it alone is left out.
LLVM      := $(or $(LLVM_CONFIG),$(firstword $(shell ls -d /usr/lib/llvm-*/include/clang-c 2> /dev/null | sort -Vr | sed 's|/include/clang-c||')))
CLANG_INC := $(LLVM)/include
CLANG_LIB := -L$(LLVM)/lib -Wl,-rpath,$(LLVM)/lib -lclang
PARSER    := $(if $(LLVM),$(B)/verisoft-extract)
PARSES    := $(patsubst %.c,$(B)/%.o,$(wildcard extractor/clang/*.c))
PARTS     := $(addprefix $(B)/,extractor/at.o extractor/at_flow.o extractor/token.o \
             $(patsubst %.c,%.o,$(filter-out src/base/texts.c,$(wildcard src/base/*.c))))

BINDINGS := $(addprefix $(B)/drivers/,verisoft.py VeriSoft.pm verisoft.js)

ifeq ($(V),)
  say = @echo "  $(1)";
endif

.PHONY: all checked tested page libraries tools deps demo check fresh bench fuzz install clean FORCE
all: $(B)/verisoft $(B)/verisoft-rt.o $(B)/libverisoft.so $(B)/libverisoft-hooks.so $(B)/verisoft-near.o $(B)/verisoft-loader $(B)/verisoft.specs $(B)/verisoft.1 $(B)/drivers/vs $(BINDINGS) $(PARSER)

$(B)/verisoft: $(OBJECTS) build/page.o
	$(call say,LD $@)$(CC) $(SANITY) $(LDFLAGS) -o $@ $^ $(LIBS)

$(PARSES): $(B)/%.o: %.c | build/deps
	@mkdir -p $(@D)
	$(call say,CC $<)$(CC) $(ALL) -isystem $(CLANG_INC) -MMD -MP -c -o $@ $<

$(B)/verisoft-extract: $(PARSES) $(PARTS)
	$(call say,LD $@)$(CC) $(SANITY) $(LDFLAGS) -o $@ $^ $(CLANG_LIB)

$(B)/verisoft.1: $(B)/verisoft
	$(call say,MAN $@)$< man > $@.new && mv $@.new $@

$(OBJECTS) $(UNITLIB): $(B)/%.o: %.c | build/deps
	@mkdir -p $(@D)
	$(call say,CC $<)$(CC) $(ALL) $(FASTER) -Itests/unit/lib -MMD -MP -c -o $@ $<

# What the command is made of, for scripts that link it with something else.
$(B)/src/cli/farm.o: build/parts
build/parts: FORCE
	@mkdir -p $(@D)
	@printf "sources='%s'\nlibraries='%s'\nsqlite='%s'\n" "$(filter-out src/cli/main.c,$(SOURCES))" "$(LIBS)" "$(SQLITE)" > $@.new
	@cmp -s $@.new $@ && rm $@.new || mv $@.new $@

ifeq ($(SAN),)
$(filter $(B)/src/search/% $(B)/src/system/%,$(OBJECTS)): FASTER := -O3      # here the time goes
endif

$(UNITS): $(B)/%: %.c $(UNITLIB) $(LIBRARY)
	@mkdir -p $(@D)
	$(call say,LD $@)$(CC) $(ALL) -Itests/unit/lib -MMD -MP -o $@ $< $(UNITLIB) $(LIBRARY) $(LDFLAGS) $(LIBS)

checked: all $(B)/verisoft-checked $(CHECKERS)

$(CHECKED): $(B)/checked/%.o: src/%.c | build/deps
	@mkdir -p $(@D)
	$(call say,CC $< CHECKED)$(CC) $(ALL) -O1 -DCHECKED -MMD -MP -c -o $@ $<

$(B)/verisoft-checked: $(filter-out $(WALKING),$(OBJECTS)) $(CHECKED) build/page.o
	$(call say,LD $@)$(CC) $(SANITY) $(LDFLAGS) -o $@ $^ $(LIBS)

$(CHECKERS): $(B)/tests/checked/%: tests/unit/%.c $(UNITLIB) $(filter-out $(WALKING),$(LIBRARY)) $(CHECKED)
	@mkdir -p $(@D)
	$(call say,LD $@)$(CC) $(ALL) -Itests/unit/lib -MMD -MP -o $@ $< $(filter %.o,$^) $(LDFLAGS) $(LIBS)

# Guesses are made wrong on purpose, where a test asks for it (tests/unit/lib/mischief.h).
$(UNITS) $(CHECKERS): LDFLAGS += -Wl,--wrap=guess_where,--wrap=guess_common,--wrap=guess_like

# The runtime goes into the program under test: never with a sanitizer, and without line numbers, so that a debugger and the
# places in reports stay in the program's own source.
$(RUNTIME): build/%.o: %.c | build/deps build/runtime/probed
	@mkdir -p $(@D)
	$(call say,CC $<)$(CC) -std=gnu11 $(WARN) -O2 -Iinclude -fPIC -fno-omit-frame-pointer -fno-stack-protector -fvisibility=hidden \
	    -fcf-protection=none $(UNWIND) -MMD -MP -c -o $@ $<

# Is the C library one that the runtime knows?
build/runtime/probed: runtime/probe.c runtime/insides.h | build/deps
	@mkdir -p $(@D)
	$(call say,PROBE the C library)$(CC) -std=gnu11 $(WARN) -O1 -o build/runtime/probe $< -ldl && build/runtime/probe && touch $@

build/runtime/once.o: UNWIND := -fexceptions     # what the program is to do once may throw

# Every function that the program can call gets a door in front of it (runtime/door.inc says why): the function itself is
# renamed, and the door takes its name. Not so malloc and its like: they stand before no operation, but are called often.
NODOOR := _Z[nd].*|malloc|calloc|realloc|reallocarray|free|free_sized|free_aligned_sized|memalign|aligned_alloc|posix_memalign|valloc|pvalloc|malloc_usable_size
build/runtime/inside.o: $(RUNTIME)
	$(call say,LD $@)$(LD) -r -o $@ $^
build/runtime/doors.o: build/runtime/inside.o runtime/door.inc
	@nm -g --defined-only $< | awk '$$2 ~ /[TW]/ && $$3 !~ /^rt_/ { print $$3 }' > build/runtime/all.names
	@grep -vxE '$(NODOOR)' build/runtime/all.names > build/runtime/doors.names
	@nm --defined-only $< | sed -n 's/.* rt_given_\(.*\)/\1/p' > build/runtime/given.names
	$(call say,AS $@){ echo '.include "runtime/door.inc"'; sed -E 's/^__(tsan|wrap|atomic)_/watched &/; t; s/^/door /' build/runtime/doors.names | \
	    awk 'FILENAME == ARGV[1] { given[$$1] = 1; next } { $$1 = $$2 in given ? "telling" : $$1; print }' build/runtime/given.names -; } | $(CC) -x assembler -c -o $@ -

# Where the linker puts the runtime's copies in the place of the C library's (--wrap), the runtime itself still means those: by their versions.
OF_LIBC_NAMES := memmove memset memcmp strlen strcmp strncmp strchr strrchr memchr strnlen strstr strdup atoi atol atof strtol strtoul strtod strtok_r qsort puts \
    fputs fwrite printf fprintf vprintf vfprintf snprintf vsnprintf strncpy sigemptyset sigfillset sigaddset sigdelset sigismember getopt getopt_long \
    getenv ftok perror setlocale pthread_attr_init pthread_attr_destroy pthread_mutexattr_init \
    pthread_mutexattr_destroy pthread_condattr_init pthread_condattr_destroy pthread_rwlockattr_init pthread_rwlockattr_destroy \
    pthread_barrierattr_init pthread_barrierattr_destroy pthread_attr_setdetachstate pthread_attr_getdetachstate pthread_attr_setguardsize \
    pthread_attr_getguardsize pthread_attr_setinheritsched pthread_attr_getinheritsched pthread_attr_setschedpolicy pthread_attr_getschedpolicy \
    pthread_attr_setscope pthread_attr_getscope pthread_attr_setstacksize pthread_attr_getstacksize pthread_mutexattr_settype \
    pthread_mutexattr_gettype pthread_mutexattr_setpshared pthread_mutexattr_getpshared pthread_condattr_setpshared pthread_condattr_getpshared \
    pthread_rwlockattr_setpshared pthread_rwlockattr_getpshared pthread_rwlockattr_setkind_np pthread_rwlockattr_getkind_np pthread_barrierattr_setpshared
OF_LIBC := 'memcpy memcpy@GLIBC_2.14' $(foreach name,$(OF_LIBC_NAMES),'$(name) $(name)@GLIBC_2.2.5') $(foreach name,vfprintf vsnprintf,'__$(name)_chk __$(name)_chk@GLIBC_2.3.4') \
    $(foreach name,strtol strtoul,'__isoc23_$(name) __isoc23_$(name)@GLIBC_2.38') \
    $(foreach name,secure_getenv,'$(name) $(name)@GLIBC_2.17') \
    $(foreach name,pthread_mutexattr_setrobust pthread_mutexattr_getrobust,'$(name) $(name)@GLIBC_2.12') \
    $(foreach name,pthread_mutexattr_setprotocol pthread_mutexattr_getprotocol pthread_mutexattr_setprioceiling pthread_mutexattr_getprioceiling,'$(name) $(name)@GLIBC_2.4') \
    $(foreach name,pthread_condattr_setclock pthread_condattr_getclock pthread_barrierattr_getpshared,'$(name) $(name)@GLIBC_2.3.3')

$(B)/verisoft-rt.o: build/runtime/inside.o build/runtime/doors.o Makefile
	@mkdir -p $(@D)
	@{ sed 's/.*/& rt_behind_&/' build/runtime/doors.names; printf '%s\n' $(OF_LIBC); } > build/runtime/doors.map
	@nm build/runtime/inside.o | awk '$$2 ~ /^[bdr]$$/ { print $$3 }' > build/runtime/data.names      # a program's variables may be called so, too
	@objcopy --redefine-syms=build/runtime/doors.map --strip-unneeded-symbols=build/runtime/data.names build/runtime/inside.o build/runtime/renamed.o
	$(call say,LD $@)$(LD) -r -o $@ build/runtime/renamed.o build/runtime/doors.o

# The same for a program that is not compiled by us: it is preloaded. Only what the program can call is seen from outside.
$(B)/libverisoft.so: $(B)/verisoft-rt.o
	@{ echo '{ global:'; sed 's/$$/;/' build/runtime/all.names; echo 'local: *; };'; } > build/runtime/exports
	$(call say,LD $@)$(CC) -shared -Wl,-z,now -Wl,-soname,libverisoft.so -Wl,--version-script=build/runtime/exports -o $@ $<

# What a program that was made by `verisoft cc` runs with by itself; it is known by where it lies, so it has no other name. And what gcc is
# told for that: the flags go to the compiler proper alone, for with them the driver would link the sanitizer's own library.
$(B)/libverisoft-hooks.so: runtime/hooks.c runtime/accessed.inc runtime/named.inc | build/deps
	@mkdir -p $(@D)
	$(call say,LD $@)$(CC) -std=gnu11 $(WARN) -O2 -fPIC -fvisibility=hidden -fcf-protection=none -shared -o $@ $<
$(B)/verisoft-near.o: runtime/near.c | build/deps
	@mkdir -p $(@D)
	$(call say,CC $@)$(CC) -std=gnu11 $(WARN) -O2 -fPIC -fno-plt -fcf-protection=none -fno-lto -c -o $@ $<
# Several executables, in one.
$(B)/verisoft-loader: runtime/loader.c | build/deps
	@mkdir -p $(@D)
	$(call say,LD $@)$(CC) -std=gnu11 $(WARN) -O2 -fPIC -o $@ $< -ldl
$(B)/verisoft.specs: runtime/verisoft.specs
	@mkdir -p $(@D)
	@cp $< $@

# What drivers of a suite use.
$(B)/drivers/vs: suite/drivers/vs.c include/verisoft-driver.h | build/deps
	@mkdir -p $(@D)
	$(call say,LD $@)$(CC) -std=gnu11 $(WARN) -O2 -Iinclude -o $@ $<
$(BINDINGS): $(B)/drivers/%: suite/drivers/%
	@mkdir -p $(@D)
	@cp $< $@

# The simulator's page is bundled by Node.js and goes into the command, which then needs neither Node.js nor the network.
# Where it cannot be bundled it is left out, and the script says so; all else is built.
PAGE := $(shell find simulator/page web/page farm/page -name node_modules -prune -o -type f -print 2> /dev/null)
build/page/.done: simulator/bundle $(PAGE) build/page.node
	$(call say,PAGE build/page)simulator/bundle build/page
build/page.o: build/page/.done simulator/embed
	$(call say,AS $@)simulator/embed build/page > build/page.s && $(CC) -c -o $@ build/page.s
build/page.node: FORCE | $(if $(filter check deps,$(MAKECMDGOALS)),tools)
	@mkdir -p $(@D)
	@for tool in node npm; do command -v $$tool; done > $@.new; cmp -s $@.new $@ && rm $@.new || mv $@.new $@
page:
	@rm -f build/page/.done
	@$(MAKE) --no-print-directory

-include $(OBJECTS:.o=.d) $(CHECKED:.o=.d) $(CHECKERS:=.d) $(PARSES:.o=.d) $(RUNTIME:.o=.d) $(UNITLIB:.o=.d) $(UNITS:=.d)

# What a plain build needs; looked for once, by trying.
DEPS := libxxhash-dev libjansson-dev libmicrohttpd-dev libdw-dev libzstd-dev
build/deps: Makefile
	@mkdir -p build
	@printf '#include <%s>\n' xxhash.h jansson.h microhttpd.h elfutils/libdwfl.h zstd.h | sed '$$a int main(void) { return 0; }' \
	    | $(CC) -x c - -o build/deps.try $(LIBS) 2> build/deps.log || $(MAKE) libraries
	@rm -f build/deps.try && touch $@

# Somebody else (a daily update) may be at it: the lists are tried again for five minutes, and the packages wait as long.
APT := for try in $$(seq 30); do apt-get update -qq 2> build/apt.log && break; grep -q 'Could not get lock' build/apt.log || break; sleep 10; done; \
       cat build/apt.log; DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 install -y -qq
libraries:
	@mkdir -p build
	@if [ "$$(id -u)" = 0 ] && command -v apt-get > /dev/null; then \
	    { $(APT) gcc libc6-dev $(DEPS); } > build/deps.log 2>&1 || { tail -3 build/deps.log; exit 1; }; \
	else \
	    echo "VeriSoft needs some libraries to build. Please install them and try again, for instance:" >&2; \
	    echo "    sudo apt-get install gcc make $(DEPS)" >&2; exit 1; \
	fi

# What the simulator's page is bundled with, the simulator and the extraction of models ask, and the tests use: by the name of the
# command or of a file, for a package may have another source than Debian. All goes on without them.
TOOLS := c++:g++ zstd:zstd python3:python3 node:nodejs npm:npm gdb:gdb chromium:chromium curl:curl spin:spin clang:clang /usr/lib/llvm-*/include/clang-c:libclang-dev /usr/include/sqlite3.h:libsqlite3-dev /usr/include/crypt.h:libcrypt-dev git:git
tools: | build/deps     # two installations at the same time would be in each other's way
	@mkdir -p build
	@missing=; for tool in $(TOOLS); do command -v $${tool%:*} > /dev/null || ls -d $${tool%:*} > /dev/null 2>&1 || missing="$$missing $${tool#*:}"; done; \
	if [ -z "$$missing" ]; then :; \
	elif [ "$$(id -u)" = 0 ] && command -v apt-get > /dev/null; then \
	    { $(APT) $$missing; } > build/tools.log 2>&1 || { tail -3 build/tools.log; echo "not installed:$$missing" >&2; }; \
	else \
	    echo "The simulator, the extraction of models and their tests use more: sudo apt-get install$$missing" >&2; \
	fi

deps: build/deps tools

demo: all
	@echo '$$ cat examples/ac-controller/main.c       # an air-conditioning controller, from the manual of 2001'
	@sed -n '/^void AC_controller()$$/,/^}/p' examples/ac-controller/main.c
	@echo
	@echo '$$ build/verisoft examples/ac-controller/main.c'
	@build/verisoft --output build/demo examples/ac-controller/main.c || [ $$? = 1 ]

# Once more when the tools have come, by which parts are built that were left out.
tested: all $(UNITS) checked
check: tested | tools
	@[ -n "$(PARSER)" ] && [ -n "$(SQLITE)" ] || $(MAKE) --no-print-directory tested
	@B=$(B) SAN=$(SAN) tests/run $(TESTS)

fresh:
	@DIST="$(DIST)" WHO="$(WHO)" MIRROR="$(MIRROR)" TESTS="$(TESTS)" CC="$(if $(filter default,$(origin CC)),,$(CC))" tests/fresh

$(B)/bench/recorded: bench/recorded.c $(LIBRARY)
	@mkdir -p $(@D)
	$(call say,LD $@)$(CC) $(ALL) -o $@ $^ $(LDFLAGS) $(LIBS)

bench: all $(B)/bench/recorded
	@status=0; for part in run models switch certification farm; do bench/$$part || status=1; done; exit $$status

fuzz: all $(UNITS)
	@tests/fuzz/run $(PROGRAMS) $(SECONDS)

install: all
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/lib/verisoft $(DESTDIR)$(PREFIX)/include/verisoft \
	    $(DESTDIR)$(PREFIX)/share/man/man1
	install -m 755 $(B)/verisoft $(DESTDIR)$(PREFIX)/bin/verisoft
	install -m 644 $(B)/verisoft-rt.o $(DESTDIR)$(PREFIX)/lib/verisoft/verisoft-rt.o
	install -m 755 $(B)/libverisoft.so $(DESTDIR)$(PREFIX)/lib/verisoft/libverisoft.so
	install -m 755 $(B)/libverisoft-hooks.so $(DESTDIR)$(PREFIX)/lib/verisoft/libverisoft-hooks.so
	install -m 644 $(B)/verisoft-near.o $(DESTDIR)$(PREFIX)/lib/verisoft/verisoft-near.o
	install -m 755 $(B)/verisoft-loader $(DESTDIR)$(PREFIX)/lib/verisoft/verisoft-loader
	install -m 644 $(B)/verisoft.specs $(DESTDIR)$(PREFIX)/lib/verisoft/verisoft.specs
	install -d $(DESTDIR)$(PREFIX)/lib/verisoft/drivers
	install -m 755 $(B)/drivers/vs $(DESTDIR)$(PREFIX)/lib/verisoft/drivers/vs
	install -m 644 $(BINDINGS) $(DESTDIR)$(PREFIX)/lib/verisoft/drivers
	$(if $(PARSER),install -m 755 $(PARSER) $(DESTDIR)$(PREFIX)/lib/verisoft/verisoft-extract)
	install -m 644 $(filter-out include/wire.h,$(wildcard include/*.h)) $(DESTDIR)$(PREFIX)/include/verisoft
	install -m 644 $(B)/verisoft.1 $(DESTDIR)$(PREFIX)/share/man/man1/verisoft.1

clean:
	rm -rf build
