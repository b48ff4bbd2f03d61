package spec

import (
	"errors"
	"reflect"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
)

// checkExit holds that an error is one for the user.
func checkExit(t *testing.T, err error) {
	t.Helper()
	e, ok := errors.AsType[*assay.Error](err)
	if !ok || e.Exit != assay.ExitUsage || e.Code == "" || e.Text == "" {
		t.Errorf("got %#v, want an *assay.Error for the user", err)
	}
}

// roundTrip formats a study with its defaults, parses it and compares.
func roundTrip(t *testing.T, s *assay.Study) {
	t.Helper()
	text := Format(s)
	back, err := Parse("formatted.toml", text)
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	if !reflect.DeepEqual(back, s) {
		t.Errorf("got  %+v\nwant %+v\nfrom\n%s", back, s, text)
	}
	if again := string(Format(back)); again != string(text) {
		t.Errorf("formatted twice:\n%s\nand\n%s", text, again)
	}
}

func TestFormatRoundTrip(t *testing.T) {
	two := []assay.Variant{{Name: "a"}, {Name: "b", Go: "go1.26.0"}}
	workload := []assay.Workload{{Kind: "go-test"}}
	for name, s := range map[string]*assay.Study{
		"everything": fullWant(),
		"defaults":   {Variants: two, Workloads: workload},
		"text": {
			Name: "quotes \" ' \\ tab \t control \x01 \x7f", Question: "line\nline \\ 'x'", Variants: two,
			Workloads: []assay.Workload{{Kind: "go-test", Bench: `^Benchmark\w+$/"x"`, Args: []string{"", "ünï ☾", `'\'`}}},
		},
		"suite of a version":  {Variants: two, Workloads: workload, Source: assay.Source{Suite: "example.org/m@v1.2.0", Folders: []string{"bench", "internal/check"}}},
		"suite of a revision": {Variants: two, Workloads: workload, Source: assay.Source{Suite: "rev:main~2", Hide: []string{"x_test.go"}, Folders: []string{"b"}}},
		"large seed":          {Variants: two, Workloads: workload, Measure: assay.Measure{Seed: 1<<64 - 1}},
		"largest TOML seed":   {Variants: two, Workloads: workload, Measure: assay.Measure{Seed: 1<<63 - 1}},
		"from ten blocks":     {Variants: two, Workloads: workload, Decide: assay.Decide{MinBlocks: 10}},
		"twelve blocks":       {Variants: two, Workloads: workload, Decide: assay.Decide{MinBlocks: 12, MaxBlocks: 12}},
		"one other metric":    {Variants: two, Workloads: workload, Decide: assay.Decide{Metrics: []string{"p99-ns"}}},
		"effects":             {Variants: two, Workloads: workload, Decide: assay.Decide{MinEffects: map[string]float64{"a b": 0.03, "": 0.5, "x\ny": 0.1}}},
		"odd numbers":         {Variants: two, Workloads: workload, Decide: assay.Decide{MinEffect: 1.0 / 3, Confidence: 0.999, Gate: 0.07, Budget: time.Hour + time.Nanosecond}},
		"by":                  {By: &assay.By{Key: "/func_(.+)", Names: []string{"x", "y"}}, Base: "x", Variants: []assay.Variant{{Name: "."}}, Workloads: workload},
		"by, base later":      {By: &assay.By{Key: "/impl"}, Variants: []assay.Variant{{Name: ".", Go: "go1.26.0"}}, Workloads: workload},
		"by, found": {By: &assay.By{Key: "/impl"}, Base: "y", Workloads: workload,
			Variants: []assay.Variant{{Name: "x", Select: "x"}, {Name: "y", Select: "y"}}},
	} {
		t.Run(name, func(t *testing.T) {
			SetDefaults(s)
			roundTrip(t, s)
		})
	}
}

