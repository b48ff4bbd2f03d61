package spec

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
)

const fullStudy = `# everything that there is
name     = "full"
question = "Which?"
base     = "go1.26.0"
seed     = 42
files    = ["bench.sh", "testdata/", "data/*.json"]

[source]
dir = "../mere"
go  = "go1.26.0"

[[variant]]
name = "go1.26.0"

[[variant]]
name       = "all-off"
go         = "path:/opt/go"
rev        = "HEAD~1"
experiment = ["nogreenteagc", "nosizespecializedmalloc"]
gcflags    = ["all=-d=variablemakehash=n", "-l"]
ldflags    = ["-w"]
tags       = ["a", "b"]
pgo        = "cpu.pprof"
build      = { GOAMD64 = "v3", CGO_ENABLED = 0 }

[variant.env]
GOGC    = 200
GODEBUG = "madvdontneed=1"
DSN     = { secret = "dsn of pg" }

[[variant]]
name   = "released"
module = "github.com/pelletier/go-toml/v2@v2.3.1"
pgo    = "off"

[[workload]]
name        = "codec"
kind        = "go-test"
packages    = ["./codec", "./..."]
bench       = '^BenchmarkDecode$/large|small'
benchtime   = "1000x"
benchmem    = true
build_flags = ["-race", "-tags=x"]
test_flags  = ["-short", "--test.parallel=2"]
args        = ["-data", "big"]

[[workload]]
benchtime = "1s"

[[machine]]
label = "here"
host  = "local"

[[machine]]
host    = "ssh:me@bench1.lan:2222"
goarch  = "arm64"
require = { power = "mains", cpus = 8, tools = ["sysbench", "wrk2"], noise = "2%" }

[[machine]]
host = "mac-mini"

[[machine]]
agent     = "m4"
exclusive = true

[[machine]]
label = "quiet ones"
pool  = { labels = ["quiet", "x86"], goos = "linux", goarch = "amd64", cpus = 8, tools = ["wrk2"] }

[decide]
metric     = ["time", "allocs/op", "p99-ns"]
min_effect = { default = "2%", time = "0.5%", "allocs/op" = "7%" }
confidence = "95%"
blocks     = "8-20"
budget     = "2h"
gate       = "5%"

[measure]
trial      = "70ms"
layouts    = 1
gomaxprocs = 1
timeout    = "30s"
collect    = ["allocs"]
force      = true
`

func fullWant() *assay.Study {
	return &assay.Study{
		Name: "full", Question: "Which?", Base: "go1.26.0",
		Source: assay.Source{Dir: "../mere", Go: "go1.26.0"},
		Variants: []assay.Variant{
			{Name: "go1.26.0"},
			{
				Name: "all-off", Go: "path:/opt/go", Rev: "HEAD~1",
				Experiment: []string{"nogreenteagc", "nosizespecializedmalloc"},
				Build:      map[string]string{"GOAMD64": "v3", "CGO_ENABLED": "0"},
				GCFlags:    []string{"all=-d=variablemakehash=n", "-l"}, LDFlags: []string{"-w"}, Tags: []string{"a", "b"},
				PGO: "cpu.pprof", Env: map[string]string{"GOGC": "200", "GODEBUG": "madvdontneed=1"},
				Secrets: map[string]string{"DSN": "dsn of pg"},
			},
			{Name: "released", Module: "github.com/pelletier/go-toml/v2@v2.3.1"},
		},
		Workloads: []assay.Workload{
			{
				Name: "codec", Kind: "go-test", Packages: []string{"./codec", "./..."}, Bench: "^BenchmarkDecode$/large|small",
				BenchIters: 1000, BuildFlags: []string{"-race", "-tags=x"}, TestFlags: []string{"-short", "-parallel=2"},
				Args: []string{"-data", "big"},
			},
			{Kind: "go-test", BenchTime: time.Second},
		},
		Files: []string{"bench.sh", "testdata/", "data/*.json"},
		Hosts: []assay.Host{
			{Label: "here", Address: "local"},
			{Label: "bench1.lan-2222-arm64", Address: "ssh:me@bench1.lan:2222", GOARCH: "arm64",
				Require: assay.Require{Power: "mains", CPUs: 8, Tools: []string{"sysbench", "wrk2"}, Noise: 0.02}},
			{Label: "mac-mini", Address: "mac-mini"},
			{Label: "m4", Address: "agent:m4", Exclusive: true},
			{Label: "quiet ones", Address: "pool:quiet,x86", Pool: assay.Pool{Labels: []string{"quiet", "x86"}, GOOS: "linux", GOARCH: "amd64", CPUs: 8, Tools: []string{"wrk2"}}},
		},
		Measure: assay.Measure{
			Trial: 70 * time.Millisecond, Layouts: 1, GOMAXPROCS: 1, Timeout: 30 * time.Second,
			Seed: 42, Force: true,
		},
		Decide: assay.Decide{
			Metrics: []string{"sec/op", "allocs/op", "p99-ns"}, MinEffect: 0.02,
			MinEffects: map[string]float64{"sec/op": 0.005, "allocs/op": 0.07},
			Confidence: 0.95, MinBlocks: 8, MaxBlocks: 20, Budget: 2 * time.Hour, Gate: 0.05,
		},
	}
}

