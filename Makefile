# Everything here is a thin name for a go command; "make" alone lists them.

GOLANGCI_VERSION := v2.14.0
GOLANGCI         := .bin/golangci-lint-$(GOLANGCI_VERSION)
# The suite needs a newer interpreter than many machines have.
CONFORMANCE_VERSION := 0.2.0-alpha.12
CONFORMANCE_NODE    := 22.23.3
# What scan is compared with. It is built as a tool of its own, with the Go that it asks for.
OSV_SCANNER_VERSION := v2.6.0
OSV_SCANNER         := .bin/osv-scanner-$(OSV_SCANNER_VERSION)
VERSION          ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)

# The packages that do things at the same time, but those that need the sandbox
# or its engine: building these for the race detector takes longer than all else.
RACED = $(addprefix ./internal/, acquire/analysiscache acquire/archive acquire/cache acquire/gateway acquire/registry acquire/source/npm acquire/source/pypi \
	acquire/source/staging drive/httpprobe drive/oauth drive/remote drive/session drive/transport network/capture network/fakenet/authority network/fakenet/egress \
	network/fakenet/execproof network/fakenet/host network/fakenet/names observe/leak observe/monitor observe/trace sandbox/decoys sandbox/wire \
	service/blob service/server service/store service/tracing service/worker)

.DEFAULT_GOAL := help
.PHONY: help build test nightly full-size race lint cross judges compare quality quality-part quality-fast repeat load traces corpus pairs cve bench bench-service faults public startup depth duration conformance everything trees generate manifests cluster containers containment clean

help: ## list the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-12s %s\n", $$1, $$2}'

build: ## build the static binary into bin/
	CGO_ENABLED=0 go build -trimpath -ldflags "-s -w -X main.version=$(VERSION)" -o bin/mcpsf ./cmd/mcpsf

test: ## run every test; sandbox tests skip with a reason where there can be none
	go test ./...

race: ## run the tests of packages with goroutines under the race detector
	go test -race -shuffle=on $(RACED)

lint: $(GOLANGCI) ## run golangci-lint
	$(GOLANGCI) run

$(GOLANGCI):
	GOBIN=$(CURDIR)/.bin go install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$(GOLANGCI_VERSION)
	mkdir -p $(@D)
	mv .bin/golangci-lint $@

# Each is a step of its own: its name, how long it took, and on to the next one
# even if it failed. The variable makes tests take their full size.
NIGHTLY := lint full-size race faults containment judges manifests cross quality-part

nightly: ## run what is too long for every push: full-size tests, race, faults, containment, judges, manifests, cross builds, a third of the corpus (hours)
	@failed=; for step in $(NIGHTLY); do \
		echo "=== $$step"; began=$$(date +%s); \
		MCPSF_NIGHTLY=1 $(MAKE) --no-print-directory $$step || failed="$$failed $$step"; \
		echo "--- $$step: $$(($$(date +%s) - began)) s"; \
	done; \
	if [ -n "$$failed" ]; then echo "FAILED:$$failed" >&2; exit 1; fi

# The packages whose tests look at the variable; all others are the same on every push.
FULL = $(shell grep -rlE 'MCPSF_NIGHTLY|assesstest\.(Nightly|Sometimes)' --include='*_test.go' . | xargs -n 1 dirname | sort -u)

full-size: ## run the tests that are shortened on every push at their full size
	MCPSF_NIGHTLY=1 MCPSF_REQUIRE_SANDBOX=1 go test -timeout 60m $(FULL)

cross: ## build for the other platforms
	GOOS=linux GOARCH=arm64 CGO_ENABLED=0 go build -o /dev/null ./cmd/mcpsf
	GOOS=darwin GOARCH=arm64 CGO_ENABLED=0 go build -o /dev/null ./cmd/mcpsf

