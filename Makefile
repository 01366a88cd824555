# highwater: build, test, reproduce.  `make help` lists the targets.

VERSION := 0.1.0
SOVERSION := 0

BUILD ?= build
PREFIX ?= /usr/local
DESTDIR ?=
# SANITIZE=1 builds with the address, undefined-behaviour and leak sanitizers;
# COVERAGE=1 for gcovr.  Each in a folder of its own.
SANITIZE ?=
COVERAGE ?=

ifeq ($(origin CC),default)
CC := gcc
endif
OPTIMIZE ?= -O2
WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wconversion
STANDARD := -std=c11 -D_POSIX_C_SOURCE=200809L -D_XOPEN_SOURCE=700
LIBRARIES := igraph gsl jansson libmd

OUT := $(BUILD)
EXTRA_CFLAGS :=
EXTRA_LDFLAGS :=
ifneq ($(SANITIZE),)
OUT := $(BUILD)/sanitize
EXTRA_CFLAGS += -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
EXTRA_LDFLAGS += -fsanitize=address,undefined
endif
ifneq ($(COVERAGE),)
OUT := $(BUILD)/coverage
OPTIMIZE := -O1
EXTRA_CFLAGS += --coverage -fprofile-abs-path
EXTRA_LDFLAGS += --coverage
endif

# Asked for only where something is compiled, so that `make help` and the
# set-up work before the libraries are there.
PKG_CFLAGS = $(shell pkg-config --cflags $(LIBRARIES) | sed 's/-I/-isystem /g')
PKG_LIBS = $(shell pkg-config --libs $(LIBRARIES))
CPPFLAGS_ALL = -Isrc -I. -DHW_VERSION='"$(VERSION)"' $(PKG_CFLAGS) $(CPPFLAGS)
CFLAGS_ALL = $(STANDARD) $(OPTIMIZE) -g $(WARNINGS) -fPIC -fvisibility=hidden $(EXTRA_CFLAGS) $(CFLAGS)
LDFLAGS_ALL = $(EXTRA_LDFLAGS) $(LDFLAGS)
LIBS_ALL = $(PKG_LIBS) -lm

LIB_SOURCES := $(sort $(wildcard src/core/*.c src/model/*.c src/io/*.c src/solve/*.c src/bench/*.c gen/*.c solvers/*.c))
CLI_SOURCES := $(sort $(wildcard src/cli/*.c))
TEST_SUPPORT := $(sort $(wildcard tests/support*.c))
TEST_SOURCES := $(sort $(wildcard tests/test_*.c))
BENCH_SOURCES := $(sort $(wildcard tests/bench_*.c))

LIB_OBJECTS := $(LIB_SOURCES:%.c=$(OUT)/%.o)
CLI_OBJECTS := $(CLI_SOURCES:%.c=$(OUT)/%.o)
SUPPORT_OBJECTS := $(TEST_SUPPORT:%.c=$(OUT)/%.o)
TESTS := $(TEST_SOURCES:tests/%.c=$(OUT)/tests/%)
BENCHES := $(BENCH_SOURCES:tests/%.c=$(OUT)/tests/%)

STATIC := $(OUT)/libhighwater.a
SHARED := $(OUT)/libhighwater.so.$(VERSION)
PROGRAM := $(OUT)/highwater

.DELETE_ON_ERROR:
.PHONY: all help setup check check-fast reproduce bench lint format coverage clean install uninstall tests

all: $(PROGRAM) $(STATIC) $(SHARED) ## build the program and both libraries

help: ## this list
	@awk -F ':.*## ' '/^[a-z][a-z-]*:.*## / {printf "make %-12s %s\n", $$1, $$2}' Makefile

$(OUT)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS_ALL) $(CFLAGS_ALL) -MMD -MP -c $< -o $@

$(STATIC): $(LIB_OBJECTS)
	@rm -f $@
	$(AR) rcs $@ $(LIB_OBJECTS)

$(SHARED): $(LIB_OBJECTS)
	$(CC) $(CFLAGS_ALL) $(LDFLAGS_ALL) -shared -Wl,-soname,libhighwater.so.$(SOVERSION) -o $@ $(LIB_OBJECTS) $(LIBS_ALL)
	@ln -sf $(@F) $(OUT)/libhighwater.so.$(SOVERSION)
	@ln -sf $(@F) $(OUT)/libhighwater.so

$(PROGRAM): $(CLI_OBJECTS) $(STATIC)
	$(CC) $(CFLAGS_ALL) $(LDFLAGS_ALL) -o $@ $^ $(LIBS_ALL)

$(OUT)/tests/%: $(OUT)/tests/%.o $(SUPPORT_OBJECTS) $(STATIC)
	$(CC) $(CFLAGS_ALL) $(LDFLAGS_ALL) -o $@ $< $(SUPPORT_OBJECTS) $(STATIC) $(LIBS_ALL) $(shell pkg-config --libs cmocka)

.PRECIOUS: $(OUT)/tests/%.o

tests: $(TESTS) $(PROGRAM)

setup: ## install what is missing (as root or with sudo), or say how
	@sh scripts/setup.sh

clean: ## remove everything that was built
	rm -rf $(BUILD)

-include $(wildcard $(OUT)/src/*/*.d $(OUT)/gen/*.d $(OUT)/solvers/*.d $(OUT)/tests/*.d)
