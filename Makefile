# What one types here:
#
#   make demo    build assay and answer a real question with it
#   make test    fetch what the tests need, then run all but the slow ones
#   make test-slow   those that take long and rarely break (internal/slow)
#   make test-fuzz   search for an hour for inputs that break something
#   make check   everything that finds faults without running the program
#   make bench   the speed benchmarks
#   make web     build the report page's script and style anew, after a change in web/src
#   make studies   measure the records in studies/ again, most of a day (studies/README.md)
#   make records   compute the results of the records in studies/ anew, after a change of rules
#   make gallery, screenshots   the pages of the published results; pictures of two
#
# Nothing needs to be installed by hand except Go and make; git and a C compiler
# are used where they are there. Tools land in bin/, which git ignores.

GO ?= go
BIN := $(CURDIR)/bin

# Pinned, so that a check gives the same answer tomorrow. benchstat comes with
# the golang.org/x/perf of go.mod, which assay itself reads results with.
STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2
GOVULNCHECK := golang.org/x/vuln/cmd/govulncheck@v1.8.0

# Toolchains that tests build with.
TOOLCHAINS := go1.24.9 go1.25.7 go1.26.0 go1.26.8 go1.27.2

# Systems that must compile, besides the one that this runs on.
TARGETS := linux/arm64 linux/386 darwin/arm64 windows/amd64

# Packages that are tested a second time under the race detector: those in which goroutines
# share state. Of the others only the tests that are about goroutines, which have Concurrent
# in their names.
RACE := $(addprefix ./internal/,lab live queue)
RACE_CONCURRENT := $(addprefix ./internal/,analysis build knobs ssh terminal trial)

# Many tests wait, for a trial, a file or the go command, so more of them than CPUs run at
# once, and of packages too.
PARALLEL := 6
PACKAGES := 3

# A test that hangs ends by this; none is too slow for it on a busy machine. go test need
# not vet what check-vet does.
GOTEST = $(GO) test -vet=off -timeout 90m

# Git refuses a clone that another user owns, and go build with it.
VCS := $(shell git status >/dev/null 2>&1 || echo -buildvcs=false)

.PHONY: all build demo studies records gallery screenshots web tools check bench bench-page hyperfine sysbench qemu-aarch64-static chromium tmux groff jq pdftotext gcc sshd npm clean \
	test test-go test-race test-studies test-page test-slow test-slow-go test-slow-studies test-slow-page test-fuzz \
	check-gofmt check-vet check-staticcheck check-fix check-web check-vuln check-targets check-size

all: build

# Without cgo: what the C library has in memory would be in the floor under the
# peaks that can be told (internal/child). Without symbols and DWARF, which nobody reads:
# the program travels to other machines.
build:
	@mkdir -p $(BIN)
	CGO_ENABLED=0 $(GO) build $(VCS) -ldflags="-s -w" -o $(BIN)/ ./cmd/assay

# Pages of the records in studies/; the pictures of the README are taken of them, with
# Debian's chromium, in web/dev (npm ci --prefix web fetches what drives it).
gallery: build
	$(BIN)/assay report studies/*/record* -o site/

screenshots: gallery
	@mkdir -p docs/img
	node web/dev/shots.mjs site docs/img

# What the program embeds is committed, so that nobody needs node to build it.
web: web/node_modules
	cd web && npm run --silent build

# The packages of web/package-lock.json. The stamp is npm's own list of them.
web/node_modules: web/node_modules/.package-lock.json
web/node_modules/.package-lock.json: web/package-lock.json | npm
	cd web && npm ci --no-audit --no-fund

# A program without the commit in it: it is the same until its source changes, and so are
# its records.
studies:
	CGO_ENABLED=0 $(GO) build -trimpath -buildvcs=false -ldflags="-s -w" -o $(BIN)/studies/ ./cmd/assay
	ASSAY=$(BIN)/studies/assay studies/remake

# What was measured stays as it is; results and reports that differ are written anew.
records: build
	$(BIN)/assay verify --recompute studies/*/record*

# The run is kept in .assay; the last line on stderr names its report.
demo: build
	$(BIN)/assay run --budget 60s --blocks 5- studies/queue-path

# Each part runs, whatever becomes of the others; a summary comes last.
test:
	@MAKE="$(MAKE)" .ci/parts test-go test-race test-studies test-page