// TestFormatIsReadable holds the layout, which is what people get from "assay
// init".
func TestFormatIsReadable(t *testing.T) {
	const want = `# A study for assay: "assay run FILE" measures it, "assay plan FILE" shows the cost.
base = "go1.25.7"

[[variant]]
name = "go1.25.7"  # the others are compared with this one
go   = "go1.25.7"

[[variant]]
name       = "nogt"
go         = "go1.26.8"
experiment = ["nogreenteagc"]
env        = { GOGC = "200" }

[[workload]]
kind      = "go-test"
packages  = ["./malloc"]
bench     = "^BenchmarkAlloc(16|32)$"
benchtime = "1000x"  # iterations of every trial

# Decided by default on sec/op: changes below 1% are the same; 99% intervals; 10m at most.
`
	s, err := Parse("want.toml", []byte(want))
	if err != nil {
		t.Fatal(err)
	}
	if got := string(Format(s)); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}

	s.Name, s.By, s.Base = "queue-path", &assay.By{Key: "/func_(.+)", Names: []string{"baseline", "noAppend"}}, "baseline"
	s.Variants = []assay.Variant{BuildOnly()}
	s.Decide.Metrics, s.Decide.MinEffect, s.Decide.MinBlocks = []string{"sec/op", "allocs/op"}, 0.05, 10
	const wantBy = `# A study for assay: "assay run FILE" measures it, "assay plan FILE" shows the cost.
name = "queue-path"
base = "baseline"

# The variants are sub-benchmarks of one binary.
[by]
key   = "/func_(.+)"
names = ["baseline", "noAppend"]

[[workload]]
kind      = "go-test"
packages  = ["./malloc"]
bench     = "^BenchmarkAlloc(16|32)$"
benchtime = "1000x"  # iterations of every trial

[decide]
metric     = ["sec/op", "allocs/op"]
min_effect = "5%"
blocks     = "10-"
`
	if got := string(Format(s)); got != wantBy {
		t.Errorf("got:\n%s\nwant:\n%s", got, wantBy)
	}
}

// FuzzParse: nothing ends the program, every error has a place, and what is
// taken is written so that it means the same.
func FuzzParse(f *testing.F) {
	f.Add(fullStudy)
	f.Add("[by]\nkey = '/func_(.+)'\nnames = ['a']\n[[workload]]\nbenchtime = '1x'\n")
	f.Add("variant = [{name = 'a', env.GOGC = 1}, {name = \"\\u00e9\", gcflags = [\"\"\"\n-l\"\"\"]}]\nbase = 'a'\n")
	f.Add(tomlArc)
	f.Add("base = 'x'\n[steps]\nrange = 'v1.0.0..v1.2.0'\nmodule = 'x.org/m'\nevery = 2\n[report]\nintro = 'a\"\"\"\\nb'\n")
	f.Add("[[phase]]\nid = 'A'\n[steps]\nbase = {}\n[[steps.list]]\nstory = \"\"\"\na\nb\"\"\"\nname = 'a'\n")
	f.Add("[steps]\nbase = {rev = 'a'}\ndir = 'x'\n")
	f.Add("[[variant]]\nname = 'a'\n[decide]\nmin_effect = {default = '2.50%'}\nblocks = 7\nconfidence = '99.99%'\n")
	f.Add("variant = [{name = 'a'}]\nmachine = [{agent = 'm4'}, {exclusive = true, pool = {labels = ['a', 'b-1']}}, {label = 'x', pool = {goos = 'linux', cpus = 2}}]\n")
	f.Add(mere)
	f.Add(switches)
	f.Add("base = 'a/b/off'\nfactor = [{env = 'GOGC', levels = [1.50, -5, 0x10, 'off']}]\n[[variant]]\nname = 'a/b'\n")
	f.Add("variant = [{name = 'a', run = ['./a', 'x']}, {name = 'b', run = ['./b', 'x']}]\nworkload = [{kind = 'command'}]\n")
	f.Add("seed = 0x10\n[variant]\nname = 'x'\n[[variant]]\n[variant.env]\nA.B = 1\n")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := Parse("study.toml", []byte(text))
		if err != nil {
			checkExit(t, err)
			return
		}
		roundTrip(t, s)
	})
}
