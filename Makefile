# Two commands do everything: `make run` to hear and see it, `make test` to trust it.

.PHONY: help run test check docs site deb test-deb release check-release learning test-learning churn-demo soak hostile pairs kills ledger bench sanitize fuzz build clean

help:                 ## What can be made
	@sed -n 's/^\([a-z-]*\):[^#]*## /\1\t/p' Makefile | expand -t 12

run: build            ## A visitor's half minute, live: journal, WAV and picture under out/
	@scripts/run

test:                 ## Installs what is missing, builds, runs every test
	@scripts/install-packages tests
	@scripts/test

check:                ## The quick loop: unit tests, no sound server, no spawned programs
	@swift test --quiet --explicit-target-dependency-import-check error --skip "AcceptanceTests|GuestTests"

docs:                 ## Writes what is made out of the sources: docs/reference, tables in docs/, examples/thrum.yaml, themes/standard.yaml
	@THRUMDEV_DOCS=write swift test --quiet --filter "DocumentTests|MetricsTests|ProtocolPageTests|ReferencePagesTests|ThemeLibraryTests|WaysInTests"

site:                 ## The documentation as pages with a search under out/site, which need no network
	@scripts/site

learning:             ## What learns from visits (docs/learning.md), with its packages under .build/python-learning
	@learning/thrum-learn --help

test-learning:        ## Its tests, which need no engine
	@learning/thrum-learn self-test

churn-demo: build     ## Simulated visits, a model learned from them, and a live session that uses it: under out/learning
	@learning/thrum-learn demo

bench:                ## How fast it is: make bench WHAT=render (or latency, rules, socket, page, touch, card, start, growth, all)
	@scripts/bench "$(or $(WHAT),render)"

deb:                  ## The Debian packages under out/
	@scripts/install-packages deb
	@scripts/build-release -f
	@THRUMDEV_BIN=.build/release scripts/build-deb

test-deb:             ## The packages in a plain Debian 12 and a plain Debian 13, and there with real systemd in a virtual machine
	@scripts/install-packages tests
	@scripts/build-release -f
	@deb=$$(THRUMDEV_BIN=.build/release scripts/build-deb | tail -n 1) && scripts/check-deb "$$deb" && scripts/check-deb -r 13 "$$deb"

release:              ## A signed apt repository, a bill of materials, the site and checksums under out/release: make release KEY=FINGERPRINT
	@scripts/install-packages deb
	@scripts/release $(if $(KEY),-k "$(KEY)")

check-release:        ## Makes a release twice, compares the bytes, and has a Debian 12 and a Debian 13 install, upgrade and remove it
	@scripts/install-packages tests
	@scripts/check-release

soak: build           ## 200,000 visitors, and a day of them: whether thrumd needs more for the last than for the first
	@scripts/soak

hostile: build        ## Ten minutes' storm of dear messages on every way in, while a tone is held
	@scripts/install-packages
	@scripts/hostile

pairs: build          ## 2,000 pairs of daemons that are started at once: of each pair one serves
	@THRUMDEV_PAIRS=2000 THRUMDEV_BIN="$$PWD/.build/release" swift test --filter "InstanceTests.*started at once"

kills:                ## 2,000 kills of a program that writes to the state database: nothing that was said to be kept is lost
	@THRUMDEV_KILLS=2000 swift test --filter KillTests

ledger:               ## 1,000,000 random actions on a ledger from 8 clients, with a kill every four seconds
	@swift build -c release --product metronomed
	@THRUMDEV_LEDGER_ACTIONS=1000000 THRUMDEV_LEDGER_PROGRAM="$$PWD/.build/release/metronomed" swift test --filter LedgerLoadTests

build:                ## Release programs under .build/release
	@scripts/install-packages
	@scripts/build-release

clean:
	swift package clean
	rm -rf out

sanitize:             ## Thread and address sanitizers over the rings, the renderer and the output
	@scripts/install-packages tests
	@scripts/sanitize

fuzz:                 ## Ten minutes of libFuzzer for each parser of untrusted input; chooses the seeds anew
	@KEEP=yes scripts/fuzz 600
