package spec

import (
	"reflect"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
)

// mere is the study of case 000 as the design has it, for one machine.
const mere = `name     = "go126-mere"
question = "Should I use Go 1.25.7, stock Go 1.26.0, or 1.26.0 with options off?"
base     = "go1.25.7"

[source]                      # the interpreter that runs the benchmark programs
dir     = "../mere"
package = "./cmd/mere"

[[variant]]
name = "go1.25.7"
go   = "go1.25.7"

[[variant]]
name       = "all-off"
go         = "go1.26.0"
experiment = ["nogreenteagc", "nosizespecializedmalloc"]
gcflags    = ["all=-d=variablemakehash=n"]
pgo        = "auto"

[[workload]]                  # whole-program runs
names   = ["loop-counter", "eratosthenes-sieve"]
run     = ["{bin}", "bench/{name}.mr"]
prepare = ["cp", "-r", "data", "{tmp}"]
cleanup = ["rm", "-rf", "{tmp}/out"]
stdin   = "in/{name}.txt"
expect  = "file:want/{name}.txt"
env     = { GOGC = 200 }
kind    = "command"

[[workload]]
kind        = "command"
name        = "version"
package     = "./cmd/other"
run         = ["nice", "{bin}", "{version}", "{}"]
expect      = "same"
build_flags = ["-race"]

[[machine]]
label = "intel"
host = "local"

[decide]
metric     = "time"
min_effect = "1%"
blocks     = "8-20"
tradeoff   = ["time", "peak-RSS-bytes"]
budget     = "2h"

[measure]
collect = ["allocs", "rss", "perf"]
goarch  = 386
`

func TestParseCommands(t *testing.T) {
	s, err := Parse("go126-mere.toml", []byte(mere))
	if err != nil {
		t.Fatal(err)
	}
	want := []assay.Workload{
		{
			Kind: "command", Names: []string{"loop-counter", "eratosthenes-sieve"}, Run: []string{"{bin}", "bench/{name}.mr"},
			Prepare: []string{"cp", "-r", "data", "{tmp}"}, Cleanup: []string{"rm", "-rf", "{tmp}/out"}, Stdin: "in/{name}.txt",
			Expect: "file:want/{name}.txt", Env: map[string]string{"GOGC": "200"},
		},
		{
			Name: "version", Kind: "command", Package: "./cmd/other", Names: []string{"version"},
			Run: []string{"nice", "{bin}", "{version}", "{}"}, BuildFlags: []string{"-race"},
		},
	}
	if !reflect.DeepEqual(s.Workloads, want) {
		t.Errorf("got  %+v\nwant %+v", s.Workloads, want)
	}
	if s.Source.Package != "./cmd/mere" || s.Measure.GOARCH != "386" || s.Variants[1].PGO != "auto" {
		t.Errorf("got %+v, GOARCH %s, %+v", s.Source, s.Measure.GOARCH, s.Variants[1])
	}
	if got, want := s.Decide.Tradeoff, []string{"sec/op", "peak-RSS-bytes"}; !reflect.DeepEqual(got, want) {
		t.Errorf("got trade-off %q, want %q", got, want)
	}
	roundTrip(t, s)
}

// TestCommandNames: what a command is called that nobody named.
func TestCommandNames(t *testing.T) {
	for _, test := range []struct{ pkg, name, run, want string }{
		{"", "", `["{bin}", "script.lua"]`, "script.lua"},
		{"", "", `["{bin}", "-n", "5", "bench/large/x.lua"]`, "-n_5_x.lua"},
		{"", "", `["{bin}", "-in=testdata/x.json", "-v"]`, "-in=x.json_-v"},
		{"", "", `["nice", "-n", "5", "{bin}", "x.lua"]`, "x.lua"},
		{"", "", `["sleep", "0.1"]`, "0.1"},
		{"", "", `["/usr/bin/true"]`, "true"},
		{"", "", `['C:\tools\x.exe']`, "x.exe"},
		{"./cmd/glua", "", `["{bin}"]`, "glua"},
		{".", "", `["{bin}"]`, "command"},
		{"", "", `["{bin}", "{tmp}", "{tmp}/a b\u0001", ".", ""]`, "a_b_"},
		{"", "two words", `["{bin}", "x"]`, "two_words"},
		{"", "", `["{bin}", "` + strings.Repeat("long-", 20) + `"]`, strings.Repeat("long-", 11) + "long…"},
	} {
		text := "[[variant]]\nname = \"a\"\n[[workload]]\nkind = \"command\"\nrun = " + test.run + "\n"
		if test.pkg != "" {
			text += "package = \"" + test.pkg + "\"\n"
		}
		if test.name != "" {
			text += "name = \"" + test.name + "\"\n"
		}
		s, err := Parse("s.toml", []byte(text))
		if err != nil {
			t.Errorf("%s: %v", test.run, err)
			continue
		}
		if got := s.Workloads[0].Names; len(got) != 1 || got[0] != test.want {
			t.Errorf("%s in package %q: got %q, want %q", test.run, test.pkg, got, test.want)
		}
		roundTrip(t, s)
	}
}

