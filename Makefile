.DEFAULT_GOAL := help
.PHONY: kernels cuda speed help build verify test short race fuzz mutants bench exhaustive lint agreement large release release-check other-path clean

STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2
FUZZTIME ?= 5s

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

build: ## build ./stealproof
	go build -o stealproof ./cmd/stealproof

verify: ## check the published queues on this machine, about a minute
	go run ./cmd/stealproof verify

test: ## all tests
	go test ./...

short: ## the tests that take seconds each
	go test -short ./...

# A simulation is one coroutine at a time; races can only be where there are workers,
# and of fuzz only these packages have any.
RACY := Worker|Campaign|Native|Interrupt|Mutat|Queue|Check|Find|Command|Progress|Exhaust.*Weak|ExhaustPrograms|Silent

race: ## the short tests of what has goroutines, under the race detector
	go test -short -race ./model ./linearize ./linearize/format ./linearize/internal/limits ./linearize/record ./ref ./gpu
	go test -short -race -run '$(RACY)' ./fuzz ./fuzz/exhaust ./fuzz/fences ./fuzz/mutate ./fuzz/queuetest ./cmd/...

# The fuzzing engine now and then reports its own deadline as a failure, without
# an input that fails: such a target is run again.
fuzz: ## every fuzz target for FUZZTIME each
	@for dir in $$(grep -rlE --include='*_test.go' '^func Fuzz[A-Za-z0-9]+\(' . | xargs -n1 dirname | sort -u); do \
	  for target in $$(grep -hoE '^func Fuzz[A-Za-z0-9]+' $$dir/*_test.go | cut -d' ' -f2); do \
	    echo "$$dir $$target"; \
	    for try in 1 2 3; do \
	      if out=$$(go test $$dir -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) 2>&1); then echo "$$out"; break; fi; \
	      echo "$$out"; \
	      case "$$try $$out" in \
	        3*|*"Failing input"*) exit 1 ;; \
	        *"context deadline exceeded"*) echo "once more" ;; \
	        *) exit 1 ;; \
	      esac; \
	    done; \
	  done; \
	done

mutants: ## the mutation score of every structure, some minutes
	go run ./cmd/stealproof mutants --all

bench: ## all benchmarks
	go test -run '^$$' -bench . -benchmem ./...

speed: ## the tables of docs/speed.md, for this machine, some ten minutes
	go test ./linearize -run '^$$' -bench 'CheckLarge|ViolationAtTheEnd' -benchtime 1x -cpu 1 -timeout 0
	go test ./linearize/format -run '^$$' -bench 'Read$$' -cpu 1
	go test ./linearize/format ./linearize -run '^$$' -bench 'ReadBinary|Validate|WriteBinary|Objects' -benchtime 3x -timeout 0

exhaustive: ## the table of docs/exhaustive.md, for this machine
	go test ./fuzz/exhaust -run '^$$' -bench 'Exhaustive|Estimates'

lint: ## formatting, vet, static analysis
	@test -z "$$(gofmt -l .)" || { echo "not formatted:"; gofmt -l .; exit 1; }
	go vet ./...
	go run $(STATICCHECK) ./...

agreement: ## monitors against porcupine on 5 million histories per model (10 to 40 minutes)
	STEALPROOF_AGREEMENT=5000000 go test -run "Agreement$$" -timeout 0 -v ./linearize/internal/monitor ./linearize/internal/search

large: ## the tests that are smaller otherwise, at full size: large histories, the pages, verify (some minutes)
	STEALPROOF_LARGE=1 go test -run 'Large|Planted|KnownOrders|Causal|Certificates|Agreement|Exhaustive|FarApart|MostInside|AtOneStamp|OneTooMany|Windows|AnythingInMemory' ./linearize/...
	STEALPROOF_LARGE=1 go test -run ValidateAgrees ./model
	STEALPROOF_LARGE=1 go test ./ref/litmus ./ref/litmus/picture
	STEALPROOF_LARGE=1 go test -run 'FormsAgainst|KernelsAreCurrent' ./ref/ptx/instances ./gpu
	STEALPROOF_LARGE=1 go test -run 'Commands|Verify|OfAKernel|WholeKernels|FencesOfModules|PageOfMutants' ./cmd/...
	STEALPROOF_LARGE=1 go test -run 'ReasonsOfSurvivors|PartsOfWords|SuitesHold|ShrunkDefects|LoopsOnWeakMemory|ReductionLosesNoHistory|GraphsHaveTheHistories|GraphsAreAsMany|WithoutTheDefect|WithoutFailedRoundsSuffice|ManyWrites|ShrinkingAWrap|ReachesTheMinimum|WholeStructures|HoldNative|SpinsOfSeveral|BufferingAgrees|DependenciesAreFound|LitmusModules|ClientsAreThoseOfAllSignals|WeakMemoryAgrees|OpenFencesAgree|GraphsAgree|InterruptedSearches|AnyNumberOfWorkers|StrictestHistories|Estimates|EveryPlantedDefect|TimesOfWeak|EveryKind|UsedAgain|WideCounters|OneOrderOfProcesses|Processors|OrderSC|DataRaces|LongExecutions' -timeout 30m ./fuzz/...

kernels: ## compile the CUDA kernels to PTX (needs clang-16)
	gpu/scripts/kernels.sh

cuda: ## build bin/stealproof-cuda, for machines with a GPU (see docs/gpu.md)
	eval "$$(gpu/scripts/toolchain.sh)"; go build -tags cuda -o bin/stealproof-cuda ./cmd/stealproof

release: ## the binaries of a release and their checksums, in dist/ (VERSION=, TARGETS=)
	.ci/release dist

release-check: ## build a release twice, from two folders, and compare; and what is in the container: some minutes for all TARGETS
	.ci/release-check
	STEALPROOF_RELEASE=1 go test -run 'Container' ./cmd/stealproof

other-path: ## build a copy of the module under another path
	.ci/other-path

clean: ## remove what was built
	rm -rf stealproof bin/stealproof-cuda dist
	go clean -fuzzcache