judges: ## let the authors' own validators of GraphQL and OpenAPI read what the made-up hosts answer
	python3 -m pip install -q --disable-pip-version-check --root-user-action=ignore --upgrade --target .bin/judges graphql-core openapi-spec-validator jsonschema
	PYTHONPATH=$(CURDIR)/.bin/judges MCPSF_REQUIRE_JUDGES=1 go test -count=1 -run 'TestGraphIntrospection|TestOpenAPIIsValid|TestJSONMatchesTheSchema|TestValidators' ./internal/network/fakenet/host ./internal/network/fakenet/services ./schema/... ./internal/report

compare: build $(OSV_SCANNER) ## scan ten public servers beside OSV-Scanner, and write docs/static-comparison.md (half an hour)
	go run ./bench/compare -page docs/static-comparison.md

$(OSV_SCANNER):
	GOBIN=$(CURDIR)/.bin GOTOOLCHAIN=auto go install github.com/google/osv-scanner/v2/cmd/osv-scanner@$(OSV_SCANNER_VERSION)
	mv .bin/osv-scanner $@

# One run for both: STORE=corpus/traces also records the runs that quality-fast
# judges. RESUME=1 goes on with an interrupted run.
quality: build ## assess every labelled server, write docs/quality.md, fail below corpus/floors.yaml (about 40 minutes); STORE=corpus/traces, RESUME=1
	go test -count=1 ./internal/judge/rules/...
	MCPSF_REQUIRE_SANDBOX=1 go test -count=1 -run 'Example' ./internal/assess
	go run ./bench/corpus -floors corpus/floors.yaml -page docs/quality.md $(if $(STORE),-store '$(STORE)') $(if $(RESUME),-resume)

# The whole corpus does not fit into a night beside all else: each night takes
# another third, by the day of the year, and judges the kept runs of the rest.
PART ?= $(shell expr $$(date +%j) % 3 + 1)/3

quality-part: build ## assess PART=I/3 of the labelled servers, judge the kept runs of the others, fail below corpus/floors.yaml; RESUME=1
	go run ./bench/corpus -traces corpus/traces -part '$(PART)' -floors corpus/floors.yaml $(if $(RESUME),-resume)

quality-fast: ## judge the kept runs of the corpus by today's rules, fail below corpus/floors.yaml (seconds)
	go run ./bench/corpus -traces corpus/traces -floors corpus/floors.yaml

# Of everything a little: takes less than five minutes once.
REPEATED := https-json,dns-labels,doh-wire,enc-xor,env-dump,file-copied,git-push,mail-bcc-smtp,mcp-result,metadata-theft,persist-cron,pinning-ca,raw-udp,roots-beyond,says-readonly,shell-pty,smtp-starttls,split-queries,stage-exec,token-second-host,trigger-idle,turn-calls,beacon,ask-password,ok-backup,ok-shell,ok-mail-smtp,ok-season,ok-websocket,command-injection-1,path-traversal-1,ssrf-1,sql-injection-1,redos-1-py,protocol-1-js
TIMES    ?= 20

repeat: build ## assess a part of the corpus TIMES=20 times, fail if anything comes out differently (an hour)
	go run ./bench/corpus -repeat $(TIMES) -only '$(or $(ONLY),$(REPEATED))'

# Of each kind one or two: thefts, what is timed, attacks, honest ones.
LOADED := https-json,dns-labels,trigger-idle,beacon,turn-calls,ok-backup,ok-websocket,command-injection-1-py,redos-1-js,sql-injection-1-py
LOOPS  ?= 8

load: build ## assess a part of the corpus idle and beside LOOPS=8 busy loops, fail if a verdict differs (half an hour)
	go run ./bench/corpus -load $(LOOPS) -only '$(or $(ONLY),$(LOADED))'

traces: build ## record the runs of the corpus that quality-fast judges; ONLY=NAME for some
	go run ./bench/corpus -only '$(ONLY)' -store corpus/traces

corpus: build ## assess every example in corpus/ (about an hour); ONLY=NAME for some
	go run ./bench/corpus -only '$(ONLY)'

pairs: build ## assess the vulnerable servers and their fixed twins, and write the table into docs/corpus.md (about 40 minutes)
	go run ./bench/corpus -only vuln-,fixed- -table docs/corpus.md