test-slow:
	@MAKE="$(MAKE)" .ci/parts test-slow-go test-slow-studies test-slow-page

# Searches for inputs that no test has; FUZZ is the time for each target. What it finds
# depends on luck and may be old, so .ci/run does not wait for it. Make a seed of what it
# finds: every test runs the seeds.
FUZZ := 1m
test-fuzz:
	GO="$(GO)" .ci/fuzz $(FUZZ)

test-go: tools qemu-aarch64-static tmux groff jq sshd
	PATH="$(BIN):$$PATH" $(GOTEST) -p $(PACKAGES) -parallel $(PARALLEL) ./...

# The race detector needs cgo, and so a C compiler.
test-race: gcc
	@if [ "$$($(GO) env CGO_ENABLED)" != 1 ]; then echo "skipped: no cgo here, which go test -race needs"; exit; fi; status=0; set -x; \
	$(GOTEST) -race -parallel $(PARALLEL) $(RACE) || status=1; \
	$(GOTEST) -race -run Concurrent $(RACE_CONCURRENT) || status=1; exit $$status

test-studies:
	cd studies/arc && $(GOTEST) ./make
	cd studies/bisect && $(GOTEST) .

# The page in a real browser, made by the real program.
test-page: build chromium pdftotext web/node_modules
	cd web && npm test --silent

# Slow tests are told by their names. Only the packages that have some are built.
SLOW_PACKAGES = $(shell grep -rl --include='*_test.go' '^func TestSlow' cmd internal | xargs -n 1 dirname | sort -u | sed 's|^|./|')
SLOW := ASSAY_TEST_SLOW=1 ASSAY_TEST_TOOLCHAINS="$(TOOLCHAINS)"

test-slow-go: tools sysbench sshd
	PATH="$(BIN):$$PATH" $(SLOW) $(GOTEST) -p $(PACKAGES) -parallel $(PARALLEL) -run TestSlow $(SLOW_PACKAGES)

test-slow-studies:
	cd studies/arc && $(SLOW) $(GOTEST) -run TestSlow ./make
	cd studies/interpreters && $(GOTEST) .

test-slow-page: build chromium web/node_modules
	cd web && $(SLOW) npm run --silent slow

# A toolchain is fetched by asking for its version, also where GOTOOLCHAIN is
# local otherwise.
tools:
	@mkdir -p $(BIN)
	@for t in $(TOOLCHAINS); do GOTOOLCHAIN=$$t $(GO) version || exit 1; done
	GOBIN=$(BIN) $(GO) install golang.org/x/perf/cmd/benchstat@$$($(GO) list -m -f '{{.Version}}' golang.org/x/perf)

# check-vuln waits minutes for the network, where there is none: it runs beside the others.
check:
	@MAKE="$(MAKE)" .ci/parts check-vuln@ check-gofmt check-vet check-fix check-staticcheck check-web check-targets check-size

check-gofmt:
	@echo gofmt -l
	@files=$$(gofmt -l *.go cmd internal studies); if [ -n "$$files" ]; then echo "not formatted:"; echo "$$files"; exit 1; fi

check-vet:
	$(GO) vet ./...
	@for s in studies/*/; do \
		test -f $$s/go.mod && find $$s -maxdepth 2 -name '*.go' | grep -q . || continue; \
		echo "$(GO) vet $$s"; (cd $$s && $(GO) vet ./...) || exit 1; done

# Prints what it would change and exits with 1 when that is anything.
check-fix:
	$(GO) fix -diff ./...

check-staticcheck:
	$(GO) run $(STATICCHECK) ./...

# Types, and whether web/dist is what web/src makes.
check-web: web/node_modules
	cd web && npm run --silent check

# Vet compiles all packages that others import, and reads the rest, tests too. The build
# adds the program, and its link. No file of ours is for one processor, and ints are of 64
# bits on all but 386: what vets here vets on linux/arm64, where the build is enough.
# Without paths what was compiled in another clone need not be compiled again.
check-targets:
	@for t in $(TARGETS); do \
		echo "$(GO) vet, build for $$t"; \
		export GOOS=$${t%/*} GOARCH=$${t#*/} CGO_ENABLED=0 GOFLAGS="$$GOFLAGS -trimpath"; \
		case $$t in linux/arm64) ;; *) $(GO) vet ./... ;; esac && \
		$(GO) build $(VCS) -ldflags="-s -w" -o /dev/null ./cmd/assay || exit 1; \
	done