func TestParseEverything(t *testing.T) {
	got, err := Parse("full.toml", []byte(fullStudy))
	if err != nil {
		t.Fatal(err)
	}
	if want := fullWant(); !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

// TestParseDefaults: only variants are needed, and they may be written in any
// of the ways TOML has for a list of tables.
func TestParseDefaults(t *testing.T) {
	want := &assay.Study{
		Base: "a", Variants: []assay.Variant{{Name: "a"}, {Name: "b", Env: map[string]string{"GOGC": "50"}}},
		Workloads: []assay.Workload{{Kind: "go-test"}},
	}
	want.SetDefaults()
	for _, text := range []string{
		"[[variant]]\nname = 'a'\n[[variant]]\nname = 'b'\nenv.GOGC = 50\n",
		"variant = [{name = 'a'}, {name = 'b', env = {GOGC = '50'}}]\n",
		"[[variant]]\r\nname = 'a'\r\n[[variant]]\r\nname = 'b'\r\n[variant.env]\r\nGOGC = '''50'''\r\n",
	} {
		got, err := Parse("study.toml", []byte(text))
		if err != nil {
			t.Errorf("%q: %v", text, err)
		} else if !reflect.DeepEqual(got, want) {
			t.Errorf("%q:\ngot  %+v\nwant %+v", text, got, want)
		}
	}
}

func TestParseBy(t *testing.T) {
	for _, test := range []struct {
		text     string
		base     string
		variants []assay.Variant
	}{
		{"base = 'baseline'\n[by]\nkey = '/func_(.+)'\nnames = ['baseline', 'noAppend']\n", "baseline", []assay.Variant{{Name: "."}}},
		{"[by]\nkey = '/impl'\n", "", []assay.Variant{{Name: "."}}},
		{"base = 'found later'\n[by]\nkey = '/impl'\n[[variant]]\nname = 'build'\ngo = 'go1.26.0'\n", "found later",
			[]assay.Variant{{Name: "build", Go: "go1.26.0"}}},
		{"base = 'x'\n[by]\nkey = '/impl'\n[[variant]]\nname = 'x'\nselect = 'X'\n[[variant]]\nname = 'y'\nselect = 'Y'\n", "x",
			[]assay.Variant{{Name: "x", Select: "X"}, {Name: "y", Select: "Y"}}},
	} {
		s, err := Parse("study.toml", []byte(test.text))
		if err != nil {
			t.Errorf("%q: %v", test.text, err)
			continue
		}
		if s.Base != test.base || !reflect.DeepEqual(s.Variants, test.variants) {
			t.Errorf("%q: got base %q, variants %+v", test.text, s.Base, s.Variants)
		}
	}
}

// TestParseErrors holds text and place of every error that a study file can
// have.
func TestParseErrors(t *testing.T) {
	// The lines below follow a good variant, so they start on line 3.
	good := "[[variant]]\nname = \"a\"\n"
	for _, test := range []struct{ name, text, want string }{
		// ux.md 6, message 14.
		{"misspelled key", good + "experiments = [\"x\"]", `s.toml:3:1: unknown key "experiments" in [[variant]]; did you mean "experiment"?   [study-key]`},
		{"secret without name", good + "env = { A = {} }", `s.toml:3:13: A names no secret: write { secret = "NAME" }   [study-value]`},
		{"secret with another key", good + "env = { A = { secrets = \"a\" } }", `s.toml:3:15: unknown key "secrets" in a secret; did you mean "secret"?   [study-key]`},
		{"secret as a path", good + "env = { A = { secret = \"../a\" } }", `s.toml:3:24: secret = "../a" could be a path; the name of a secret has no slashes, and no dot in front   [study-value]`},
		{"secret of the runtime", good + "env = { GOGC = { secret = \"a\" } }", `s.toml:3:9: GOGC cannot be a secret: it is a setting of the Go runtime, and results show it   [study-value]`},
		{"secret of a build", good + "build = { GOFIPS140 = { secret = \"a\" } }", `s.toml:3:23: GOFIPS140 = {…} is not text in quotes   [study-value]`},
		{"secret variable", good + "env = { \"a b\" = { secret = \"a\" } }", `s.toml:3:9: "a b" is not the name of a variable   [study-key]`},
		{"percent without unit", good + "[decide]\nmin_effect = 1", `s.toml:4:14: min_effect = 1 needs a unit: "1%"   [study-value]`},

		{"percent as a share", good + "[decide]\nmin_effect = 0.01", `s.toml:4:14: min_effect = 0.01 needs a unit: "0.01%" or "1%"   [study-value]`},
		{"percent text without unit", good + "[decide]\nmin_effect = \"2\"", `s.toml:4:14: min_effect = "2" needs a unit: "2%"   [study-value]`},
		{"percent nonsense", good + "[decide]\nmin_effect = \"tiny\"", `s.toml:4:14: min_effect = "tiny" is not a percentage such as "1%"   [study-value]`},
		{"percent by metric", good + "[decide]\nmin_effect = { time = \"1%\", \"B/op\" = 2 }", `s.toml:4:38: B/op = 2 needs a unit: "2%"   [study-value]`},
		{"percent range", good + "[decide]\nmin_effect = \"0%\"", `s.toml:4:14: min_effect = "0%" is outside 0% to 100%   [study-value]`},
		{"confidence range", good + "[decide]\nconfidence = \"5%\"", `s.toml:4:14: confidence = "5%" is outside 50% to 100%   [study-value]`},
		{"gate off", good + "[decide]\ngate = \"0%\"", `s.toml:4:8: gate = "0%" is no limit; a gate needs one above 0%   [study-value]`},
		{"blocks", good + "[decide]\nblocks = \"few\"", `s.toml:4:10: blocks = "few" is not a number of blocks; write "12", "8-20" or "10-"   [study-value]`},
		{"blocks turned", good + "[decide]\nblocks = \"20-8\"", `s.toml:4:10: blocks = "20-8" ends before it begins   [study-value]`},
		{"metric", good + "[decide]\nmetric = [\"time\", 3]", `s.toml:4:19: metric = 3 is not a metric such as "sec/op"   [study-value]`},
		{"metric twice", good + "[decide]\nmetric = [\"time\", \"sec/op\"]", `s.toml:4:19: metric = "sec/op" is named twice   [study-value]`},
		{"metric type", good + "[decide]\nmetric = true", `s.toml:4:10: metric = true is neither a metric nor a list of metrics   [study-value]`},
		{"duration", good + "[decide]\nbudget = 10", `s.toml:4:10: budget = 10 needs a unit: "10s" or "10m"   [study-value]`},
		{"duration nonsense", good + "[decide]\nbudget = \"soon\"", `s.toml:4:10: budget = "soon" is not a time such as "50ms" or "10m"   [study-value]`},
		{"duration negative", good + "[measure]\ntrial = \"-1s\"", `s.toml:4:9: trial = "-1s" is not above 0   [study-value]`},
		{"layouts", good + "[measure]\nlayouts = \"stale\"", `s.toml:4:11: layouts = "stale" is neither "fresh", a new layout for every block, nor 1, the linker's own   [study-value]`},
		{"number", good + "[measure]\ngomaxprocs = 0", `s.toml:4:14: gomaxprocs = 0 is not a whole number from 1   [study-value]`},
		{"boolean", good + "[measure]\nforce = \"no\"", `s.toml:4:9: force = "no" is neither true nor false   [study-value]`},
		{"collect", good + "[measure]\ncollect = [\"allocs\",\n  \"codes\"]", `s.toml:5:3: collect = "codes" is unknown; this assay knows "allocs", "code", "cpu", "gc", "mem", "perf" and "rss"   [study-value]`},
		{"explain function", good + "[explain]\nfunctions = [\"a\", \"(\"]", "s.toml:4:19: functions = \"(\" is no regular expression: error parsing regexp: missing closing ): `(`   [study-value]"},
		{"explain call", good + "[explain]\ncalls = [\"\"]", `s.toml:4:10: calls = "" names no function   [study-value]`},
		{"collect twice", good + "[measure]\ncollect = [\"gc\", \"gc\"]", `s.toml:4:18: collect = "gc" is named twice   [study-value]`},
		{"metric not collected", good + "[decide]\nmetric = \"gc.mark\"", `s.toml:4:10: metric = "gc.mark" is not collected: add collect = ["gc"] to [measure]   [study-value]`},
		{"seed", "seed = -1\n" + good, `s.toml:1:8: seed = -1 is not a whole number from 0 to 18446744073709551615   [study-value]`},

		{"string type", "name = [1, 2]\n" + good, `s.toml:1:8: name = […] is not text in quotes   [study-value]`},
		{"list of one", good + "gcflags = \"-l\"", `s.toml:3:11: gcflags = "-l" is not a list: write ["-l"]   [study-value]`},
		{"list type", good + "gcflags = { a = 1 }", `s.toml:3:11: gcflags = {…} is not a list of texts   [study-value]`},
		{"item type", good + "gcflags = [\"-l\", 1979-05-27]", `s.toml:3:18: gcflags = 1979-05-27 is not text in quotes   [study-value]`},
		{"comma string", good + "experiment = [\"x\", \"y,z\"]", `s.toml:3:20: experiment = "y,z" is not one word; every word is an item of its own   [study-value]`},
		{"one table", "source = \"../mere\"\n" + good, `s.toml:1:1: "source" is a table: write [source]   [study-value]`},
		{"one table, many", "[[source]]\ndir = \"x\"\n" + good, `s.toml:1:3: "source" is a table: write [source]   [study-value]`},
		{"many tables, one", "[variant]\nname = \"a\"", `s.toml:1:2: "variant" may stand more than once: write [[variant]]   [study-value]`},
		{"mixed list", "variant = [{name = \"a\"}, 1]", `s.toml:1:26: variant = 1 is not a table   [study-value]`},

		{"key of another table", good + "[measure]\nbudget = \"10m\"", `s.toml:4:1: unknown key "budget" in [measure]; it belongs in [decide]   [study-key]`},
		{"key of the top", good + "[decide]\nbase = \"a\"", `s.toml:4:1: unknown key "base" in [decide]; it belongs at the top of the file   [study-key]`},
		{"key of a table at the top", "bench = \".\"\n" + good, `s.toml:1:1: unknown key "bench"; it belongs in [[workload]], kind = "go-test"   [study-key]`},
		{"key near nothing", "[source]\nmachinery = \"./cmd/mere\"\n" + good, `s.toml:2:1: unknown key "machinery" in [source]; it has benchmarks_from, dir, go, hide, overlay, package, repo, suite   [study-key]`},
		{"dotted key", "decide.blokcs = 3\n" + good, `s.toml:1:8: unknown key "blokcs" in [decide]; did you mean "blocks"?   [study-key]`},
		{"inline table", "variant = [{ name = \"a\", revision = \"x\" }]", `s.toml:1:26: unknown key "revision" in [[variant]]; it has build, env, experiment, gcflags, go, ldflags, modfile, module, name, pgo, rev, run, select, tags   [study-key]`},
		{"misspelled table", "[[variants]]\nname = \"a\"", `s.toml:1:3: unknown table [[variants]]; did you mean "variant"?   [study-key]`},
		{"table of a later assay", good + "\n[fleet]\nlabels = []", `s.toml:4:2: unknown table [fleet]: this assay does not know it   [study-key]`},

		{"no variants", "name = \"x\"", `s.toml:1:1: study has neither [[variant]] nor [[factor]] nor [by] nor [steps]   [study-key]`},
		{"empty", "", `s.toml:1:1: study has neither [[variant]] nor [[factor]] nor [by] nor [steps]   [study-key]`},
		{"variant without name", good + "[[variant]]\ngo = \"go1.26.0\"", `s.toml:3:3: [[variant]] has no name   [study-key]`},
		{"empty name", "[[variant]]\nname = \" \"", `s.toml:2:8: name = " " is no name   [study-value]`},
		{"reserved name", "[[variant]]\nname = \"control\"", `s.toml:2:8: name = "control" is reserved for the base's second appearance   [study-value]`},
		{"name twice", good + good, `s.toml:4:8: name = "a" is used twice   [study-value]`},
		{"base", "base = \"go1.25\"\n[[variant]]\nname = \"go1.25.7\"", `s.toml:1:8: base = "go1.25" is not a variant; did you mean "go1.25.7"?   [study-value]`},
		{"two sources", good + "rev = \"main\"\nmodule = \"x.org/y@v1.0.0\"", `s.toml:4:10: module = "x.org/y@v1.0.0" cannot be combined with rev: both say where the code comes from   [study-value]`},
		{"toolchain", good + "go = \"1.26.8\"", `s.toml:3:6: go = "1.26.8" is not a toolchain; write "go1.26.8"   [study-value]`},
		{"toolchain as number", good + "go = 1.26", `s.toml:3:6: go = 1.26 is not a toolchain; write "go1.26"   [study-value]`},
		{"no toolchain", good + "go = \"latest\"", `s.toml:3:6: go = "latest" is not a toolchain; write "go1.26.8" or "path:" and a GOROOT   [study-value]`},
		{"module", good + "module = \"x.org/y\"", `s.toml:3:10: module = "x.org/y" has no version; write "x.org/y@v1.2.3"   [study-value]`},
		{"run variable in build", good + "build = { GODEBUG = \"x\" }", `s.toml:3:11: GODEBUG is a run variable: it belongs in env   [study-key]`},
		{"build variable in env", good + "env = { GOAMD64 = \"v3\" }", `s.toml:3:9: GOAMD64 is a build variable: it belongs in build   [study-key]`},
		{"experiment in build", good + "build = { GOEXPERIMENT = \"x\" }", `s.toml:3:11: GOEXPERIMENT has a key of its own: experiment = ["…"]   [study-key]`},
		{"owned toolchain", good + "[variant.env]\nGOTOOLCHAIN = \"go1.26.8\"", `s.toml:4:1: GOTOOLCHAIN is set by assay itself; write go = "go1.26.8"   [study-key]`},
		{"owned variable", good + "[variant.build]\nGOFLAGS = \"-tags=x\"", `s.toml:4:1: GOFLAGS is set by assay itself; write the flags themselves: -tags=… -gcflags=…   [study-key]`},
		{"no variable", good + "env = { \"A B\" = \"x\" }", `s.toml:3:9: "A B" is not the name of a variable   [study-key]`},
		{"value of a variable", good + "env = { X = [] }", `s.toml:3:13: X = […] is not text in quotes   [study-value]`},
		{"env type", good + "env = \"X=1\"", `s.toml:3:7: env = "X=1" is not a table such as { GOGC = "200" }   [study-value]`},

		{"by without key", "[by]\nnames = [\"a\"]", `s.toml:1:2: [by] has no key   [study-key]`},
		{"by key", "[by]\nkey = \"func\"", `s.toml:2:7: key = "func" is neither "/name" nor a regular expression with one group such as "/func_(.+)"   [study-value]`},
		{"by regexp", "[by]\nkey = \"/func_(\"", "s.toml:2:7: key = \"/func_(\" is not a regular expression: missing closing ): `/func_(`   [study-value]"},
		{"by with variants", "[by]\nkey = \"/x\"\n[[variant]]\nname = \"a\"\n[[variant]]\nname = \"b\"", `s.toml:3:3: with [by] there is one [[variant]], the build, or each has its select   [study-key]`},
		{"by base", "base = \"c\"\n[by]\nkey = \"/x\"\nnames = [\"a\", \"b\"]", `s.toml:1:8: base = "c" is not a variant   [study-value]`},
		{"select without by", good + "select = \"x\"", `s.toml:3:1: "select" needs a [by] that says what to select by   [study-key]`},

		{"kind", good + "[[workload]]\nkind = \"server\"", `s.toml:4:8: kind = "server" is unknown; this assay knows "go-test", "command" and "service"   [study-value]`},
		{"bench", good + "[[workload]]\nbench = \"(\"", "s.toml:4:9: bench = \"(\" is not a regular expression: missing closing ): `(`   [study-value]"},
		{"benchtime", good + "[[workload]]\nbenchtime = \"manyx\"", `s.toml:4:13: benchtime = "manyx" is not a number of iterations such as "1000x"   [study-value]`},
		{"benchmem", good + "[[workload]]\nbenchmem = false", `s.toml:4:12: benchmem = false cannot be: assay always counts allocations   [study-value]`},
		{"count", good + "[[workload]]\ntest_flags = [\"-short\", \"-count=3\"]", `s.toml:4:25: test_flags = "-count=3" is refused: go test -count repeats one variant in a row; assay interleaves instead   [study-value]`},
		{"bench as flag", good + "[[workload]]\ntest_flags = [\"-bench=.\"]", `s.toml:4:15: test_flags = "-bench=." has a key of its own: bench   [study-value]`},
		{"build flag", good + "[[workload]]\ntest_flags = [\"-race\"]", `s.toml:4:15: test_flags = "-race" belongs in build_flags   [study-value]`},
		{"flag without value", good + "[[workload]]\nbuild_flags = [\"-tags\", \"x\"]", `s.toml:4:16: build_flags = "-tags" needs its value: "-tags=…"   [study-value]`},
		{"no flag", good + "[[workload]]\nbuild_flags = [\"race\"]", `s.toml:4:16: build_flags = "race" is not a flag; it starts with no dash   [study-value]`},
		{"unknown flag", good + "[[workload]]\ntest_flags = [\"-data=x\"]", `s.toml:4:15: test_flags = "-data=x" is not a flag of go test; flags of the test binary's own go into args   [study-value]`},
		{"files", "files = [\"../x\"]\n" + good, `s.toml:1:10: files = "../x" is no file, folder or pattern below the study's folder, such as "data/*.json"   [study-value]`},
		{"machine", good + "[[machine]]\nhost = \"my box\"", `s.toml:4:8: host = "my box" is neither "local" nor a name of machines.toml nor "ssh:[USER@]HOST[:PORT]"   [study-value]`},
		{"machine without ssh", good + "[[machine]]\nhost = \"me@box:22\"", `s.toml:4:8: host = "me@box:22" is no machine; write "ssh:me@box:22"   [study-value]`},
		{"machine as URL", good + "[[machine]]\nhost = \"ssh://box\"", `s.toml:4:8: host = "ssh://box" is no machine; write "ssh:box"   [study-value]`},
		{"option of ssh", good + "[[machine]]\nhost = \"ssh:-oProxyCommand=x\"", `s.toml:4:8: host = "ssh:-oProxyCommand=x" is neither "local" nor a name of machines.toml nor "ssh:[USER@]HOST[:PORT]"   [study-value]`},
		{"machine is a path", good + "[[machine]]\nhost = \"../x\"", `s.toml:4:8: host = "../x" is neither "local" nor a name of machines.toml nor "ssh:[USER@]HOST[:PORT]"   [study-value]`},
		{"port", good + "[[machine]]\nhost = \"ssh:box:70000\"", `s.toml:4:8: host = "ssh:box:70000" is neither "local" nor a name of machines.toml nor "ssh:[USER@]HOST[:PORT]"   [study-value]`},
		{"label is a path", good + "[[machine]]\nlabel = \"../x\"", `s.toml:4:9: label = "../x" could be a path; a label has no slashes, and no dot in front   [study-value]`},
		{"label", good + "[[machine]]\nlabel = \"a\\u0007b\"", `s.toml:4:9: label = "a\ab" has characters in it that cannot be printed   [study-value]`},
		{"no label", good + "[[machine]]\nlabel = \"\"", `s.toml:4:9: label = "" is no label   [study-value]`},
		{"label twice", good + "[[machine]]\nlabel = \"x\"\n[[machine]]\nhost = \"ssh:b\"\nlabel = \"x\"", `s.toml:7:9: label = "x" is used twice   [study-value]`},
		{"machine twice", good + "[[machine]]\nhost = \"ssh:a@b\"\n[[machine]]\nhost = \"ssh:c@b:22\"", `s.toml:5:3: a second [[machine]] is called "b": give it a label   [study-key]`},
		{"name of a machine", good + "[[machine]]\nname = \"m4\"", `s.toml:4:1: unknown key "name" in [[machine]]; it has agent, exclusive, goarch, host, label, pool, require   [study-key]`},
		{"agent as host", good + "[[machine]]\nhost = \"agent:m4\"", `s.toml:4:8: host = "agent:m4" is a machine of a hub; write agent = "m4" instead   [study-value]`},
		{"pool as host", good + "[[machine]]\nhost = \"pool:quiet\"", `s.toml:4:8: host = "pool:quiet" are machines of a hub; write pool = { labels = ["quiet"] } instead   [study-value]`},
		{"agent", good + "[[machine]]\nagent = \"M4\"", `s.toml:4:9: agent = "M4" is no name of a machine of a hub: it has at most 32 of a to z, 0 to 9 and "-", with no "-" at its ends; write "m4"   [study-value]`},
		{"agent and pool", good + "[[machine]]\nagent = \"m4\"\npool = { cpus = 2 }", `s.toml:5:1: [[machine]] has "agent" and "pool": a machine is one of them   [study-key]`},
		{"pool", good + "[[machine]]\npool = \"quiet\"", `s.toml:4:8: pool = "quiet" is not a table such as { labels = ["quiet"], goos = "linux", goarch = "arm64", cpus = 8, tools = ["wrk"] }   [study-value]`},
		{"key of a pool", good + "[[machine]]\npool = { label = [\"quiet\"] }", `s.toml:4:10: unknown key "label" in pool; did you mean "labels"?   [study-key]`},
		{"label of a pool", good + "[[machine]]\npool = { labels = [\"\"] }", `s.toml:4:20: labels = "" is no label: it has at most 32 of a to z, 0 to 9 and "-", with no "-" at its ends   [study-value]`},
		{"system of a pool", good + "[[machine]]\npool = { goos = \"macos\" }", `s.toml:4:17: goos = "macos" is not a GOOS that agents run on; write "darwin"   [study-value]`},
		{"exclusive here", good + "[[machine]]\nexclusive = true", `s.toml:4:13: exclusive = true is for machines of a hub: this one serves one run at a time anyway   [study-value]`},
		{"require", good + "[[machine]]\nrequire = \"mains\"", `s.toml:4:11: require = "mains" is not a table such as { power = "mains", cpus = 8, tools = ["sysbench"], noise = "2%" }   [study-value]`},
		{"required key", good + "[[machine]]\nrequire = { cpu = 8 }", `s.toml:4:13: unknown key "cpu" in require; did you mean "cpus"?   [study-key]`},
		{"required power", good + "[[machine]]\nrequire = { power = \"plugged\" }", `s.toml:4:21: power = "plugged" is unknown; this assay knows "mains" and "battery"   [study-value]`},
		{"required CPUs", good + "[[machine]]\nrequire = { cpus = 0 }", `s.toml:4:20: cpus = 0 is not a whole number from 1   [study-value]`},
		{"required tool", good + "[[machine]]\nrequire = { tools = [\"bin/x\"] }", `s.toml:4:22: tools = "bin/x" is a path; a tool is the name of a program on the machine's PATH   [study-value]`},
		{"required noise", good + "[[machine]]\nrequire = { noise = 2 }", `s.toml:4:21: noise = 2 needs a unit: "2%"   [study-value]`},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := Parse("s.toml", []byte(test.text))
			checkUsage(t, err, test.want)
		})
	}
}

