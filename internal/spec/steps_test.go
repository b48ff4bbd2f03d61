package spec

import (
	"reflect"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
)

// tomlArc is the study of case 004 as ux.md has it, shortened, and with all
// keys that there are.
const tomlArc = `name = "toml-arc"
base = "v2"

[source]
repo    = "../go-toml"
overlay = "frozen-suite"
hide    = ["benchmark/*_test.go"]
go      = "go1.26.4"

[[workload]]
kind     = "go-test"
packages = ["./benchmark"]
bench    = "."

[decide]
metric  = ["sec/op", "allocs/op", "B/op"]
compare = "base"

[[phase]]
id   = "A"
name = "rewrite from scratch"

[[phase]]
id = "B"

[steps]
base = { name = "v2", rev = "v2.2.4" }
list = [   # revisions and names are the author's
  { phase = "A", rev = "arc/01", name = "new scanner", story = "Reads the text once." },
  { phase = "A", rev = "0011223344556677889900112233445566778899", aside = "intended spike" },
  { phase = "B", module = "x.org/toml/v2@v2.4.0", watch = ["Unmarshal/canada"], view = "m=B/op" },
  { name = "no inlining", gcflags = ["-l"], env = { GOGC = 50 } },
]

[gates]
api     = "same"
tests   = true
unsafe  = "none"
vet     = "pass"
race    = false
allocs  = "no more"
against = "previous"

[report]
title   = "go-toml rewritten"
intro   = "intro.md"
caveats = ["Read each series against itself."]
`

func tomlArcWant() *assay.Study {
	s := &assay.Study{
		Name: "toml-arc", Base: "v2",
		Source: assay.Source{Dir: "../go-toml", Overlay: "frozen-suite", Hide: []string{"benchmark/*_test.go"}, Go: "go1.26.4"},
		Variants: []assay.Variant{
			{Name: "v2", Rev: "v2.2.4"}, {Name: "new scanner", Rev: "arc/01"},
			{Name: "0011223344", Rev: "0011223344556677889900112233445566778899"},
			{Name: "v2.4.0", Module: "x.org/toml/v2@v2.4.0"}, {Name: "no inlining", GCFlags: []string{"-l"}, Env: map[string]string{"GOGC": "50"}},
		},
		Workloads: []assay.Workload{{Kind: assay.KindGoTest, Packages: []string{"./benchmark"}, Bench: "."}},
		Decide:    assay.Decide{Metrics: []string{"sec/op", "allocs/op", "B/op"}, Compare: assay.CompareBase},
		Steps: &assay.Steps{
			Phases: []assay.Phase{{ID: "A", Name: "rewrite from scratch"}, {ID: "B"}},
			List: []assay.Step{
				{Variant: "new scanner", Phase: "A", Story: "Reads the text once."}, {Variant: "0011223344", Phase: "A", Aside: "intended spike"},
				{Variant: "v2.4.0", Phase: "B", Watch: []string{"Unmarshal/canada"}, View: "m=B/op"}, {Variant: "no inlining"},
			},
		},
		Gates: assay.Gates{
			API: assay.GateSame, Tests: assay.GatePass, Unsafe: assay.GateNone, Vet: assay.GatePass, Allocs: assay.GateNoMore,
			Against: assay.AgainstPrevious,
		},
		Report: assay.Report{Title: "go-toml rewritten", Intro: "intro.md", Caveats: []string{"Read each series against itself."}},
	}
	s.SetDefaults()
	return s
}