// TestParseOwnCommands: variants that assay did not build.
func TestParseOwnCommands(t *testing.T) {
	s, err := Parse("s.toml", []byte(`[[workload]]
kind = "command"
[[variant]]
name = "old"
run  = ["./old", "x.txt", "-1"]
[[variant]]
name = "new"
run  = ["./new", "-2", "x.txt"]
[[variant]]
name = "built"
go   = "go1.26.8"
run  = ["{bin}", "x.txt"]
`))
	if err != nil {
		t.Fatal(err)
	}
	if got := s.Workloads[0].Names; !reflect.DeepEqual(got, []string{"x.txt"}) {
		t.Errorf("got names %q, want what the commands share", got)
	}
	if got := s.Variants[2].Run; !reflect.DeepEqual(got, []string{"{bin}", "x.txt"}) {
		t.Errorf("got %q", got)
	}
	if err := s.Validate(); err != nil {
		t.Error(err)
	}
	roundTrip(t, s)
}

// TestParseCommandErrors: the lines after "w" start on line 6.
func TestParseCommandErrors(t *testing.T) {
	const w = "[[variant]]\nname = \"a\"\n[[workload]]\nkind = \"command\"\nrun = [\"{bin}\"]\n"
	const noRun = "[[variant]]\nname = \"a\"\n[[workload]]\nkind = \"command\"\n"
	for _, test := range []struct{ name, text, want string }{
		{"key of the other kind", w + "bench = \".\"", `s.toml:6:1: unknown key "bench" in [[workload]] of a command; it belongs to kind = "go-test"   [study-key]`},
		{"other kind, kind below", "[[variant]]\nname = \"a\"\n[[workload]]\nbench = \".\"\nkind = \"command\"", `s.toml:4:1: unknown key "bench" in [[workload]] of a command; it belongs to kind = "go-test"   [study-key]`},
		{"key of commands", "[[variant]]\nname = \"a\"\n[[workload]]\nprepare = [\"x\"]", `s.toml:4:1: unknown key "prepare" in [[workload]]; it belongs to kind = "command" or "service"   [study-key]`},
		{"key of a service", w + "ready = 1", `s.toml:6:1: unknown key "ready" in [[workload]] of a command; it belongs to kind = "service"   [study-key]`},
		{"key of nobody", w + "frobnicate = 1", `s.toml:6:1: unknown key "frobnicate" in [[workload]] of a command; it has build_flags, cleanup, env, expect, kind, metrics, name, names, package, parse, prepare, run, stdin   [study-key]`},
		{"mark of a service", w + "prepare = [\"x\", \"{port}\"]", ""},

		{"line instead of list", noRun + "run = \"{bin} 'a b' | c\"", `s.toml:5:7: run = "{bin} 'a b' | c" is not a list: write ["{bin}", "a b", "|", "c"]   [study-value]`},
		{"empty list", noRun + "run = []", `s.toml:5:7: run = […] names no program   [study-value]`},
		{"empty program", noRun + "run = [\"\"]", `s.toml:5:7: run = […] names no program   [study-value]`},
		{"number", noRun + "run = [\"{bin}\", 5]", `s.toml:5:17: run = 5 is not text in quotes   [study-value]`},
		{"swapped letters", noRun + "run = [\"{bin}\",\n  \"x/{nmae}.mr\"]", `s.toml:6:3: run = "x/{nmae}.mr" has {nmae} in it; did you mean {name}?   [study-value]`},
		{"case", w + "prepare = [\"mkdir\", \"{TMP}\"]", `s.toml:6:21: prepare = "{TMP}" has {TMP} in it; did you mean {tmp}?   [study-value]`},
		{"zero byte", w + "cleanup = [\"a\\u0000b\"]", `s.toml:6:12: cleanup = "a\x00b" has a zero byte in it   [study-value]`},
		{"bin in stdin", w + "stdin = \"{bin}.in\"", `s.toml:6:9: stdin = "{bin}.in" has {bin} in it, and only {name} is filled in here   [study-value]`},
		{"no stdin", w + "stdin = \"\"", `s.toml:6:9: stdin = "" names no file   [study-value]`},
		{"expect", w + "expect = \"equal\"", `s.toml:6:10: expect = "equal" is neither "same", "any" nor a file with the output, "file:want/{name}.txt"   [study-value]`},
		{"expect no file", w + "expect = \"file:\"", `s.toml:6:10: expect = "file:" names no file   [study-value]`},
		{"expect mark", w + "expect = \"file:{naem}\"", `s.toml:6:10: expect = "file:{naem}" has {naem} in it; did you mean {name}?   [study-value]`},
		{"parse", w + "parse = \"hye\"", `s.toml:6:9: parse = "hye" is not a format that assay reads; did you mean "hey"?   [study-value]`},
		{"parse and metrics", w + "parse = \"hey\"\nmetrics = ['a=/(.)/']", `s.toml:6:9: parse = "hey" cannot be combined with metrics: the output is read by one of them   [study-value]`},
		{"metrics", w + "metrics = ['ops/s=/(.+) ops/', 'score=/(.+)/lower']", ""},
		{"metric twice", w + "metrics = ['a=/(.)/', 'a=/(..)/']", `s.toml:6:23: metrics = "a=/(..)/" names a metric for the second time   [study-value]`},
		{"metric without a number", w + "metrics = ['a=/./']", `s.toml:6:12: metrics = "a=/./" has no (group), which is the number   [study-value]`},
		{"the same number", w + "expect = \"same\"\nparse = \"hey\"", `s.toml:6:10: expect = "same" cannot be combined with parse or metrics: output with a measured number in it is never the same twice   [study-value]`},
		{"a file of numbers", w + "expect = \"file:x\"\nparse = \"hey\"", ""},
		{"env", w + "env = { GOAMD64 = \"v3\" }", `s.toml:6:9: GOAMD64 is a build variable: it belongs in build   [study-key]`},
		{"package pattern", w + "package = \"./...\"", `s.toml:6:11: package = "./..." is a pattern; a command is built from one main package   [study-value]`},
		{"package flag", "[source]\npackage = \"-exec=x\"\n" + w, `s.toml:2:11: package = "-exec=x" is not a package   [study-value]`},
		{"build flag of go test", w + "build_flags = [\"-race\", \"-vet=off\"]", `s.toml:6:25: build_flags = "-vet=off" is a flag of go test, and a command is built by go build   [study-value]`},

		{"blank in a name", w + "names = [\"a\", \"b c\"]", `s.toml:6:15: names = "b c" is no name of a benchmark; it has no blanks   [study-value]`},
		{"control in a name", w + "names = [\"a\\u0007\"]", `s.toml:6:10: names = "a\a" is no name of a benchmark; it has no blanks   [study-value]`},
		{"name twice", w + "names = [\"a\", \"a\"]", `s.toml:6:15: names = "a" is named twice   [study-value]`},
		{"names of the same", w + "names = [\"a\", \"b\"]", `s.toml:6:1: 2 names are as many runs of the same: no {name} in run, prepare or stdin   [study-value]`},
		{"name without names", noRun + "run = [\"{bin}\", \"{name}\"]", `s.toml:3:3: run has {name} in it, and [[workload]] has no names   [study-key]`},
		{"same name in two", w + "[[workload]]\nkind = \"command\"\nname = \"command\"\nrun = [\"{bin}\", \"-x\"]", `s.toml:6:3: command "command" is named twice: give this one other names   [study-value]`},

		{"no run", noRun, `s.toml:3:3: [[workload]] has no run, and variant "a" has none of its own   [study-key]`},
		{"unused run", w + "[[variant]]\nname = \"b\"\nrun = [\"./b\"]\n", ""},
		{"run that none uses", "[[variant]]\nname = \"a\"\nrun = [\"./a\"]\n[[workload]]\nkind = \"command\"\nrun = [\"./x\"]", `s.toml:6:1: run is never used: every variant has its own   [study-key]`},
		{"run in go-test", "[[variant]]\nname = \"a\"\nrun = [\"./a\"]", `s.toml:3:7: run = […] is for a [[workload]] of kind = "command" or "service"; Go benchmarks have no command line   [study-value]`},
		{"run and build", "[[variant]]\nname = \"a\"\nrun = [\"./a\"]\ngo = \"go1.26.8\"\n[[workload]]\nkind = \"command\"", `s.toml:4:1: "go" changes nothing: no command of variant "a" has {bin} in it, so nothing is built   [study-key]`},
		{"build of nothing", "[[variant]]\nname = \"a\"\ntags = [\"x\"]\n[[workload]]\nkind = \"command\"\nrun = [\"python\", \"x.py\"]", `s.toml:3:1: "tags" changes nothing: no command of variant "a" has {bin} in it, so nothing is built   [study-key]`},
		{"built to prepare", "[[variant]]\nname = \"a\"\ntags = [\"x\"]\n[[workload]]\nkind = \"command\"\nrun = [\"./x\"]\nprepare = [\"{bin}\"]", ""},
		{"package of nothing", noRun + "run = [\"./x\"]\npackage = \"./cmd/x\"", `s.toml:6:11: package = "./cmd/x" changes nothing: no command has {bin} in it   [study-value]`},
		{"with by", "[by]\nkey = \"/x\"\n[[workload]]\nkind = \"command\"\nrun = [\"./x\"]", `s.toml:4:8: kind = "command" cannot be combined with [by]: a command has no sub-benchmarks   [study-value]`},

		{"trade-off", w + "[decide]\ntradeoff = \"time\"", `s.toml:7:12: tradeoff = "time" is not two metrics such as ["time", "peak-RSS-bytes"]   [study-value]`},
		{"trade-off of one", w + "[decide]\ntradeoff = [\"time\", \"sec/op\"]", `s.toml:7:21: tradeoff = "sec/op" is named twice   [study-value]`},
		{"goarch", w + "[measure]\ngoarch = \"x86_64\"", `s.toml:7:10: goarch = "x86_64" is not a GOARCH; write "amd64"   [study-value]`},
		{"goarch of nobody", w + "[measure]\ngoarch = \"pdp11\"", `s.toml:7:10: goarch = "pdp11" is not a GOARCH such as amd64 or 386   [study-value]`},
	} {
		t.Run(test.name, func(t *testing.T) {
			s, err := Parse("s.toml", []byte(test.text))
			if test.want == "" && err == nil {
				roundTrip(t, s)
				return
			}
			checkUsage(t, err, test.want)
		})
	}
}

// TestPlaces: what is nearly a word that stands for something, and what is the
// program's own.
func TestPlaces(t *testing.T) {
	for s, want := range map[string]string{
		"{bin} {name} {tmp}": "", "{}": "", "{pin}": "", "{main}": "", "{time}": "", "{in}": "", "{a,b}": "", "${x}": "", "{na me}": "",
		"{nmae}": "{name}", "{nam}": "{name}", "{namee}": "{name}", "{Name}": "{name}", "{BIN}": "{bin}", "{bni}": "{bin}",
		"{binary}": "{bin}", "{tmpdir}": "{tmp}", "{temp}": "{tmp}",
	} {
		err := checkPlaces(s, assay.PlaceBin, assay.PlaceName, assay.PlaceTmp)
		switch {
		case want == "" && err != nil:
			t.Errorf("%s: got %v, want it left alone", s, err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), "did you mean "+want+"?")):
			t.Errorf("%s: got %v, want a hint at %s", s, err, want)
		}
	}
}
