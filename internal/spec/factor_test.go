package spec

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
)

// switches is the factorial of case 000 as the design has it, and a sweep.
const switches = `name = "go126-switches"
base = "greentea/heap/off/v1"

[source]
dir     = "../mere"
package = "./cmd/mere"
go      = "go1.26.0"

[[factor]]
name   = "gc"
levels = [{ name = "greentea" }, { name = "classic", experiment = ["nogreenteagc"] }]

[[factor]]
levels = [{ name = "stack", gcflags = ["-l"], ldflags = ["-w"], tags = ["x"] }, { name = "heap", gcflags = ["all=-d=variablemakehash=n"], env = { GODEBUG = "x=1" } }]
name   = "slices"

[[factor]]
name   = "GOGC"
levels = [50, 1_00, "off"]

[[factor]]
build  = "GOAMD64"
levels = ["v1", "v3"]

[[workload]]
kind  = "command"
names = ["loop-counter", "sieve"]
run   = ["{bin}", "bench/{name}.mr"]
`

func TestParseFactors(t *testing.T) {
	s, err := Parse("s.toml", []byte(switches))
	if err != nil {
		t.Fatal(err)
	}
	env := func(k, v string) assay.Level {
		return assay.Level{Name: v, Setting: assay.Variant{Env: map[string]string{k: v}}}
	}
	build := func(k, v string) assay.Level {
		return assay.Level{Name: v, Setting: assay.Variant{Build: map[string]string{k: v}}}
	}
	want := []assay.Factor{
		{Name: "gc", Levels: []assay.Level{{Name: "greentea"}, {Name: "classic", Setting: assay.Variant{Experiment: []string{"nogreenteagc"}}}}},
		{Name: "slices", Levels: []assay.Level{
			{Name: "stack", Setting: assay.Variant{GCFlags: []string{"-l"}, LDFlags: []string{"-w"}, Tags: []string{"x"}}},
			{Name: "heap", Setting: assay.Variant{GCFlags: []string{"all=-d=variablemakehash=n"}, Env: map[string]string{"GODEBUG": "x=1"}}}}},
		{Name: "GOGC", Levels: []assay.Level{env("GOGC", "50"), env("GOGC", "100"), env("GOGC", "off")}},
		{Name: "GOAMD64", Levels: []assay.Level{build("GOAMD64", "v1"), build("GOAMD64", "v3")}},
	}
	if !reflect.DeepEqual(s.Factors, want) {
		t.Errorf("got  %+v\nwant %+v", s.Factors, want)
	}
	if s.Base != "greentea/heap/off/v1" || s.Variants != nil || !s.Uncrossed() {
		t.Errorf("base %q, variants %+v", s.Base, s.Variants)
	}
	roundTrip(t, s)
}

// TestFactorBase: the first of everything, or what is written.
func TestFactorBase(t *testing.T) {
	const two = "[[factor]]\nname = 'GOGC'\nlevels = [50, 100]\n[[factor]]\nname = 'limit'\nenv = 'GOMEMLIMIT'\nlevels = ['off', '1GiB']\n"
	const listed = "[[variant]]\nname = 'a/b'\n[[variant]]\nname = 'c'\ngo = 'go1.26.8'\n"
	for _, test := range []struct{ text, want string }{
		{two, "50/off"},
		{listed + two, "a/b/50/off"},
		{"base = '100/1GiB'\n" + two, "100/1GiB"},
		{"base = 'a/b/100/off'\n" + listed + two, "a/b/100/off"},
		{"base = 'c/50/1GiB'\n" + listed + two, "c/50/1GiB"},
	} {
		s, err := Parse("s.toml", []byte(test.text))
		if err != nil {
			t.Errorf("%q: %v", test.text, err)
			continue
		}
		if s.Base != test.want || len(s.Factors) != 2 {
			t.Errorf("%q: got base %q, want %q", test.text, s.Base, test.want)
		}
		roundTrip(t, s)
	}
}