func TestParseSteps(t *testing.T) {
	got, err := Parse("toml-arc.toml", []byte(tomlArc))
	if err != nil {
		t.Fatal(err)
	}
	if want := tomlArcWant(); !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

// TestParseRanges: the base of a range is where it begins, unless one is
// written; one that has only a name or settings begins there too.
func TestParseRanges(t *testing.T) {
	for _, test := range []struct {
		text  string
		steps assay.Steps
		base  assay.Variant
	}{
		{"[steps]\nrange = 'v2.3.0..v2.4.0'\nevery = 3\ntouching = 'decode'\n",
			assay.Steps{Range: "v2.3.0..v2.4.0", Every: 3, Touching: "decode"}, assay.Variant{Name: "v2.3.0", Rev: "v2.3.0"}},
		{"[steps]\nmodule = 'x.org/m/v2'\nrange = 'v2.3.0..v2.4.0-rc.1'\n",
			assay.Steps{Range: "v2.3.0..v2.4.0-rc.1", Module: "x.org/m/v2"}, assay.Variant{Name: "v2.3.0", Module: "x.org/m/v2@v2.3.0"}},
		{"[steps]\nrange = 'HEAD~9..'\nbase = { gcflags = ['-l'] }\n",
			assay.Steps{Range: "HEAD~9.."}, assay.Variant{Name: "HEAD~9", Rev: "HEAD~9", GCFlags: []string{"-l"}}},
		{"base = 'old'\n[steps]\nrange = 'a..b'\n", assay.Steps{Range: "a..b"}, assay.Variant{Name: "old", Rev: "a"}},
		{"[steps]\nrange = 'a..b'\nbase = { name = 'released', module = 'x.org/m@v1.0.0' }\n",
			assay.Steps{Range: "a..b"}, assay.Variant{Name: "released", Module: "x.org/m@v1.0.0"}},
		{"[steps]\nbase.rev = 'main'\ndir = './steps/'\n", assay.Steps{Dir: "steps"}, assay.Variant{Name: "main", Rev: "main"}},
	} {
		s, err := Parse("study.toml", []byte(test.text))
		if err != nil {
			t.Errorf("%q: %v", test.text, err)
			continue
		}
		if !reflect.DeepEqual(*s.Steps, test.steps) || !reflect.DeepEqual(s.Variants, []assay.Variant{test.base}) || s.Base != test.base.Name {
			t.Errorf("%q: got %+v, base %q, %+v", test.text, *s.Steps, s.Base, s.Variants)
		}
		if s.Decide.Compare != assay.ComparePrevious {
			t.Errorf("%q: compares with %q", test.text, s.Decide.Compare)
		}
		roundTrip(t, s)
	}
}

// TestVersionOfModule: a step and the base may name the version alone.
func TestVersionOfModule(t *testing.T) {
	s, err := Parse("s.toml", []byte("[steps]\nlist = [{version = 'v1.1.0'}]\nbase = {version = 'v1.0.0', name = 'first'}\nmodule = 'x.org/m'\n"))
	if err != nil {
		t.Fatal(err)
	}
	want := []assay.Variant{{Name: "first", Module: "x.org/m@v1.0.0"}, {Name: "v1.1.0", Module: "x.org/m@v1.1.0"}}
	if !reflect.DeepEqual(s.Variants, want) {
		t.Errorf("got %+v, want %+v", s.Variants, want)
	}
	if text := string(Format(s)); !strings.Contains(text, `version = "v1.1.0"`) {
		t.Errorf("the version is not written as such:\n%s", text)
	}
	roundTrip(t, s)
}

func TestStepErrors(t *testing.T) {
	base := "[steps]\nbase = { rev = \"v1\" }\n"
	good := base + "list = [{ rev = \"v2\" }]\n"
	hash := "0011223344556677889900112233445566778899"
	for _, test := range []struct{ name, text, want string }{
		{"nothing", base, `s.toml:1:2: [steps] has no steps: it needs one of list, range and dir   [study-key]`},
		{"empty list", base + "list = []", `s.toml:3:8: list = […] is not a list of steps such as { name = "pool buffers", rev = "1a2b3c4" }   [study-value]`},
		{"list and range", good + "range = \"a..b\"", `s.toml:4:1: "range" cannot be combined with list: both say what the steps are   [study-key]`},
		{"range and dir", base + "dir = \"x\"\nrange = \"a..b\"", `s.toml:3:1: "dir" cannot be combined with range: both say what the steps are   [study-key]`},
		{"no base", "[steps]\nlist = [{rev = \"a\"}]", `s.toml:1:2: [steps] has no base: write base = { rev = "…" }, or what else the steps are compared with   [study-key]`},
		{"base as text", "[steps]\nbase = \"v1\"", `s.toml:2:8: base = "v1" is not a table such as { name = "v1", rev = "v1.2.3" }   [study-value]`},
		{"another base", "base = \"v0\"\n[steps]\nbase = { name = \"v1\" }\nlist = [{ rev = \"v2\" }]", `s.toml:1:8: base = "v0" is not the base of [steps], which is "v1"   [study-value]`},
		{"nameless base", "[steps]\nbase = {}\nlist = [{rev = \"a\"}]", `s.toml:2:8: base has no name, nor a rev, module or version that could be it   [study-key]`},
		{"nameless step", base + "list = [{rev = \"a\"}, {gcflags = [\"-l\"]}]", `s.toml:3:22: step has no name, nor a rev, module or version that could be it   [study-key]`},
		{"reserved", base + "list = [{rev = \"control\"}]", `s.toml:3:9: step has no name of its own, and "control" is reserved for the base's second appearance   [study-value]`},
		{"name twice", base + "list = [\n{name = \"a\"},\n{name = \"a\", rev = \"b\"}]", `s.toml:5:9: name = "a" is used twice   [study-value]`},
		{"name of the base", base + "list = [{name = \"v1\"}]", `s.toml:3:17: name = "v1" is used twice   [study-value]`},
		{"revision twice", base + "list = [{rev = \"" + hash + "\"}, {rev = \"" + hash + "\"}]",
			`s.toml:3:61: step has no name, and "0011223344", which would be its name, is used twice   [study-value]`},
		{"unknown key", base + "list = [{rev = \"a\", storey = \"x\"}]", `s.toml:3:21: unknown key "storey" in a step of [steps]; did you mean "story"?   [study-key]`},
		{"select", base + "list = [{rev = \"a\", select = \"x\"}]", `s.toml:3:21: unknown key "select" in a step of [steps]; it has aside, build, env, experiment, gcflags, go, ldflags, modfile, module, name, ` +
			`pgo, phase, rev, run, story, tags, version, view, watch   [study-key]`},
		{"story in a variant", "[[variant]]\nname = \"a\"\nstory = \"x\"", `s.toml:3:1: unknown key "story" in [[variant]]; it belongs in a step of [steps]   [study-key]`},
		{"overlay in a variant", "[[variant]]\nname = \"a\"\noverlay = \"x\"", `s.toml:3:1: unknown key "overlay" in [[variant]]; it belongs in [source]   [study-key]`},
		{"range in source", "[source]\nrange = \"a..b\"\n" + good, `s.toml:2:1: unknown key "range" in [source]; it belongs in [steps]   [study-key]`},
		{"too many", base + "list = [" + strings.Repeat("{},", 201) + "]", `s.toml:3:8: list = […] has 201 steps; at most 200 are measured   [study-value]`},

		{"rev and module", base + "list = [{rev = \"a\", module = \"x.org/m@v1.0.0\"}]", `s.toml:3:30: module = "x.org/m@v1.0.0" cannot be combined with rev: both say where the code comes from   [study-value]`},
		{"version of nothing", base + "list = [{version = \"v1.0.0\"}]", `s.toml:3:20: version = "v1.0.0" is of no module: add module = "…" to [steps]   [study-value]`},
		{"version and rev", base + "module = \"x.org/m\"\nlist = [{version = \"v1.0.0\", rev = \"a\"}]", `s.toml:4:20: version = "v1.0.0" cannot be combined with rev: both say where the code comes from   [study-value]`},
		{"version and module", base + "module = \"x.org/m\"\nlist = [{version = \"v1\", module = \"x.org/m@v1.0.0\"}]", `s.toml:4:20: version = "v1" cannot be combined with module, which has a version in it   [study-value]`},
		{"version of a path", base + "module = \"x.org/m\"\nlist = [{version = \"m@v1\"}]", `s.toml:4:20: version = "m@v1" is not a version such as "v1.2.3"   [study-value]`},
		{"module with version", base + "module = \"x.org/m@v1.0.0\"\nlist = [{rev = \"a\"}]", `s.toml:3:10: module = "x.org/m@v1.0.0" has a version in it; write "x.org/m", and the versions with range, or version in a step   [study-value]`},
		{"module path", base + "module = \"no module\"\nlist = [{rev = \"a\"}]", `s.toml:3:10: module = "no module" is not the path of a module such as "golang.org/x/perf"   [study-value]`},

		{"range", "[steps]\nrange = \"v1\"", `s.toml:2:9: range = "v1" is not a range such as "v1.2.0..v1.4.0"   [study-value]`},
		{"range of an option", "[steps]\nrange = \"a..--all\"", `s.toml:2:9: range = "a..--all" is not a range such as "v1.2.0..v1.4.0"   [study-value]`},
		{"three dots", "[steps]\nrange = \"a...b\"", `s.toml:2:9: range = "a...b" has three dots: a range of steps has two   [study-value]`},
		{"blank in a range", "[steps]\nrange = \"a .. b\"", `s.toml:2:9: range = "a .. b" has a blank in it   [study-value]`},
		{"range of versions", "[steps]\nmodule = \"x.org/m\"\nrange = \"a..b\"", `s.toml:3:9: range = "a..b" is not a range of versions such as "v1.2.0..v1.4.0", which module makes it   [study-value]`},
		{"touching versions", "[steps]\nmodule = \"x.org/m\"\nrange = \"v1.0.0..v1.1.0\"\ntouching = \"x\"", `s.toml:4:1: "touching" is for a range of commits, and module makes it one of versions   [study-key]`},
		{"every of a list", good + "every = 3", `s.toml:4:1: "every" needs a range, and keeps a part of it   [study-key]`},
		{"every", "[steps]\nrange = \"a..b\"\nevery = 0", `s.toml:3:9: every = 0 is not a whole number from 1   [study-value]`},
		{"dir outside", base + "dir = \"../steps\"", `s.toml:3:7: dir = "../steps" is not a folder below the study's   [study-value]`},

		{"phase", base + "list = [{rev = \"a\", phase = \"AA\"}]\n[[phase]]\nid = \"A\"", `s.toml:3:29: phase = "AA" is no id of a [[phase]]; did you mean "A"?   [study-value]`},
		{"phase without id", good + "[[phase]]\nname = \"x\"", `s.toml:4:3: [[phase]] has no id   [study-key]`},
		{"phase twice", good + "[[phase]]\nid = \"A\"\n[[phase]]\nid = \"A\"", `s.toml:7:6: id = "A" is used twice   [study-value]`},
		{"phase alone", "[[phase]]\nid = \"A\"\n[[variant]]\nname = \"a\"", `s.toml:1:3: [[phase]] needs [steps]   [study-key]`},

		{"beside variants", good + "[[variant]]\nname = \"v1\"", `s.toml:4:3: [[variant]] cannot be combined with [steps], whose base and steps are the variants   [study-key]`},
		{"beside factors", "[[factor]]\nname = \"GOGC\"\nlevels = [50, 100]\n" + good, `s.toml:1:3: [[factor]] cannot be combined with [steps], whose base and steps are the variants   [study-key]`},
		{"beside by", "[by]\nkey = \"/x\"\n" + good, `s.toml:1:2: [by] cannot be combined with [steps], whose base and steps are the variants   [study-key]`},
		{"compare alone", "[[variant]]\nname = \"a\"\n[decide]\ncompare = \"previous\"", `s.toml:4:1: "compare" is for the steps of [steps]; all other variants are compared with the base   [study-key]`},
		{"compare", good + "[decide]\ncompare = \"next\"", `s.toml:5:11: compare = "next" is unknown; this assay knows "previous" and "base"   [study-value]`},

		{"gates alone", "[[variant]]\nname = \"a\"\n[gates]\nvet = true", `s.toml:3:2: [gates] is for the steps of [steps]; a limit for slowdowns is "gate" in [decide]   [study-key]`},
		{"api", good + "[gates]\napi = \"stable\"", `s.toml:5:7: api = "stable" is unknown; this assay knows "same" and "compatible"   [study-value]`},
		{"tests", good + "[gates]\ntests = \"yes\"", `s.toml:5:9: tests = "yes" is unknown; this assay knows "pass"   [study-value]`},
		{"allocs", good + "[gates]\nallocs = \"fewer\"", `s.toml:5:10: allocs = "fewer" is unknown; this assay knows "no more"   [study-value]`},
		{"unsafe", good + "[gates]\nunsafe = false", `s.toml:5:10: unsafe = false is not text in quotes   [study-value]`},
		{"gate", good + "[gates]\ngate = \"5%\"", `s.toml:5:1: unknown key "gate" in [gates]; it belongs in [decide]   [study-key]`},

		{"repo and dir", "[source]\nrepo = \"a\"\ndir = \"b\"\n" + good, `s.toml:2:1: "repo" cannot be combined with "dir": both are the folder of the source   [study-key]`},
		{"overlay and suite", "[source]\noverlay = \"a\"\nsuite = \"b\"\n" + good, `s.toml:3:1: "suite" cannot be combined with "overlay": both bring the benchmarks   [study-key]`},
		{"folders without suite", "[source]\noverlay = [\"a\"]\n" + good, `s.toml:2:11: overlay = […] lists folders of a suite, and there is none; write suite = "path@version" or "rev:v1.4.0"   [study-value]`},
		{"folders of a folder", "[source]\nsuite = \"s\"\noverlay = [\"a\"]\n" + good, `s.toml:2:1: "suite" cannot be combined with "overlay": both bring the benchmarks   [study-key]`},
		{"a folder beside a version", "[source]\nsuite = \"example.org/m@v1.0.0\"\noverlay = \"a\"\n" + good, `s.toml:3:11: overlay = "a" is one folder, and those of suite are a list: write ["a"]   [study-value]`},
		{"no folders", "[source]\nsuite = \"rev:v1\"\noverlay = []\n" + good, `s.toml:3:11: overlay = […] names no folder   [study-value]`},
		{"folder outside", "[source]\nsuite = \"rev:v1\"\noverlay = [\"b\", \"../x\"]\n" + good, `s.toml:3:17: overlay = "../x" is not a folder below that of the module   [study-value]`},
		{"the module itself", "[source]\nsuite = \"rev:v1\"\noverlay = [\".\"]\n" + good, `s.toml:3:12: overlay = "." is not a folder below that of the module   [study-value]`},
		{"suite without version", "[source]\nsuite = \"example.org/m@\"\n" + good, `s.toml:2:9: suite = "example.org/m@" has no version; write "example.org/m@v1.2.3"   [study-value]`},
		{"suite without revision", "[source]\nsuite = \"rev:\"\n" + good, `s.toml:2:9: suite = "rev:" names no revision; write "rev:v1.4.0"   [study-value]`},
		{"benchmarks of a tree, and an overlay", "[source]\noverlay = \"a\"\nbenchmarks_from = \"main\"\n" + good, `s.toml:3:1: "benchmarks_from" cannot be combined with "overlay": both bring the benchmarks   [study-key]`},
		{"hide alone", "[source]\nhide = [\"*_test.go\"]\n" + good, `s.toml:2:1: "hide" needs an overlay to replace the hidden files   [study-key]`},
		{"hide pattern", "[source]\noverlay = \"a\"\nhide = [\"[\"]\n" + good, `s.toml:3:9: hide = "[" is not a pattern such as "*_bench_test.go"   [study-value]`},
		{"overlay of a command", "[source]\noverlay = \"a\"\n" + good + "[[workload]]\nkind = \"command\"\nrun = [\"{bin}\"]", `s.toml:2:1: "overlay" is for a [[workload]] of kind = "go-test", and here is a command   [study-key]`},
		{"run of a benchmark", base + "list = [{rev = \"a\", run = [\"./x\"]}]", `s.toml:3:27: run = […] is for a [[workload]] of kind = "command" or "service"; Go benchmarks have no command line   [study-value]`},
		{"nothing built", base + "list = [{name = \"a\"}]\n[[workload]]\nkind = \"command\"\nrun = [\"date\"]", `s.toml:2:10: "rev" changes nothing: no command of variant "v1" has {bin} in it, so nothing is built   [study-key]`},
		{"range, nothing built", "[steps]\nrange = \"a..b\"\n[[workload]]\nkind = \"command\"\nrun = [\"date\"]", `s.toml:2:1: "range" changes nothing: no command has {bin} in it, so nothing is built   [study-key]`},
		{"intro outside", good + "[report]\nintro = \"../intro.md\"", `s.toml:5:9: intro = "../intro.md" is not a file below the study's folder; if it is the text itself, end it with a full stop   [study-value]`},
		{"report", good + "[report]\nformat = \"html\"", `s.toml:5:1: unknown key "format" in [report]; it has caveats, intro, title   [study-key]`},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := Parse("s.toml", []byte(test.text))
			checkUsage(t, err, test.want)
		})
	}
}

