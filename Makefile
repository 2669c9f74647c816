# Every recipe runs on the Node that node_modules brings; of the machine's own (20 or later) only npm makes use.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help

MACHINE_PATH := $(PATH)
export PATH := $(CURDIR)/node_modules/.bin:$(PATH)

INSTALLED := node_modules/.package-lock.json
CHECKS := types lint format direction deadcode generated
VITEST := node node_modules/vitest/vitest.mjs run

.PHONY: help install demo test check $(CHECKS:%=check-%) build controlplane generate bench-apply bench-waves bench-cluster-waves bench-cli bench-steady bench-drift bench-large faults leader-kills watch-cuts clean

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /  make \1\t/p' $(firstword $(MAKEFILE_LIST)) | expand -t 21

demo: install build ## a shop applied on a real Kubernetes, live (KEEP=1 leaves it running)
	@node test/demo/demo.ts

test: install build controlplane ## the whole suite (TESTS=path narrows it, REPORT=file writes JSON too)
	@$(VITEST) $(if $(REPORT),--reporter=default --reporter=json --outputFile.json=$(REPORT)) $(TESTS)

check: install ## types, lint, format, dependency direction, dead code, generated files
	@$(MAKE) --no-print-directory --keep-going $(CHECKS:%=check-%)

# What each runs stands in package.json. Its two lines are what .ci/run counts.
$(CHECKS:%=check-%): check-%: install
	@echo 'check: $*'
	@npm run --silent check:$*
	@echo 'check passed: $*'

build: install ## dist/kubectl-convoy, and dist/image: the programs that run in a cluster
	@node plugin/build.ts
	@node manifests/image/build.ts

controlplane: install ## the Kubernetes and the OCI registry that tests and demo run on (about 7 minutes once, then cached)
	@node test/controlplane/build.ts
	@node test/registry/build.ts

generate: install ## CRDs and docs/api.md from api/
	@node manifests/generate.ts

bench-apply: build controlplane ## 500 ConfigMaps against a bare loop of applies
	@node test/bench/apply.ts

bench-waves: build controlplane ## 20 gated waves against one, and the time from a wave being ready to the next
	@node test/bench/waves.ts

bench-cluster-waves: build controlplane ## 200 Releases that wait for one: how long from its being healthy until each is being applied
	@node test/bench/clusterWaves.ts

bench-cli: build controlplane ## kubectl convoy waves status against kubectl get, each as a whole process
	@node test/bench/cli.ts

bench-steady: build controlplane ## 1,000 Releases of 10 objects while nothing happens, and a restart
	@node test/bench/steady.ts

bench-drift: build controlplane ## 2,000 objects that somebody edits and deletes: how long until each is put right
	@node test/bench/drift.ts

bench-large: build controlplane ## 5,000 objects applied, pruned to 10 and deleted: the controller's memory and its answers
	@node test/bench/large.ts

faults: install controlplane ## the controller killed at 100 moments of applies, prunes and deletions, and what became of it
	@node test/faults/killed.ts

leader-kills: install controlplane ## the leading one of two controllers killed or frozen 50 times: how soon the other one acts, and that one acts at a time
	@node test/faults/killedLeaders.ts

watch-cuts: install controlplane ## connections to the API server cut, frozen and refused 100 times, and it restarted: how long each held things up
	@node test/faults/cutWatches.ts

clean: ## remove what was built and installed here
	@rm -rf dist node_modules

install: $(INSTALLED)
	@:

# npm replaces node_modules, so it cannot run on the Node in there.
$(INSTALLED): package-lock.json
	@echo 'installing the packages of package-lock.json …'
	@PATH='$(MACHINE_PATH)' npm ci --loglevel=error --no-progress
	@touch $@