cve: ## replay published vulnerabilities of public servers (an hour or more)
	go run ./bench/cve

bench-service: build ## measure the queue on SQLite beside PostgreSQL, and assessments a minute with 1, 2 and 4 at a time
	go run ./bench/service

faults: ## kill the service, its workers and PostgreSQL during 200 jobs; a database gone for 30 s, full disks, crowds, hostile archives
	MCPSF_FAULT_JOBS=200 MCPSF_FAULT_SECONDS=30 MCPSF_REQUIRE_POSTGRES=1 MCPSF_REQUIRE_SANDBOX=1 \
		go test -count=1 -timeout 60m -v -run 'TestFaults|TestKilled|TestOutage|TestFull|TestCrowd|TestHostileUploads' ./cmd/mcpsf ./internal/service/worker

conformance: ## let the protocol's own suite try the driver, and write docs/conformance.md
	npm install --silent --no-fund --no-audit --prefix .bin/conformance @modelcontextprotocol/conformance@$(CONFORMANCE_VERSION) node@$(CONFORMANCE_NODE)
	go build -o .bin/conform ./bench/conform
	.bin/conform -suite .bin/conformance

everything: build ## use the SDKs' servers with one of everything, and write the table into docs/conformance.md (about 15 minutes)
	go run ./bench/everything

public: build ## assess public servers with BEFORE=BINARY and with this build, and write reports/public.md (hours); ONLY=NAME for some
	go run ./bench/public -before '$(BEFORE)' -after bin/mcpsf -only '$(ONLY)' -page reports/public.md

startup: ## try the listed public servers one after another (an hour or more)
	go run ./bench/startup

depth: build ## count the tools of the listed public servers that work, with BEFORE=BINARY and with this build (hours); ONLY=NAME for some, into reports/depth.md
	go run ./bench/depth -before '$(BEFORE)' -after bin/mcpsf $(if $(ONLY),-only '$(ONLY)' -page reports/depth.md)

duration: build ## compare how long balanced assessments take with BEFORE=BINARY and with this build (minutes for each source)
	go run ./bench/duration -before '$(BEFORE)' -after bin/mcpsf

bench: ## measure start, calls, events and memory beside native and bare gVisor; the network; the inventory
	go run ./bench
	go run ./bench/network
	go run ./bench/rules
	go run ./bench/inventory
	go run ./bench/added
	go run ./bench/profiles
	go run ./bench/advisory

generate: ## write the generated files anew: schema/, docs/rules.md, docs/rule-conditions.md
	go test ./schema -run TestDrift -update
	go test ./internal/judge/rules -run 'PageIsUpToDate$$' -update

cluster: ## let a real API server of Kubernetes, built from its modules, take what is in deploy/ (the first time half an hour)
	cd deploy/validate && go test -tags apiserver -run APIServer .

containers: build .bin/docker-compose ## build and use the image and the Compose file with a real Docker engine (root, Debian; half an hour)
	deploy/try/run.sh

# Its module forbids go install; a module around it does not.
.bin/docker-compose:
	mkdir -p .bin/compose
	cd .bin/compose && rm -f go.mod && go mod init compose && GOFLAGS=-mod=mod go get github.com/docker/compose/v2@v2.40.3 && GOFLAGS=-mod=mod go build -o ../docker-compose github.com/docker/compose/v2/cmd

manifests: ## let Kubernetes, Kustomize and Compose read what is in deploy/
	cd deploy/validate && go test ./...

trees: ## compare the packages found in installed servers with what npm and pip say (minutes)
	MCPSF_REGISTRY_TREES=1 go test -count=1 -v -run Registry ./internal/static/inventory

containment: ## let the bombs go off: forks, memory, disk, output, escapes
	MCPSF_REQUIRE_SANDBOX=1 go test -count=1 -v -run 'Containment|Escape|TestInstall' $(addprefix ./internal/assess/assesstest/, containment install) ./cmd/mcpsf

clean: ## remove what was built here
	rm -rf bin .bin reports
