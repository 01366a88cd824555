# highwater: build, test, reproduce.  `make help` lists the targets.

VERSION := 0.1.0
SOVERSION := 0

BUILD ?= build
# Where `make install` puts things: the variables of the GNU coding standards.
PREFIX ?= /usr/local
prefix ?= $(PREFIX)
exec_prefix ?= $(prefix)
bindir ?= $(exec_prefix)/bin
libdir ?= $(exec_prefix)/lib
libexecdir ?= $(exec_prefix)/libexec
includedir ?= $(prefix)/include
datarootdir ?= $(prefix)/share
datadir ?= $(datarootdir)
mandir ?= $(datarootdir)/man
docdir ?= $(datarootdir)/doc/highwater
pkgconfigdir ?= $(libdir)/pkgconfig
bashcompletiondir ?= $(datadir)/bash-completion/completions
zshcompletiondir ?= $(datadir)/zsh/site-functions
fishcompletiondir ?= $(datadir)/fish/vendor_completions.d
DESTDIR ?=
# SANITIZE=1 builds with the address, undefined-behaviour and leak sanitizers;
# COVERAGE=1 for scripts/coverage.sh (clang, whose counts outlive a process that
# is killed).  Each in a folder of its own.
SANITIZE ?=
COVERAGE ?=
# ANALYZE=1: gcc's analyzer on what is compiled of src, gen and solvers.  Of gcc
# 12 one check is off: it takes elements of an array that a loop has filled for
# uninitialised.  clang's analyzer, -Wmaybe-uninitialized and valgrind look too.
ANALYZE ?=
ANALYZER := -fanalyzer -Wno-analyzer-use-of-uninitialized-value
# V=1 shows whole commands.
V ?=
ifeq ($(V),)
Q := @
say = @echo "  $(1)"
else
say =
endif

ifeq ($(origin CC),default)
CC := gcc
endif
OPTIMIZE ?= -O2
WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wconversion
# No fused multiply-add, which rounds once where two operations round twice:
# gcc makes none under -std=c11, clang has to be told.
STANDARD := -std=c11 $(if $(findstring clang,$(CC)),-ffp-contract=off )-D_POSIX_C_SOURCE=200809L -D_XOPEN_SOURCE=700
LIBRARIES := igraph gsl jansson libmd sqlite3

# ONNX models are read where protobuf-c and the schema are there; the shapes
# that a model leaves out are inferred where libonnx is there as well, by a
# program of its own.  ONNX= builds without either.
ONNX_PROTO ?= /usr/include/onnx/onnx.proto
ONNX ?= $(and $(shell command -v protoc-c 2>/dev/null),$(shell pkg-config --exists libprotobuf-c 2>/dev/null && echo yes),$(wildcard $(ONNX_PROTO)))
ONNX := $(ONNX)
ONNX_SHAPES ?= $(and $(ONNX),$(wildcard /usr/include/onnx/shape_inference/implementation.h),$(shell command -v $(CXX) 2>/dev/null),$(shell pkg-config --exists protobuf 2>/dev/null && echo yes))
ONNX_SHAPES := $(ONNX_SHAPES)
CXXFLAGS_ALL = -std=c++17 $(OPTIMIZE) -g -Wall -Wextra $(CXXFLAGS)

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
CC := clang
OPTIMIZE := -O1
EXTRA_CFLAGS += -fprofile-instr-generate -fcoverage-mapping -mllvm -runtime-counter-relocation
EXTRA_LDFLAGS += -fprofile-instr-generate
endif
# FUZZ=1: as libFuzzer needs it, by clang; `make fuzz` sets it.
FUZZ ?=
ifneq ($(FUZZ),)
OUT := $(BUILD)/fuzz
CC := clang
OPTIMIZE := -O1
EXTRA_CFLAGS += -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
EXTRA_LDFLAGS += -fsanitize=fuzzer,address,undefined
endif

# Asked for only where something is compiled, so that `make help` and the
# set-up work before the libraries are there; and once, not for every file.
# packages FLAG NAMES: what pkg-config says, or an end in one line.
packages = $(shell pkg-config $(1) $(2) 2>/dev/null)$(if $(shell pkg-config --exists $(2) 2>/dev/null && echo yes),,$(error \
    not here for compiling: $(if $(shell command -v pkg-config),$(strip $(foreach name,$(2),$(if $(shell pkg-config --exists $(name) || echo no),$(name)))),pkg-config) -- `make setup` installs what is missing, or says how))
PKG_CFLAGS = $(eval PKG_CFLAGS := $$(patsubst -I%,-isystem %,$$(call packages,--cflags,$$(LIBRARIES))))$(PKG_CFLAGS)
PKG_LIBS = $(eval PKG_LIBS := $$(call packages,--libs,$$(LIBRARIES)))$(PKG_LIBS)
CMOCKA_LIBS = $(eval CMOCKA_LIBS := $$(call packages,--libs,cmocka))$(CMOCKA_LIBS)
ifneq ($(ONNX),)
LIBRARIES += libprotobuf-c
ONNX_CPPFLAGS = -isystem $(OUT)/onnx
endif
CPPFLAGS_ALL = -Isrc -I. -DHW_VERSION='"$(VERSION)"' $(ONNX_CPPFLAGS) $(PKG_CFLAGS) $(CPPFLAGS)
CFLAGS_ALL = $(STANDARD) $(OPTIMIZE) -g $(WARNINGS) -fPIC -pthread $(EXTRA_CFLAGS) $(CFLAGS)
LDFLAGS_ALL = $(EXTRA_LDFLAGS) $(LDFLAGS)
# Two hundred programs: these linkers take half the time.  gold is of binutils,
# and warns of each symbol of clang's sanitizers.
TEST_LINKER := $(if $(findstring clang,$(CC)),lld,gold)
TEST_LDFLAGS := $(if $(shell command -v ld.$(TEST_LINKER) 2>/dev/null),-fuse-ld=$(TEST_LINKER))
LIBS_ALL = $(PKG_LIBS) -lm