// switchesOf writes n factors of two levels.
func switchesOf(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "[[factor]]\nname = \"f%d\"\nlevels = [{ name = \"off\" }, { name = \"on\", tags = [\"t%d\"] }]\n", i, i)
	}
	return b.String()
}

func TestParseFactorErrors(t *testing.T) {
	const gc = "[[factor]]\nname = \"gc\"\nlevels = [{ name = \"greentea\" }, { name = \"classic\", experiment = [\"nogreenteagc\"] }]\n"
	for _, test := range []struct{ name, text, want string }{
		{"no name", "[[factor]]\nlevels = [{ name = \"a\" }, { name = \"b\", go = \"go1.26.8\" }]", `s.toml:1:3: [[factor]] has no name   [study-key]`},
		{"name twice", gc + "[[factor]]\nname = \"gc\"\nlevels = [{ name = \"a\" }, { name = \"b\", tags = [\"x\"] }]", `s.toml:4:3: factor name "gc" is used twice   [study-value]`},
		{"no levels", "[[factor]]\nname = \"GOGC\"", `s.toml:1:3: factor "GOGC" needs two levels or more   [study-value]`},
		{"one level", "[[factor]]\nname = \"GOGC\"\nlevels = [50]", `s.toml:1:3: factor "GOGC" needs two levels or more   [study-value]`},
		{"no list", "[[factor]]\nname = \"GOGC\"\nlevels = 50", `s.toml:3:10: levels = 50 is not a list of levels   [study-value]`},
		{"key", "[[factor]]\nname = \"GOGC\"\nvalues = [50, 100]", `s.toml:3:1: unknown key "values" in [[factor]]; it has build, env, levels, name   [study-key]`},
		{"key of a level", "[[factor]]\nname = \"gc\"\nlevels = [{ name = \"a\", experiments = [\"x\"] }]", `s.toml:3:25: unknown key "experiments" in a level of [[factor]]; did you mean "experiment"?   [study-key]`},
		{"level without name", "[[factor]]\nname = \"gc\"\nlevels = [{ go = \"go1.26.8\" }]", `s.toml:3:11: a level has no name   [study-key]`},
		{"slash", "[[factor]]\nname = \"gc\"\nlevels = [{ name = \"a/b\" }]", `s.toml:3:20: name = "a/b" has a "/" in it, which stands between levels in the names of variants   [study-value]`},
		{"blank", "[[factor]]\nname = \"gc\"\nlevels = [{ name = \"a \" }]", `s.toml:3:20: name = "a " has a blank at its end or a line break in it   [study-value]`},
		{"reserved", "[[factor]]\nname = \"gc\"\nlevels = [{ name = \"control\" }]", `s.toml:3:20: name = "control" is reserved for the base's second appearance   [study-value]`},
		{"level twice", "[[factor]]\nname = \"GOGC\"\nlevels = [50, \"50\"]", `s.toml:3:15: level "50" is named twice   [study-value]`},
		{"two of nothing", "[[factor]]\nname = \"gc\"\nlevels = [{ name = \"a\" }, { name = \"b\" }]", `s.toml:3:27: level "b" sets nothing, and neither does "a"   [study-value]`},
		{"two of the same", "[[factor]]\nname = \"gc\"\nlevels = [{ name = \"a\", go = \"go1.26.8\" }, { name = \"b\", go = \"go1.26.8\" }]", `s.toml:3:44: level "b" sets the same as "a"   [study-value]`},
		{"two sources", "[[factor]]\nname = \"gc\"\nlevels = [{ name = \"a\", rev = \"x\", module = \"x.org/m@v1\" }]", `s.toml:3:45: module = "x.org/m@v1" cannot be combined with rev: both say where the code comes from   [study-value]`},
		{"toolchain", "[[factor]]\nname = \"toolchain\"\nlevels = [\"go1.26.8\", \"go1.27.2\"]", `s.toml:3:11: levels = "go1.26.8" is a toolchain, not the value of a variable; write levels = [{ name = "go1.26.8", go = "go1.26.8" }, ...], without env and build   [study-value]`},
		{"toolchain in env", "[[factor]]\nname = \"toolchain\"\nenv = \"toolchain\"\nlevels = [\"go1.26.8\", \"go1.27.2\"]", `s.toml:4:11: levels = "go1.26.8" is a toolchain, not the value of a variable; write levels = [{ name = "go1.26.8", go = "go1.26.8" }, ...], without env and build   [study-value]`},
		{"GOTOOLCHAIN", "[[factor]]\nbuild = \"GOTOOLCHAIN\"\nlevels = [\"go1.26.8\", \"go1.27.2\"]", `s.toml:2:9: build = "GOTOOLCHAIN" cannot be: it is set by assay itself; write levels = [{ name = "go1.26.8", go = "go1.26.8" }, ...], without env and build   [study-value]`},
		{"plain of nothing", "[[factor]]\nname = \"gc\"\nlevels = [\"on\", \"off\"]", `s.toml:3:11: levels = "on" is not a table such as { name = "…", experiment = ["…"] }; for plain values the factor needs env = "…" or build = "…"   [study-value]`},
		{"plain date", "[[factor]]\nname = \"GOGC\"\nlevels = [1979-05-27]", `s.toml:3:11: levels = 1979-05-27 is neither a table, nor a number, nor text in quotes   [study-value]`},
		{"plain slash", "[[factor]]\nenv = \"DATA\"\nlevels = [\"a/b\"]", `s.toml:3:11: levels = "a/b" has a "/" in it, which stands between levels in the names of variants; a table can give it another name   [study-value]`},
		{"no GOGC", "[[factor]]\nname = \"GOGC\"\nlevels = [50, \"50%\"]", `s.toml:3:15: levels = "50%" is no value of GOGC, which is a percentage without its sign, such as 200, or "off": the Go runtime would take 100   [study-value]`},
		{"no GOMEMLIMIT", "[[factor]]\nname = \"GOMEMLIMIT\"\nlevels = [\"1GB\"]", `s.toml:3:11: levels = "1GB" is no value of GOMEMLIMIT, which is a number of bytes, such as 512MiB, or "off": a Go program would not start   [study-value]`},
		{"no GOMAXPROCS", "[[factor]]\nname = \"GOMAXPROCS\"\nlevels = [0, 1]", `s.toml:3:11: levels = 0 is no value of GOMAXPROCS, which is a whole number from 1: the Go runtime would take all CPUs   [study-value]`},
		{"env and build", "[[factor]]\nname = \"x\"\nenv = \"A\"\nbuild = \"B\"\nlevels = [1, 2]", `s.toml:4:9: build = "B" cannot be combined with env: levels are values of one variable   [study-value]`},
		{"env for tables", "[[factor]]\nname = \"x\"\nenv = \"A\"\nlevels = [{ name = \"a\" }, { name = \"b\", tags = [\"x\"] }]", `s.toml:3:7: env = "A" is for levels that are plain values, and all are tables   [study-value]`},
		{"env of a build", "[[factor]]\nenv = \"GOAMD64\"\nlevels = [\"v1\", \"v3\"]", `s.toml:2:7: env = "GOAMD64" cannot be: GOAMD64 is a build variable: it belongs in build   [study-value]`},

		{"two factors of one", "[[factor]]\nname = \"GOGC\"\nlevels = [50, 100]\n[[factor]]\nname = \"gc\"\nenv = \"GOGC\"\nlevels = [200, 400]", `s.toml:4:3: factor "gc" sets GOGC, and so does factor "GOGC"   [study-value]`},
		{"factor and variant", "[[variant]]\nname = \"a\"\ngo = \"go1.26.8\"\n[[factor]]\nname = \"go\"\nlevels = [{ name = \"new\" }, { name = \"old\", go = \"go1.25.7\" }]", `s.toml:4:3: factor "go" sets go, and so does variant "a"   [study-value]`},
		{"lists are joined", "[[variant]]\nname = \"a\"\nexperiment = [\"x\"]\n" + gc, ""},
		{"with by", "[by]\nkey = \"/x\"\n" + gc, `s.toml:3:3: [[factor]] cannot be combined with [by], whose variants are inside one build   [study-key]`},
		{"nothing built", gc + "[[workload]]\nkind = \"command\"\nrun = [\"./x\"]", `s.toml:1:3: factor "gc" changes nothing: no command has {bin} in it, so nothing is built   [study-value]`},

		{"base", "base = \"greenteaa\"\n" + gc, `s.toml:1:8: base = "greenteaa" is not a variant: "greenteaa" is no level of "gc"; did you mean "greentea"?   [study-value]`},
		{"base of several", "base = \"off/onn/off\"\n" + switchesOf(3), `s.toml:1:8: base = "off/onn/off" is not a variant: "onn" is no level of "f1"; did you mean "off/on/off"?   [study-value]`},
		{"base of nothing", "base = \"x/off\"\n" + switchesOf(2), `s.toml:1:8: base = "x/off" is not a variant: "x" is no level of "f0"; it has off, on   [study-value]`},
		{"base a variant", "base = \"b\"\n[[variant]]\nname = \"a\"\n[[variant]]\nname = \"b\"\n" + switchesOf(2), ""},
		{"factor variant", "[[variant]]\nname = \"a\"\n[[factor]]\nname = \"variant\"\nlevels = [{ name = \"x\" }, { name = \"y\", tags = [\"x\"] }]", `s.toml:3:3: factor name "variant" is taken: the listed variants use it   [study-value]`},
		{"base too short", "base = \"on\"\n" + switchesOf(2), `s.toml:1:8: base = "on" is not a variant; one is written "off/off"   [study-value]`},
		{"base too long", "base = \"on/on/on\"\n" + switchesOf(2), `s.toml:1:8: base = "on/on/on" is not a variant; one is written "off/off"   [study-value]`},
		{"base without the variant", "base = \"on/on\"\n[[variant]]\nname = \"a\"\n" + switchesOf(2), `s.toml:1:8: base = "on/on" is not a variant; one is written "a/off/off"   [study-value]`},
		{"base of no variant", "base = \"b/on/on\"\n[[variant]]\nname = \"a\"\n" + switchesOf(2), `s.toml:1:8: base = "b/on/on" is not a variant: "b" is no [[variant]]; it has a   [study-value]`},

		{"too many", switchesOf(8), "s.toml:1:3: 256 variants; at most 200 are crossed   [study-value]"},
		{"just not too many", switchesOf(7), ""},
		{"too many with variants", "[[variant]]\nname = \"a\"\n[[variant]]\nname = \"b\"\n" + switchesOf(7), "s.toml:5:3: 256 variants; at most 200 are crossed   [study-value]"},
		{"far too many", switchesOf(80), "s.toml:1:3: over a billion variants; at most 200 are crossed   [study-value]"},
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

// TestFormatFactors holds the layout, and that crossed variants are left to
// their factors.
func TestFormatFactors(t *testing.T) {
	s, err := Parse("s.toml", []byte(`base = "classic/100"
[[factor]]
name = "gc"
levels = [{name = "greentea"}, {name = "classic", experiment = ["nogreenteagc"], env = {A = 1}}]
[[factor]]
name = "GOGC"
levels = [50, 100, "off"]
`))
	if err != nil {
		t.Fatal(err)
	}
	const want = `# A study for assay: "assay run FILE" measures it, "assay plan FILE" shows the cost.
base = "classic/100"

# Every level of a factor runs with every level of the others.
[[factor]]
name   = "gc"
levels = [
  { name = "greentea" },
  { name = "classic", experiment = ["nogreenteagc"], env = { A = "1" } },
]

[[factor]]
name   = "GOGC"
levels = [50, 100, "off"]

[[workload]]
kind = "go-test"

# Decided by default on sec/op: changes below 1% are the same; 99% intervals; 10m at most.
`
	if got := string(Format(s)); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
	s.Variants = []assay.Variant{{Name: "greentea/50", Levels: map[string]string{"gc": "greentea", "GOGC": "50"}}}
	if got := string(Format(s)); got != want {
		t.Errorf("crossed, got:\n%s\nwant:\n%s", got, want)
	}
}