// TestFormatStepsIsReadable holds the layout.
func TestFormatStepsIsReadable(t *testing.T) {
	s := tomlArcWant()
	s.Steps.List[0].Story = "Reads the text once,\n\nwithout \"copying\"."
	s.Decide.Compare = assay.ComparePrevious
	text := string(Format(s))
	_, got, _ := strings.Cut(text, "[[phase]]\n")
	const want = `id   = "A"
name = "rewrite from scratch"

[[phase]]
id = "B"

# The steps of an optimisation, each compared with the one before and with the base.
[steps]
base = { name = "v2", rev = "v2.2.4" }
list = [
  { name = "new scanner", rev = "arc/01", phase = "A", story = """
Reads the text once,

without "copying".""" },
  { name = "0011223344", rev = "0011223344556677889900112233445566778899", phase = "A", aside = "intended spike" },
  { name = "v2.4.0", module = "x.org/toml/v2@v2.4.0", phase = "B", watch = ["Unmarshal/canada"], view = "m=B/op" },
  { name = "no inlining", gcflags = ["-l"], env = { GOGC = "50" } },
]

[gates]
api     = "same"
tests   = "pass"
unsafe  = "none"
vet     = "pass"
allocs  = "no more"
against = "previous"

[report]
title   = "go-toml rewritten"
intro   = "intro.md"
caveats = ["Read each series against itself."]
`
	if got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
	roundTrip(t, s)
}