# igraph and the twenty libraries behind it are opened where they are needed
# (src/io/igraph_late.h), by the name that the shared one has here; where there
# is none, or with IGRAPH_SONAME=, it is linked with as usual.
IGRAPH_SONAME ?= $(shell readelf -d "$$($(CC) -print-file-name=libigraph.so)" 2>/dev/null | sed -n 's/.*(SONAME).*\[\(.*\)\].*/\1/p')
LIBS_LATE = $(if $(IGRAPH_SONAME),$(filter-out -ligraph,$(LIBS_ALL)),$(LIBS_ALL))

LIB_SOURCES := $(sort $(wildcard src/core/*.c src/model/*.c src/proof/*.c src/io/*.c src/solve/*.c src/bench/*.c src/plot/*.c src/stats/*.c src/small/*.c src/adversary/*.c src/explain/*.c src/traits/*.c src/corpus/*.c src/census/*.c src/import/*.c src/transform/*.c src/arena/*.c src/buckets/*.c src/advise/*.c src/replay/*.c src/report/*.c src/merge/*.c src/claims/*.c gen/*.c solvers/*.c))
CLI_SOURCES := $(sort $(wildcard src/cli/*.c))
TEST_SUPPORT := $(sort $(wildcard tests/support*.c))
TEST_SOURCES := $(sort $(wildcard tests/test_*.c))
BENCH_SOURCES := $(sort $(wildcard tests/bench_*.c))

# The public interface: src/highwater.h and all that it includes.  Others compile
# against these headers, and the shared library exports what they declare.
INSTALLED_HEADERS := src/highwater.h $(addprefix src/,$(addsuffix .h,arena/arena core/error core/json_out core/params core/rng import/import import/operators io/input io/io io/timeline_plot model/builder model/check model/graph model/log model/model model/sim model/structure solve/solution solve/solver)) gen/family.h

LIB_SOURCES := $(filter-out src/import/$(if $(ONNX),no_onnx,onnx_%).c,$(LIB_SOURCES))

LIB_OBJECTS := $(LIB_SOURCES:%.c=$(OUT)/%.o)
ifneq ($(ONNX),)
LIB_OBJECTS += $(OUT)/onnx/onnx.pb-c.o
endif
CLI_OBJECTS := $(CLI_SOURCES:%.c=$(OUT)/%.o)
SUPPORT_OBJECTS := $(TEST_SUPPORT:%.c=$(OUT)/%.o)
TESTS := $(TEST_SOURCES:tests/%.c=$(OUT)/tests/%)
FUZZ_SOURCES := $(sort $(wildcard tests/fuzz/*.c))
FUZZ_OBJECTS := $(FUZZ_SOURCES:%.c=$(OUT)/%.o) $(patsubst src/%.c,$(OUT)/tests/fuzz/%.o,$(wildcard src/check/*.c))
FUZZERS := $(patsubst %.c,$(OUT)/%,$(wildcard tests/fuzz/fuzz_*.c))
BENCHES := $(BENCH_SOURCES:tests/%.c=$(OUT)/tests/%)

STATIC := $(OUT)/libhighwater.a
SHARED := $(OUT)/libhighwater.so.$(VERSION)
PROGRAM := $(OUT)/highwater
# Verifies proofs; shares no code with the library.
CHECKER := $(OUT)/highwater-check
# Infers the shapes of ONNX models.
SHAPES := $(if $(ONNX_SHAPES),$(OUT)/highwater-onnx-shapes)

# Takes the place of malloc() and main(): see tests/fault.  Sanitizers have a malloc() of their own.
FAULTS := $(if $(SANITIZE),,$(OUT)/tests/fault.so)

.DELETE_ON_ERROR:
# Every target that makes no file of its name: those with a line in `make help`.
.PHONY: all tests $(shell sed -n 's/^\([a-z][a-z-]*\):.*\#\# .*/\1/p' Makefile)

##@ Build

all: $(PROGRAM) $(CHECKER) $(SHAPES) $(STATIC) $(SHARED) ## build the program and both libraries

help: ## this list
	@awk -F ':.*## ' '/^##@ / {printf "%s%s\n", gap, substr($$0, 5); gap = "\n"} \
	    /^[a-z][a-z-]*:.*## / {printf "  make %-17s  %s\n", $$1, $$2}' Makefile

$(OUT)/%.o: %.c
	@mkdir -p $(@D)
	$(call say,CC    $<)
	$(Q)$(CC) $(CPPFLAGS_ALL) $(CFLAGS_ALL) -MMD -MP -c $< -o $@

ifneq ($(ANALYZE),)
$(OUT)/src/%.o $(OUT)/gen/%.o $(OUT)/solvers/%.o: CFLAGS_ALL += $(ANALYZER)
endif

# The generated reader of the schema, whose warnings are not ours.
$(OUT)/onnx/onnx.pb-c.h: $(ONNX_PROTO)
	@mkdir -p $(@D)
	$(call say,PROTO $@)
	$(Q)protoc-c --proto_path=$(dir $(ONNX_PROTO)) --c_out=$(@D) $(notdir $(ONNX_PROTO))

$(OUT)/onnx/onnx.pb-c.o: $(OUT)/onnx/onnx.pb-c.h
	$(call say,CC    $(@:.o=.c))
	$(Q)$(CC) $(CPPFLAGS_ALL) $(CFLAGS_ALL) -w -c $(@:.o=.c) -o $@

$(filter $(OUT)/src/import/onnx_%.o,$(LIB_OBJECTS)): $(OUT)/onnx/onnx.pb-c.h

# Style and script of reports: the bytes of the files as a list of numbers.
$(OUT)/report/%.inc: src/report/%
	@mkdir -p $(@D)
	$(call say,BYTES $@)
	$(Q)od -An -v -tu1 $< | sed 's/ *\([0-9][0-9]*\)/\1,/g' > $@

$(OUT)/src/report/texts.o: $(OUT)/report/page.css.inc $(OUT)/report/page.js.inc
$(OUT)/src/report/texts.o: CPPFLAGS_ALL += -I$(OUT)/report

# Where that program is, when it is not where it usually is from here.  Compiled
# again when that folder is another one than the last time, though not while
# installing, which changes nothing in the folder of the build.
$(OUT)/src/io/program.o: CPPFLAGS_ALL += -DHW_LIBEXECDIR='"$(libexecdir)"'
$(OUT)/src/io/program.o: $(OUT)/libexecdir
BUILT_FOR := $(shell cat '$(OUT)/libexecdir' 2>/dev/null)
ifneq ($(if $(filter install uninstall,$(MAKECMDGOALS)),$(libexecdir),$(BUILT_FOR)),$(libexecdir))
.PHONY: $(OUT)/libexecdir
endif
$(OUT)/libexecdir:
	@mkdir -p $(@D)
	@echo '$(libexecdir)' > $@

# Never under the sanitizers: its libraries are not, and it limits its memory.
$(OUT)/highwater-onnx-shapes: src/import/onnx_shapes.cc
	@mkdir -p $(@D)
	$(call say,CXX   $@)
	$(Q)$(CXX) $(CPPFLAGS) $(CXXFLAGS_ALL) $(LDFLAGS) $< -o $@ -lonnx -lonnx_proto $(shell pkg-config --libs protobuf)

$(STATIC): $(LIB_OBJECTS)
	@rm -f $@
	$(call say,AR    $@)
	$(Q)$(AR) rcs $@ $(LIB_OBJECTS)

$(OUT)/src/io/igraph_late.o: CPPFLAGS_ALL += $(if $(IGRAPH_SONAME),-DHW_IGRAPH_LIBRARY='"$(IGRAPH_SONAME)"')

$(OUT)/libhighwater.map: $(STATIC) $(INSTALLED_HEADERS) scripts/exports.sh
	$(Q)sh scripts/exports.sh $(STATIC) $(INSTALLED_HEADERS) > $@

$(SHARED): $(LIB_OBJECTS) $(OUT)/libhighwater.map
	$(call say,LINK  $@)
	$(Q)$(CC) $(CFLAGS_ALL) $(LDFLAGS_ALL) -shared -Wl,--version-script=$(OUT)/libhighwater.map -Wl,-soname,libhighwater.so.$(SOVERSION) -o $@ $(LIB_OBJECTS) $(LIBS_LATE)
	@ln -sf $(@F) $(OUT)/libhighwater.so.$(SOVERSION)
	@ln -sf libhighwater.so.$(SOVERSION) $(OUT)/libhighwater.so

$(PROGRAM): $(CLI_OBJECTS) $(STATIC)
	$(call say,LINK  $@)
	$(Q)$(CC) $(CFLAGS_ALL) $(LDFLAGS_ALL) -o $@ $^ $(LIBS_LATE)

$(CHECKER): $(patsubst %.c,$(OUT)/%.o,$(wildcard src/check/*.c))
	$(call say,LINK  $@)
	$(Q)$(CC) $(CFLAGS_ALL) $(LDFLAGS_ALL) -o $@ $^ $(call packages,--libs,jansson libmd)

$(OUT)/tests/%: $(OUT)/tests/%.o $(SUPPORT_OBJECTS) $(STATIC)
	$(call say,LINK  $@)
	$(Q)$(CC) $(CFLAGS_ALL) $(LDFLAGS_ALL) $(TEST_LDFLAGS) -o $@ $< $(SUPPORT_OBJECTS) $(STATIC) $(LIBS_ALL) $(CMOCKA_LIBS)

# Beside which bench_startup measures.
$(OUT)/tests/empty:
	@mkdir -p $(@D)
	$(Q)echo 'int main(void) { return 0; }' | $(CC) -O2 -x c - -o $@

$(OUT)/tests/bench_startup: | $(OUT)/tests/empty $(PROGRAM)

# Targets of fuzzing: with libFuzzer each is a program; in the test all of them
# are in one, under names of their own, and run on their corpora.
$(filter $(OUT)/tests/fuzz/fuzz_%.o,$(FUZZ_OBJECTS)): CPPFLAGS_ALL += $(if $(FUZZ),,-DLLVMFuzzerTestOneInput=$(*F))

# highwater-check inside another program: see check_program.h.
$(OUT)/tests/fuzz/check/%.o: src/check/%.c tests/fuzz/check_program.h
	@mkdir -p $(@D)
	$(call say,CC    $< (inside))
	$(Q)$(CC) $(CPPFLAGS_ALL) $(CFLAGS_ALL) -include tests/fuzz/check_program.h -MMD -MP -c $< -o $@

$(OUT)/tests/test_fuzz: $(OUT)/tests/test_fuzz.o $(FUZZ_OBJECTS) $(SUPPORT_OBJECTS) $(STATIC)
	$(call say,LINK  $@)
	$(Q)$(CC) $(CFLAGS_ALL) $(LDFLAGS_ALL) -o $@ $(filter-out $(STATIC),$^) $(STATIC) $(LIBS_ALL) $(CMOCKA_LIBS)

$(FUZZERS): %: %.o $(filter-out $(OUT)/tests/fuzz/fuzz_%.o,$(FUZZ_OBJECTS)) $(STATIC)
	$(call say,LINK  $@)
	$(Q)$(CC) $(CFLAGS_ALL) $(LDFLAGS_ALL) -o $@ $^ $(LIBS_ALL)

$(OUT)/tests/fault.so: $(wildcard tests/fault/*.c) tests/fault/fault.h
	@mkdir -p $(@D)
	$(call say,LINK  $@)
	$(Q)$(CC) $(CPPFLAGS_ALL) $(CFLAGS_ALL) -O2 -shared -o $@ $(filter %.c,$^)

.SECONDARY:

tests: $(TESTS) $(PROGRAM) $(CHECKER) $(SHAPES) $(FAULTS)

setup: ## install what is missing (as root or with sudo), or say how
	@CC=$(CC) sh scripts/setup.sh --test

##@ Test

# valgrind cannot, and these are about texts, TeX and a browser: what they run of
# ours runs under the sanitizers in the tests of the command line.
NOT_SANITIZED := valgrind paper report man completions tutorials contributing citations

check: ## set up, build, run all tests (SANITIZE=1: under the sanitizers)
	@CC=$(CC) sh scripts/setup.sh --test
	@$(MAKE) --no-print-directory -j2 all tests
	@SKIP='$(if $(SANITIZE),$(NOT_SANITIZED))' HW_SANITIZED='$(SANITIZE)' sh scripts/check.sh $(OUT)

check-mutants: ## plant wrong rules, one at a time: the tests have to catch each (MUTANTS="NAME...": some)
	@$(MAKE) --no-print-directory -j2 tests
	@CC='$(CC)' FLAGS='$(subst ','\'',$(CPPFLAGS_ALL) $(CFLAGS_ALL))' LINK='$(LDFLAGS_ALL) $(TEST_LDFLAGS)' \
	    LIBS='$(LIBS_ALL) $(CMOCKA_LIBS)' sh scripts/mutants.sh $(OUT) $(MUTANTS)

TAMPERED ?= 40
check-tamper: ## every byte of proofs, orders, results and digests changed in 15 ways (TAMPERED=40 proofs)
	@$(MAKE) --no-print-directory -j2 $(OUT)/tests/test_tampered_proofs $(OUT)/tests/test_tampered_results $(CHECKER)
	@HW_TAMPERED=$(TAMPERED) $(OUT)/tests/test_tampered_results
	@HW_TAMPERED=$(TAMPERED) $(OUT)/tests/test_tampered_proofs

# SAMPLE= SEED= FILES= JOBS= LONGEST= FRESH= (see the script).
mutate: ## small mistakes at random in model, checkers, proofs and exact solvers: do the tests notice? (SAMPLE=300 SEED=1)
	@CC=$(CC) sh scripts/setup.sh --test
	@$(MAKE) --no-print-directory -j2 tests
	@CC='$(CC)' FLAGS='$(subst ','\'',$(CPPFLAGS_ALL) $(CFLAGS_ALL))' LINK='$(LDFLAGS_ALL)' OBJECTS='$(LIB_OBJECTS)' \
	    LIBS='$(LIBS_ALL) $(CMOCKA_LIBS)' sh scripts/mutate.sh $(OUT)

check-slurm: ## the scripts for clusters on a real Slurm of one node, started and stopped for it (as root)
	@CC=$(CC) sh scripts/setup.sh
	@[ "$$(id -u)" != 0 ] || sh scripts/setup.sh --slurm
	@$(MAKE) --no-print-directory -j2 $(PROGRAM)
	@sh scripts/check-slurm.sh $(PROGRAM)

# PROGRAMS= BUILDS= SAMPLE= SEED= (see the script).
check-determinism: ## the same bytes by gcc and clang, at -O0 and -O3 (PROGRAMS="PATH...": by these)
	@sh scripts/setup.sh --lint
	@CC='$(CC)' sh scripts/check-determinism.sh $(BUILD) $(PROGRAMS)

check-kill: $(PROGRAM) ## kill a campaign -9 at random moments (KILLS=20), resume, compare
	@KILLS=$(or $(KILLS),20) sh scripts/check-kill.sh $(PROGRAM)

FUZZ_SECONDS ?= 60
FUZZ_JOBS ?= 2
FUZZ_TARGETS ?= $(patsubst tests/fuzz/fuzz_%.c,%,$(wildcard tests/fuzz/fuzz_*.c))
fuzz: ## libFuzzer on every reader and on the solvers, with what tests/fuzz holds (FUZZ_SECONDS=60 each, FUZZ_JOBS=2 FUZZ_TARGETS=)
	@sh scripts/setup.sh --fuzz
	@$(MAKE) --no-print-directory -j2 FUZZ=1 $(FUZZ_TARGETS:%=$(BUILD)/fuzz/tests/fuzz/fuzz_%)
	@SECONDS_EACH=$(FUZZ_SECONDS) JOBS=$(FUZZ_JOBS) sh scripts/fuzz.sh $(BUILD)/fuzz $(FUZZ_TARGETS)

# KINDS= NAMES= STEP= JOBS= (see the script).
check-faults: $(PROGRAM) $(CHECKER) $(SHAPES) $(FAULTS) ## every allocation and system call of every command fails once (KINDS= NAMES= STEP=)
	@sh tests/fault/run.sh $(OUT) $(NAMES)

LONG_JOBS ?= 2
LONG_PART ?= 1
check-long: ## mass tests of the exact solver in resumable slices (LONG_JOBS=2, LONG_PART=1)
	@$(MAKE) --no-print-directory -j2 tests
	@sh scripts/check-long.sh $(OUT) $(LONG_JOBS) $(LONG_PART)

##@ Results

reproduce: ## set up, build, run the main experiment, write results/
	@CC=$(CC) sh scripts/setup.sh
	@$(MAKE) --no-print-directory -j2 all
	@sh scripts/reproduce.sh $(PROGRAM) results

paper: ## the paper as PDF, from committed results, into build/paper (installs TeX where it is missing)
	@CC=$(CC) sh scripts/setup.sh --paper
	@$(MAKE) --no-print-directory -j2 $(PROGRAM)
	@sh scripts/paper.sh $(PROGRAM) results $(BUILD)/paper

# JOBS= FRESH= (see the script).
reproduce-full: ## the campaign of the paper (half an hour on two cores), resumed where it stopped, into results/paper (JOBS= FRESH=)
	@CC=$(CC) sh scripts/setup.sh --paper
	@$(MAKE) --no-print-directory -j2 $(PROGRAM)
	@sh scripts/reproduce-full.sh $(PROGRAM) $(BUILD)/paper-campaign results
	@sh scripts/paper-texts.sh $(PROGRAM) results $(BUILD)/paper

# SAMPLE= SEED= JOBS= (see the script).
verify-results: ## a sample of the paper's campaign run anew and compared with results/paper (SAMPLE= SEED= JOBS=)
	@CC=$(CC) sh scripts/setup.sh
	@$(MAKE) --no-print-directory -j2 $(PROGRAM)
	@sh scripts/verify-results.sh $(PROGRAM) $(BUILD)/verify-results results

##@ Measurements

bench: ## print rates and ratios of the hot paths
	@CC=$(CC) sh scripts/setup.sh
	@$(MAKE) --no-print-directory -j2 $(BENCHES)
	@for bench in $(BENCHES); do ./$$bench || exit 1; done

bench-startup: ## what it costs to start `highwater --help`, beside an empty program (PAIRS=500)
	@CC=$(CC) sh scripts/setup.sh
	@$(MAKE) --no-print-directory -j2 $(OUT)/tests/bench_startup
	@$(OUT)/tests/bench_startup $(PAIRS)

# SEEDS= NODES= FAMILIES= SIZES= TIME= MEMORY= DP_TIME= DP_NODES= JOBS= FRESH= (see the scripts).
bench-advise: ## what recomputation does below the best order, into results/advise (TIME= COPIES= MORE=)
	@CC=$(CC) sh scripts/setup.sh
	@$(MAKE) --no-print-directory -j2 $(PROGRAM)
	@sh scripts/bench-advise.sh $(PROGRAM) $(BUILD)/bench results

bench-exact: ## share settled, times and states of exact on random graphs (hours; SEEDS= NODES= TIME=: parts)
	@CC=$(CC) sh scripts/setup.sh
	@$(MAKE) --no-print-directory -j2 $(PROGRAM)
	@sh scripts/bench-exact.sh $(PROGRAM) $(BUILD)/bench results

# JOBS= FRESH= (see the script).
bench-ablation: ## what each rule of the exact solver is worth, into results/ablation.md and .csv (JOBS=)
	@CC=$(CC) sh scripts/setup.sh
	@$(MAKE) --no-print-directory -j2 $(PROGRAM)
	@sh scripts/bench-ablation.sh $(PROGRAM) $(BUILD)/bench results

bench-real: ## every real graph to the proof, into results/real-graphs (TIME= seconds a graph)
	@CC=$(CC) sh scripts/setup.sh
	@$(MAKE) --no-print-directory -j2 $(PROGRAM)
	@sh scripts/bench-real.sh $(PROGRAM) $(BUILD)/bench results

bench-proof: ## prove and check random graphs and all real ones: times, sizes, ratios (HW_PROOF_SECONDS=)
	@CC=$(CC) sh scripts/setup.sh
	@$(MAKE) --no-print-directory -j2 $(CHECKER) $(OUT)/tests/bench_proof
	@$(OUT)/tests/bench_proof
	@for folder in tests/graphs "$${HW_SHARED:-../shared}/graphs"; do \
	    [ ! -d "$$folder" ] || $(OUT)/tests/bench_proof "$$folder" || exit 1; \
	done

# SECTIONS= SEEDS= AGAINST= SHOWN= JOBS= FRESH= (see the script).
bench-quality: ## every solver on every family and real graph, with paired tests, into results/quality*.md (SECTIONS= SEEDS=)
	@CC=$(CC) sh scripts/setup.sh
	@$(MAKE) --no-print-directory -j2 $(PROGRAM)
	@sh scripts/bench-quality.sh $(PROGRAM) $(BUILD)/bench results

# SOLVERS= GRAPHS= TIME= (see the script).
bench-anytime: ## the best order against time on graphs too large to prove, into results/anytime (TIME= seconds)
	@CC=$(CC) sh scripts/setup.sh
	@$(MAKE) --no-print-directory -j2 $(PROGRAM)
	@sh scripts/bench-anytime.sh $(PROGRAM) $(BUILD)/bench results

# GRAPHS= JOBS= FRESH= (see the script).
bench-fusion: ## what ordering is worth before and after fusion, into results/fusion.md and .csv (GRAPHS=)
	@CC=$(CC) sh scripts/setup.sh
	@$(MAKE) --no-print-directory -j2 $(PROGRAM)
	@sh scripts/bench-fusion.sh $(PROGRAM) $(BUILD)/bench results

# GRAPHS= STATES= (see the script).
bench-model: ## what it costs to count constants among what lives, or to overlook views, into results/model.md
	@CC=$(CC) sh scripts/setup.sh
	@$(MAKE) --no-print-directory -j2 $(PROGRAM)
	@sh scripts/bench-model.sh $(PROGRAM) $(BUILD)/bench results

# SEEDS= KS= DEPTHS= JOBS= FRESH= (see the script).
bench-lookahead: ## what width and depth are worth to lookahead, into results/lookahead.md
	@CC=$(CC) sh scripts/setup.sh
	@$(MAKE) --no-print-directory -j2 $(PROGRAM)
	@sh scripts/bench-lookahead.sh $(PROGRAM) $(BUILD)/bench results

# SOLVER= COUNT= SEARCHES= EVALUATIONS= JOBS= (see the script).
bench-traits: ## what the bad cases of greedy share, random and bred, into results/traits.md (SOLVER= COUNT=)
	@CC=$(CC) sh scripts/setup.sh
	@$(MAKE) --no-print-directory -j2 $(PROGRAM)
	@sh scripts/bench-traits.sh $(PROGRAM) $(BUILD)/bench results

# NETS= SEEDS= TIME= GRAPHS= JOBS= (see the script).
bench-buckets: ## regret of orders at other sizes, nets and graphs that grow, into results/buckets.* (SEEDS= NETS=)
	@CC=$(CC) sh scripts/setup.sh
	@$(MAKE) --no-print-directory -j2 $(PROGRAM)
	@sh scripts/bench-buckets.sh $(PROGRAM) $(BUILD)/bench results

# TIME= ARENA= JOBS= FRESH= (see the script).
bench-memory: ## orders, views, in-place and arenas on every real graph and net, into results/memory.md (TIME= ARENA=)
	@CC=$(CC) sh scripts/setup.sh
	@$(MAKE) --no-print-directory -j2 $(PROGRAM)
	@sh scripts/bench-memory.sh $(PROGRAM) $(BUILD)/bench results

bench-families: ## how far rules fall behind on the adversarial families, into results/adversarial-families.md and .tex
	@CC=$(CC) sh scripts/setup.sh --test
	@$(MAKE) --no-print-directory -j2 $(OUT)/tests/test_adversarial
	@sh scripts/bench-families.sh $(OUT)/tests/test_adversarial results

# SOLVERS= NODES= TIME= JOBS= FRESH= (see the script).
bench-adversary: ## the worst graphs found for each rule, of 8, 10 and 12 nodes, into results/adversary.md (TIME= SOLVERS= NODES=)
	@CC=$(CC) sh scripts/setup.sh
	@$(MAKE) --no-print-directory -j2 $(PROGRAM)
	@sh scripts/bench-adversary.sh $(PROGRAM) $(BUILD)/bench results

# SECTIONS= SOLVERS= MOST= TIME= (see the script).
bench-campaign: $(PROGRAM) ## efficiency of a campaign on all processors (JOBS=2 TURNS=3)
	@sh scripts/bench-campaign.sh $(PROGRAM)

bench-scale: ## time and memory of solvers from 1,000 to 1,000,000 nodes, into results/scale.md and scale-*.svg (MOST= SOLVERS=)
	@CC=$(CC) sh scripts/setup.sh
	@$(MAKE) --no-print-directory -j2 $(OUT)/tests/bench_scale
	@sh scripts/bench-scale.sh $(OUT)/tests/bench_scale results

# NODES= SOLVERS= EVALUATIONS= JOBS= (see the script).
corpus: ## search for bad graphs for every rule and keep the worst in results/adversarial (an hour; NODES= SOLVERS=: parts)
	@CC=$(CC) sh scripts/setup.sh
	@$(MAKE) --no-print-directory -j2 $(PROGRAM) $(CHECKER)
	@sh scripts/corpus.sh $(OUT) results/adversarial

verify-corpus: ## compute every entry of results/adversarial anew, and check every proof
	@CC=$(CC) sh scripts/setup.sh
	@$(MAKE) --no-print-directory -j2 $(PROGRAM) $(CHECKER)
	@sh scripts/verify-corpus.sh $(OUT) results/adversarial

# COUNT= TIME= FILE_TIME= SECTIONS= (see the script).
bench-arena: ## what addresses add to the peak, by allocator, into results/arena.md and arena.svg (SECTIONS= COUNT=)
	@CC=$(CC) sh scripts/setup.sh
	@$(MAKE) --no-print-directory -j2 $(PROGRAM) $(OUT)/tests/bench_fragmentation
	@sh scripts/bench-arena.sh $(PROGRAM) $(OUT)/tests/bench_fragmentation $(BUILD)/bench/arena results

.PHONY: bench-replay
# GRAPHS= ALLOCATORS= TIME= PICTURES= (see the script).
bench-replay: ## resident against logical memory on real allocators, into results/replay.md (GRAPHS= ALLOCATORS=)
	@CC=$(CC) sh scripts/setup.sh --test
	@$(MAKE) --no-print-directory -j2 $(PROGRAM)
	@sh scripts/bench-replay.sh $(PROGRAM) $(BUILD)/bench results

.PHONY: census
# NODES= SIZES= NUMBERINGS= FAILS= JOBS= FRESH= (see the script).
census: ## the exact worst ratio of every rule on all graphs of up to 6 nodes, into results/census.md (NODES= SIZES=)
	@CC=$(CC) sh scripts/setup.sh
	@$(MAKE) --no-print-directory -j2 $(PROGRAM)
	@sh scripts/bench-census.sh $(PROGRAM) $(BUILD)/bench results

# EFFORT=quick|full (see `highwater claims --help`).
EFFORT ?= full
claims: ## every claim of the seed article put to the test, into results/claims.* and results/claims/ (EFFORT=)
	@CC=$(CC) sh scripts/setup.sh
	@$(MAKE) --no-print-directory -j2 $(PROGRAM)
	@$(PROGRAM) claims --effort $(EFFORT) --graphs tests/graphs --into results
	@sh scripts/paper-texts.sh $(PROGRAM) results $(BUILD)/paper
	@tail -n 1 results/claims.txt

##@ Source and documentation

# LINT= NODES= JOBS= (see the script).
lint: ## layout, shellcheck, cppcheck, clang-tidy, warnings and analyzers of both compilers (LINT="PART...": some)
	@sh scripts/setup.sh --lint
	@$(MAKE) --no-print-directory $(if $(ONNX),$(OUT)/onnx/onnx.pb-c.h) $(OUT)/report/page.css.inc $(OUT)/report/page.js.inc
	@FLAGS='$(subst ','\'',$(CPPFLAGS_ALL) -isystem $(OUT)/report $(STANDARD) $(WARNINGS))' ANALYZER='$(ANALYZER)' sh scripts/lint.sh $(OUT) $(LINT)

format: ## lay out the sources as .clang-format says
	clang-format -i $(wildcard src/*/*.[ch] gen/*.[ch] solvers/*.[ch] tests/*.[ch] tests/fuzz/*.[ch])

coverage: ## lines of src, gen and solvers that the tests run, by file (build/coverage/lines.txt); fails below 95 %
	@sh scripts/setup.sh --develop
	@$(MAKE) --no-print-directory -j2 COVERAGE=1 all tests
	@sh scripts/coverage.sh $(BUILD)/coverage

doc: ## reference of the library as HTML, by doxygen, into build/doc
	@sh scripts/setup.sh --test
	@sh scripts/doc.sh $(BUILD)/doc $(VERSION) $(INSTALLED_HEADERS)
	@echo $(BUILD)/doc/html/index.html

.PHONY: installed-headers
installed-headers:
	@printf '%s\n' $(INSTALLED_HEADERS)

man: ## the manual pages anew from their Markdown (man/NAME.SECTION.md), by pandoc; commit both
	@sh scripts/setup.sh --test
	@sh scripts/man.sh man

tutorials: ## bring what commands print in README.md and the tutorials up to date, and the picture of README.md
	@$(MAKE) --no-print-directory -j2 $(PROGRAM) $(CHECKER)
	@sh scripts/check-tutorials.sh --update $(PROGRAM)

tour: ## the list of files in src/README.md anew, from the heads of the files
	@sh scripts/source-tour.sh

##@ Install and package

INSTALL ?= install
INSTALL_PROGRAM ?= $(INSTALL) -m 755
INSTALL_DATA ?= $(INSTALL) -m 644
MAN_PAGES := $(sort $(wildcard man/*.[1-9]))
EXAMPLES := $(sort $(wildcard examples/*))
# What README.md leads to, and where there is room for it; README.md itself is
# installed with the other links made text.
DOCUMENTS := NEWS.md LICENSE CITATION.cff results/tour/memory.svg $(addprefix results/paper/,profile.svg shares.svg heat.svg)
SHARED_NAMES := libhighwater.so.$(VERSION) libhighwater.so.$(SOVERSION) libhighwater.so

# Folders may have blanks in their names, which make cannot keep in lists: they
# stand between quotes, each by itself, and never in one of make's functions
# that take lists.  They are absolute, so that nothing depends on where it runs.
FOLDERS := prefix exec_prefix bindir libdir libexecdir includedir datarootdir datadir mandir docdir pkgconfigdir bashcompletiondir zshcompletiondir fishcompletiondir
absolute = $(foreach name,$(FOLDERS),$(if $(filter-out /%,$(firstword $($(name)))),$(error $(name)=$($(name)): folders are absolute, such as $(name)=/opt/highwater; DESTDIR= may be any)))
to = "$(DESTDIR)$(1)"

# As text of highwater.pc: folders below prefix move along with it.
below_prefix = $(subst |,,$(subst |$(prefix)/,$${prefix}/,|$(1)))

install: all ## install under DESTDIR and prefix (bindir, libdir, ...: as the GNU coding standards)
	@$(absolute):
	$(INSTALL) -d $(call to,$(bindir)) $(call to,$(libdir)) $(call to,$(pkgconfigdir)) $(call to,$(docdir)/examples)
	$(INSTALL_PROGRAM) $(PROGRAM) $(call to,$(bindir)/highwater)
	$(INSTALL_PROGRAM) $(CHECKER) $(call to,$(bindir)/highwater-check)
ifneq ($(SHAPES),)
	$(INSTALL) -d $(call to,$(libexecdir)/highwater)
	$(INSTALL_PROGRAM) $(SHAPES) $(call to,$(libexecdir)/highwater/highwater-onnx-shapes)
	@built=$$(cat $(OUT)/libexecdir) bindir="$(bindir)"; \
	[ "$$built" = "$(libexecdir)" ] || [ "$${bindir%/*}/libexec" = "$(libexecdir)" ] || \
	    echo "install: the program was built to look in $$built: make libexecdir=\"$(libexecdir)\" before this" >&2
endif
	$(INSTALL_DATA) $(STATIC) $(call to,$(libdir)/libhighwater.a)
	$(INSTALL_PROGRAM) $(SHARED) $(call to,$(libdir)/libhighwater.so.$(VERSION))
	ln -sf libhighwater.so.$(VERSION) $(call to,$(libdir)/libhighwater.so.$(SOVERSION))
	ln -sf libhighwater.so.$(SOVERSION) $(call to,$(libdir)/libhighwater.so)
	@for header in $(INSTALLED_HEADERS); do \
	    target=$(call to,$(includedir)/highwater)/$${header#src/}; \
	    $(INSTALL) -d "$${target%/*}" && $(INSTALL_DATA) $$header "$$target" || exit 1; \
	done
	@for page in $(MAN_PAGES); do \
	    folder=$(call to,$(mandir))/man$${page##*.}; \
	    $(INSTALL) -d "$$folder" && $(INSTALL_DATA) $$page "$$folder/" || exit 1; \
	done
	$(INSTALL) -d $(call to,$(bashcompletiondir)) $(call to,$(zshcompletiondir)) $(call to,$(fishcompletiondir))
	$(INSTALL_DATA) scripts/completions/highwater.bash $(call to,$(bashcompletiondir)/highwater)
	$(INSTALL_DATA) scripts/completions/_highwater $(call to,$(zshcompletiondir)/_highwater)
	$(INSTALL_DATA) scripts/completions/highwater.fish $(call to,$(fishcompletiondir)/highwater.fish)
	awk -v kept='$(DOCUMENTS)' -f scripts/links.awk README.md > $(OUT)/README.md
	$(INSTALL_DATA) $(OUT)/README.md $(call to,$(docdir)/README.md)
	@for file in $(DOCUMENTS); do \
	    target=$(call to,$(docdir))/$$file; \
	    $(INSTALL) -d "$${target%/*}" && $(INSTALL_DATA) $$file "$$target" || exit 1; \
	done
	@for file in $(EXAMPLES); do \
	    mode=644 && [ ! -x $$file ] || mode=755; \
	    $(INSTALL) -m $$mode $$file $(call to,$(docdir)/examples/) || exit 1; \
	done
	sed -e 's|@prefix@|$(prefix)|' -e 's|@includedir@|$(call below_prefix,$(includedir))|' -e 's|@libdir@|$(call below_prefix,$(libdir))|' \
	    -e 's|@VERSION@|$(VERSION)|' -e 's|@ONNX@|$(if $(ONNX), libprotobuf-c)|' -e 's|@IGRAPH@|$(if $(IGRAPH_SONAME),,igraph )|' scripts/highwater.pc.in > $(OUT)/highwater.pc
	$(INSTALL_DATA) $(OUT)/highwater.pc $(call to,$(pkgconfigdir)/highwater.pc)

# Folders of its own go with it unless they hold something else by now.
uninstall: ## remove what install put there
	@$(absolute):
	rm -f $(call to,$(bindir)/highwater) $(call to,$(bindir)/highwater-check) $(call to,$(pkgconfigdir)/highwater.pc)
	rm -f $(call to,$(libexecdir)/highwater/highwater-onnx-shapes)
	rm -f $(call to,$(bashcompletiondir)/highwater) $(call to,$(zshcompletiondir)/_highwater) $(call to,$(fishcompletiondir)/highwater.fish)
	@remove() { \
	    folder=$$1; shift; \
	    for file; do rm -f "$$folder/$$file" || exit 1; done; \
	}; \
	remove $(call to,$(libdir)) libhighwater.a $(SHARED_NAMES); \
	remove $(call to,$(mandir)) $(foreach page,$(MAN_PAGES),man$(subst .,,$(suffix $(page)))/$(notdir $(page))); \
	remove $(call to,$(includedir)/highwater) $(INSTALLED_HEADERS:src/%=%); \
	remove $(call to,$(docdir)) README.md $(DOCUMENTS) $(EXAMPLES); \
	for folder in $(call to,$(includedir)/highwater) $(call to,$(libexecdir)/highwater) $(call to,$(docdir)); do \
	    [ ! -d "$$folder" ] || find "$$folder" -depth -type d -empty -delete || exit 1; \
	done

symbols: $(SHARED) ## record what the shared library exports (after a wanted change, which is never a removal without a new SOVERSION)
	@{ echo "libhighwater.so.$(SOVERSION) libhighwater$(SOVERSION) #MINVER#"; \
	   echo "* Build-Depends-Package: libhighwater-dev"; \
	   nm -D --defined-only $(SHARED) | awk '{print " " $$3 "@Base $(VERSION)"}' | LC_ALL=C sort; } > scripts/debian/libhighwater$(SOVERSION).symbols

DIST ?= $(BUILD)
TARBALL ?= $(DIST)/highwater-$(VERSION).tar.gz
dist: ## the sources of the last commit as highwater-VERSION.tar.gz, the same bytes everywhere (DIST=FOLDER)
	@sh scripts/dist.sh highwater-$(VERSION) "$(DIST)"

deb: ## Debian packages from that tarball into build/deb, checked by lintian (TARBALL=: from another)
	@CC=$(CC) sh scripts/setup.sh --package
	@[ "$(origin TARBALL)" != file ] || sh scripts/dist.sh highwater-$(VERSION) "$(DIST)"
	@sh scripts/deb.sh "$(TARBALL)" "$(BUILD)/deb"

# PARTS= SUITE= MIRROR= FRESH= (see the script).
check-chroot: ## README's commands, the packages and the tutorials on fresh Debians (as root; PARTS=)
	@[ "$$(id -u)" != 0 ] || CC=$(CC) sh scripts/setup.sh --package
	@sh scripts/check-chroot.sh $(BUILD)/chroot

clean: ## remove everything that was built
	rm -rf $(BUILD)

-include $(wildcard $(OUT)/src/*/*.d $(OUT)/gen/*.d $(OUT)/solvers/*.d $(OUT)/tests/*.d $(OUT)/tests/fuzz/*.d $(OUT)/tests/fuzz/*/*.d)