// TestParseSyntax: the words are the library's, so only the place and the
// form are held.
func TestParseSyntax(t *testing.T) {
	for _, test := range []struct{ text, place string }{
		{"name = \n", "s.toml:1:8: "},
		{"name = \"a\"\nname = \"b\"\n", "s.toml:2:1: "},
		{"[source\n", "s.toml:1:8: "},
		{"seed = 9999999999999999999999\n", "s.toml:1:8: "},
		{"name = 'a'\n\n  x = 1979-13-40", "s.toml:3:12: "},
	} {
		_, err := Parse("s.toml", []byte(test.text))
		if err == nil || !strings.HasPrefix(err.Error(), test.place) || !strings.HasSuffix(err.Error(), "   [study-syntax]") {
			t.Errorf("%q: got %v, want it at %s", test.text, err, test.place)
		} else if strings.Contains(err.Error(), "toml: ") {
			t.Errorf("%q: %v has the library's name in it", test.text, err)
		}
	}
}

// checkUsage compares an *assay.Error of exit status 2 with its text.
func checkUsage(t *testing.T, err error, want string) {
	t.Helper()
	e, ok := errors.AsType[*assay.Error](err)
	if !ok {
		t.Fatalf("got %v, want an *assay.Error", err)
	}
	if e.Error() != want {
		t.Errorf("got:\n%s\nwant:\n%s", e, want)
	}
	if e.Exit != assay.ExitUsage {
		t.Errorf("exit status %d, want %d", e.Exit, assay.ExitUsage)
	}
}