// TestFormatExpandedRange: the steps of a range are left to it.
func TestFormatExpandedRange(t *testing.T) {
	text := []byte("[steps]\nrange = \"a..b\"\n")
	s, err := Parse("s.toml", text)
	if err != nil {
		t.Fatal(err)
	}
	unlisted := Format(s)
	s.Variants = append(s.Variants, assay.Variant{Name: "fix", Rev: "1"})
	s.Steps.List = []assay.Step{{Variant: "fix"}}
	if got := Format(s); string(got) != string(unlisted) {
		t.Errorf("got\n%s\nwant\n%s", got, unlisted)
	}
}

func TestHomesOfSteps(t *testing.T) {
	for key, want := range map[string]string{
		"overlay": "in [source]", "suite": "in [source]", "api": "in [gates]", "caveats": "in [report]", "compare": "in [decide]",
		"range": "in [steps]", "touching": "in [steps]", "list": "in [steps]", "story": "in a step of [steps]", "id": "in [[phase]]",
		"rev": "in [[variant]]", "module": "in [[variant]]",
	} {
		if got := homeOf(key); got != want {
			t.Errorf("homeOf(%q) = %q, want %q", key, got, want)
		}
	}
	if got := sourceName(assay.Variant{Rev: strings.Repeat("a", 64)}); got != strings.Repeat("a", 10) {
		t.Errorf("a long hash is named %q", got)
	}
}