# The program travels to other machines, and into caches of CI.
check-size: build
	@size=$$(wc -c < $(BIN)/assay); echo "bin/assay: $$size bytes of 45,000,000"; test $$size -le 45000000

# The database is on the network. Not to reach it is no fault of the code, and
# is said; anything else that goes wrong is one.
check-vuln:
	@echo govulncheck
	@out=$$($(GO) run $(GOVULNCHECK) ./... 2>&1); status=$$?; \
	case "$$status,$$out" in \
	0,*) ;; \
	*"fetching vulnerabilities:"*) echo "skipped: the vulnerability database cannot be reached from here" ;; \
	*) echo "$$out"; exit $$status ;; \
	esac

# Prints ratios, not verdicts: nothing fails here because a machine is slow. The
# last one takes 8 minutes, and ASSAY_ROUNDS=10 of it what a claim needs.
bench: tools hyperfine
	$(GO) test -run '^$$' -bench 'Interval|EAt|More' ./internal/stats
	$(GO) test -run '^$$' -bench Fingerprint ./internal/binary
	$(GO) test -run '^$$' -bench CompareCode -benchtime 1x ./internal/explain/code
	$(GO) test -run '^$$' -bench Million -benchtime 3x -benchmem ./internal/analysis
	PATH="$(BIN):$$PATH" $(GO) test -run '^$$' -bench MillionLines -benchtime 1x ./cmd/assay
	$(GO) test -run '^$$' -bench Overhead -benchtime 300x ./internal/trial
	$(GO) test -run '^$$' -bench CommandCost -benchtime 4x ./internal/trial
	$(GO) test -run '^$$' -bench Read ./internal/knobs ./internal/collect/gctrace
	$(GO) test -run '^$$' -bench Distribute ./internal/analysis/distribution
	$(GO) test -run '^$$' -bench 'Watch|Idle' ./internal/child ./internal/trial
	$(GO) test -run '^$$' -bench EightVariants -benchtime 1x -timeout 30m ./internal/build
	$(GO) test -run '^$$' -bench 'Gears|GOGC|Values|Lumps' -benchtime 1x -timeout 120m ./internal/local

# Sizes and times of pages.
bench-page: build chromium web/node_modules
	cd web && npm run --silent bench

# What the cost of a command is compared with, what puts a database under load in the
# tests of services, the browser, and what else tests look with. Where they may not be
# installed, what needs them is skipped, but for .ci/run, which skips nothing.
hyperfine sysbench qemu-aarch64-static chromium tmux groff jq pdftotext gcc:
	@command -v $@ >/dev/null || { $(INSTALL) } || { \
		echo "$@ is not installed (Debian's package: $(or $(DEBIAN_$@),$@)): $(if $(ASSAY_TEST_ALL),tests need it,what needs it is skipped)"; \
		$(if $(ASSAY_TEST_ALL),exit 1,true); }

# The other machines of tests. It is in few users' PATH. It is not installed where systemd
# would also start a server for everybody, but in a container.
sshd:
	@[ -x /usr/sbin/sshd ] || { [ ! -d /run/systemd/system ] && $(INSTALL) } || { \
		echo "sshd is not installed (Debian's package: openssh-server): $(if $(ASSAY_TEST_ALL),tests need it,what needs it is skipped)"; \
		$(if $(ASSAY_TEST_ALL),exit 1,true); }

# Without it there is no page to test.
npm:
	@command -v $@ >/dev/null || { $(INSTALL) } || { echo "npm is not installed: get node 20 or newer"; exit 1; }

DEBIAN_npm := nodejs npm
DEBIAN_pdftotext := poppler-utils
DEBIAN_qemu-aarch64-static := qemu-user-static
DEBIAN_sshd := openssh-server
INSTALL = [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && \
	{ apt-get install -qy $(or $(DEBIAN_$@),$@) || { apt-get update -q && apt-get install -qy $(or $(DEBIAN_$@),$@); }; };

clean:
	rm -rf $(BIN)