// TestHomesAreKeys keeps the list of tables that homeOf knows to those that
// there are.
func TestHomesAreKeys(t *testing.T) {
	for key, want := range map[string]string{
		"dir": "in [source]", "experiment": "in [[variant]]", "names": "", "bench": "in [[workload]], kind = \"go-test\"",
		"stdin": "in [[workload]], kind = \"command\"", "prepare": "in [[workload]], kind = \"command\" or \"service\"",
		"start": "in [[workload]], kind = \"service\"", "build_flags": "in [[workload]]", "levels": "in [[factor]]", "budget": "in [decide]",
		"trial": "in [measure]", "base": "at the top of the file", "files": "at the top of the file", "name": "", "go": "", "nosuch": "",
	} {
		if got := homeOf(key); got != want {
			t.Errorf("homeOf(%q) = %q, want %q", key, got, want)
		}
	}
}

// TestParsePublishedStudy is the study of case 002 as the design has it.
func TestParsePublishedStudy(t *testing.T) {
	const text = `name     = "queue-path"
question = "Is a two-element literal better than append to a one-element literal?"
base     = "baseline"

[by]                           # variants are inside one binary
key   = "/func_(.+)"
names = ["baseline", "noAppend"]

[[workload]]
kind      = "go-test"
packages  = ["."]
bench     = "^BenchmarkMakeQueuePath$"
benchtime = "64000000x"        # same number of iterations for both
benchmem  = true

[decide]
metric     = ["sec/op", "allocs/op"]
min_effect = "5%"
confidence = "99%"
`
	s, err := Parse("queue-path.toml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if got := s.Workloads[0].BenchIters; got != 64_000_000 {
		t.Errorf("got %d iterations", got)
	}
	if got := s.By.Names; len(got) != 2 || s.Base != got[0] {
		t.Errorf("got names %q, base %q", got, s.Base)
	}
	if err := s.Validate(); err != nil {
		t.Error(err)
	}
}
