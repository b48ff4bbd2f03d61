package cmdline

import (
	"reflect"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
)

func TestCompareLineCommands(t *testing.T) {
	two := []string{"go1.25.7", "go1.26.8"}
	command := func(w assay.Workload) assay.Workload { w.Kind = "command"; return w }
	for _, test := range []struct {
		line Line
		want []assay.Workload
	}{
		{Line{Variants: two, Commands: []string{"{bin} script.lua"}, Dashed: []string{"./cmd/glua"}},
			[]assay.Workload{command(assay.Workload{Package: "./cmd/glua", Names: []string{"script.lua"}, Run: []string{"{bin}", "script.lua"}})}},
		{Line{Variants: two, Commands: []string{"{bin}"}, Dashed: []string{"-race", "-tags", "a,b", "./cmd/glua", "-ldflags=-w"}},
			[]assay.Workload{command(assay.Workload{Package: "./cmd/glua", Names: []string{"glua"}, Run: []string{"{bin}"},
				BuildFlags: []string{"-race", "-tags=a,b", "-ldflags=-w"}})}},
		{Line{Variants: two, Commands: []string{`{bin} 'a b' "it's" '$HOME|*'`}},
			[]assay.Workload{command(assay.Workload{Names: []string{"a_b_it's_$HOME|*"}, Run: []string{"{bin}", "a b", "it's", "$HOME|*"}})}},
		{Line{Variants: []string{"GOGC=50", "GOGC=100"}, Commands: []string{"./serve -bench"}},
			[]assay.Workload{command(assay.Workload{Names: []string{"-bench"}, Run: []string{"./serve", "-bench"}})}},
		// Names are told apart by what they need.
		{Line{Variants: two, Commands: []string{"{bin} a/x.lua", "{bin} b/x.lua"}}, []assay.Workload{
			command(assay.Workload{Names: []string{"x.lua"}, Run: []string{"{bin}", "a/x.lua"}}),
			command(assay.Workload{Names: []string{"{bin}_b/x.lua"}, Run: []string{"{bin}", "b/x.lua"}})}},
		{Line{Variants: two, Commands: []string{"{bin} x"}, Prepare: "cp -r data {tmp}", Cleanup: "rm {tmp}/x", Stdin: "in.txt", Expect: "file:want.txt"},
			[]assay.Workload{command(assay.Workload{Names: []string{"x"}, Run: []string{"{bin}", "x"}, Prepare: []string{"cp", "-r", "data", "{tmp}"},
				Cleanup: []string{"rm", "{tmp}/x"}, Stdin: "in.txt", Expect: "file:want.txt"})}},
		{Line{Variants: two, Commands: []string{"{bin} x"}, Metrics: []string{"ops/s=/(.) ops/", "b=/(.)/lower"}},
			[]assay.Workload{command(assay.Workload{Names: []string{"x"}, Run: []string{"{bin}", "x"}, Metrics: []string{"ops/s=/(.) ops/", "b=/(.)/lower"}})}},
		{Line{Variants: two, Commands: []string{"{bin} x"}, Expect: "same"},
			[]assay.Workload{command(assay.Workload{Names: []string{"x"}, Run: []string{"{bin}", "x"}})}},
	} {
		s, err := Parse(here(), test.line)
		if err != nil {
			t.Errorf("%q: %v", test.line, err)
			continue
		}
		if !reflect.DeepEqual(s.Workloads, test.want) {
			t.Errorf("%q:\ngot  %+v\nwant %+v", test.line, s.Workloads, test.want)
		}
		if err := s.Validate(); err != nil {
			t.Errorf("%q: %v", test.line, err)
		}
		s.Dir = ""
		roundTrip(t, s)
	}
}

// TestCompareLineTwoCommands: the variants are named by the shortest text that
// tells them apart.
func TestCompareLineTwoCommands(t *testing.T) {
	for _, test := range []struct {
		a, b     string
		names    [2]string
		workload string
	}{
		{"./old x", "./new x", [2]string{"old", "new"}, "x"},
		{"./prog -O2 x.c", "./prog -O3 x.c", [2]string{"prog -O2", "prog -O3"}, "prog_x.c"},
		{"grep -c nothing data.txt", "grep -cF nothing data.txt", [2]string{"grep -c", "grep -cF"}, "grep_nothing_data.txt"},
		{"sort a.txt", "sort -u a.txt", [2]string{"sort", "sort -u"}, "sort_a.txt"},
		{"/a/prog x", "/b/prog x", [2]string{"/a/prog", "/b/prog"}, "x"},
		{"./prog", "./prog -x", [2]string{"prog", "prog -x"}, "prog"},
		{"gzip -d", "zstd", [2]string{"gzip -d", "zstd"}, "command"},
		{"./old x", "./old x", [2]string{"old x", "old x #2"}, "x"},
		{"control", "./new", [2]string{"a", "b"}, "command"}, // the name is reserved
		{"./x 'a\nb'", "./x 'a  c'", [2]string{"a b", "a c"}, "x"},
		{"sh -c 'a | b'", "sh -c b", [2]string{"a | b", "b"}, "-c"},
	} {
		s, err := Parse(here(), Line{A: test.a, B: test.b})
		if err != nil {
			t.Errorf("%q, %q: %v", test.a, test.b, err)
			continue
		}
		got := [2]string{s.Variants[0].Name, s.Variants[1].Name}
		if got != test.names || s.Base != got[0] || s.Workloads[0].Names[0] != test.workload {
			t.Errorf("%q, %q: got %q, base %q, workload %q, want %q, %q", test.a, test.b, got, s.Base, s.Workloads[0].Names, test.names, test.workload)
		}
		if err := s.Validate(); err != nil {
			t.Errorf("%q, %q: %v", test.a, test.b, err)
		}
		s.Dir = ""
		roundTrip(t, s)
	}
}

func TestCompareLineCommandErrors(t *testing.T) {
	two := []string{"go1.25.7", "go1.26.8"}
	run := []string{"{bin} x"}
	const both = "\n  try: assay compare --cmd-a './old x' --cmd-b './new x'"
	const argument = "\n  put arguments of the program into --cmd, after {bin}"
	for _, test := range []struct {
		name string
		line Line
		want string
	}{
		{"a alone", Line{A: "./old"}, `--cmd-a and --cmd-b are compared with each other, and one is missing   [commands]` + both},
		{"b alone", Line{B: "./new"}, `--cmd-a and --cmd-b are compared with each other, and one is missing   [commands]` + both},
		{"both forms", Line{Commands: run, A: "./old", B: "./new"}, `--cmd runs in every variant, and --cmd-a and --cmd-b are the variants themselves   [commands]` + both},
		{"two and variants", Line{Variants: two, A: "./old", B: "./new"}, "--cmd-a and --cmd-b are the variants; \"go1.25.7\" cannot be combined with them   [commands]\n  to run one command in several variants: --cmd"},
		{"two and dashes", Line{A: "./old", B: "./new", Dashed: []string{"./cmd/x"}}, `nothing is built for --cmd-a and --cmd-b; "./cmd/x" after -- has no use   [commands]`},
		{"two with bin", Line{A: "{bin} x", B: "./new x"}, "--cmd-a '{bin} x': nothing is built for it, and it is one run   [commands]\n  {bin} and {name} are for --cmd and studies"},
		{"prepare with bin", Line{A: "./old", B: "./new", Prepare: "{bin} init"}, `nothing is built for --cmd-a and --cmd-b, so {bin} is no program   [commands]`},
		{"by", Line{By: "/x", Commands: run}, `--by picks sub-benchmarks of Go tests, and a command has none   [commands]`},
		{"prepare of nothing", Line{Variants: two, Prepare: "make"}, "--prepare is for commands, and none is named   [commands]\n  try: --cmd '{bin} ...', or --cmd-a and --cmd-b"},
		{"expect of nothing", Line{Variants: two, Expect: "any"}, "--expect is for commands, and none is named   [commands]\n  try: --cmd '{bin} ...', or --cmd-a and --cmd-b"},

		{"as hyperfine", Line{Commands: []string{"./old x", "./new"}}, "every --cmd runs in every variant, and no variant is named   [too-few-variants]\n  try: assay compare --cmd-a './old x' --cmd-b ./new"},
		{"no variants", Line{Commands: run, Dashed: []string{"./cmd/x"}}, "compare needs two variants or more, or --cmd-a and --cmd-b   [too-few-variants]\n  try: assay compare HEAD~1 . --cmd '{bin} x' -- ./cmd/x"},
		{"one variant", Line{Variants: []string{"main"}, Commands: run, Expect: "any"}, "there is nothing to compare \"main\" with   [too-few-variants]\n  try: assay compare main . --cmd '{bin} x' --expect any"},
		{"wrong toolchain", Line{Variants: []string{"1.25.7", "."}, Commands: run}, "variant \"1.25.7\" is neither a toolchain nor a git revision here   [unknown-variant]\n  toolchains are written go1.25.7; \".\" is the working tree\n  try: assay compare go1.25.7 . --cmd '{bin} x'"},

		{"no program", Line{Variants: two, Commands: []string{" "}}, `--cmd " " names no program   [commands]`},
		{"quote", Line{Variants: two, Commands: []string{"{bin} 'x"}}, `--cmd "{bin} 'x": quote ' is not closed   [commands]`},
		{"twice", Line{Variants: two, Commands: []string{"{bin} x", "{bin} x"}}, `--cmd '{bin} x' is given twice   [commands]`},
		{"mark", Line{Variants: two, Commands: []string{"{bni} x"}}, `--cmd '{bni} x' has {bni} in it; did you mean {bin}?   [commands]`},
		{"name", Line{Variants: two, Commands: []string{"{bin} {name}.lua"}}, "--cmd '{bin} {name}.lua' has {name} in it, and a compare line has no names   [commands]\n  try: --cmd once for each of them, or names in a study: assay init"},
		{"stdin", Line{Variants: two, Commands: run, Stdin: "{tmp}/x"}, `--stdin '{tmp}/x' has {tmp} in it, and only {name} is filled in here   [commands]`},
		{"expect", Line{Variants: two, Commands: run, Expect: "want.txt"}, `--expect want.txt is neither "same", "any" nor a file with the output, "file:want/{name}.txt"   [commands]`},
		{"not UTF-8", Line{Variants: two, Commands: []string{"\xff"}}, `"\xff" is not UTF-8 text   [unknown-variant]`},

		{"built for nothing", Line{Variants: two, Commands: []string{"./x"}}, "no command has {bin} in it: \"go1.25.7\" would run the same program as the others   [commands]\n  {bin} stands for the program that is built"},
		{"package of nothing", Line{Variants: []string{"A=1", "A=2"}, Commands: []string{"./x"}, Dashed: []string{"./cmd/x"}}, "no command has {bin} in it: \"./cmd/x\" after -- has no use   [commands]\n  {bin} stands for the program that is built"},
		{"flag of go test", Line{Variants: two, Commands: run, Dashed: []string{"-bench=."}}, "-bench=. after -- is no flag of go build, and --cmd measures a program, not benchmarks   [commands]" + argument},
		{"flag of nobody", Line{Variants: two, Commands: run, Dashed: []string{"./x", "-n"}}, "-n after -- is no flag of go build, and --cmd measures a program, not benchmarks   [commands]" + argument},
		{"vet", Line{Variants: two, Commands: run, Dashed: []string{"-vet=off"}}, "-vet=off after -- is no flag of go build, and --cmd measures a program, not benchmarks   [commands]" + argument},
		{"flag without value", Line{Variants: two, Commands: run, Dashed: []string{"-tags"}}, "-tags after -- needs a value   [commands]"},
		{"two packages", Line{Variants: two, Commands: run, Dashed: []string{"./cmd/x", "script.lua"}}, `{bin} is one program, and "./cmd/x" and "script.lua" are two packages   [commands]` + argument},
		{"pattern", Line{Variants: two, Commands: run, Dashed: []string{"./..."}}, `"./..." after -- is a pattern; a command is built from one main package   [commands]`},

		{"pipe", Line{Variants: two, Commands: []string{"{bin} x | wc"}}, "--cmd '{bin} x | wc' has an unquoted | in it, and assay starts no shell   [needs-no-shell]\n  the shell's own start is measured then, too\n  try: --cmd \"sh -c '{bin} x | wc'\""},
		{"input", Line{Variants: two, Commands: []string{"{bin} < in"}}, "--cmd '{bin} < in' has an unquoted < in it, and assay starts no shell   [needs-no-shell]\n  try: --stdin FILE"},
		{"output away", Line{Variants: two, Commands: []string{"{bin} x > /dev/null"}}, "--cmd '{bin} x > /dev/null' has an unquoted > in it, and assay starts no shell   [needs-no-shell]\n  no redirect is needed: what a command prints does not reach the terminal\n  try: --cmd '{bin} x'"},
		{"variable in front", Line{Variants: two, Commands: []string{"GOGC=50 {bin}"}}, "--cmd 'GOGC=50 {bin}' begins with a variable, and assay starts no shell   [needs-no-shell]\n  a variable that is to be compared belongs into a variant: GOGC=50\n  try: --cmd 'env GOGC=50 {bin}'"},
		{"in prepare", Line{Variants: two, Commands: run, Prepare: "rm *.o"}, "--prepare 'rm *.o' has an unquoted * in it, and assay starts no shell   [needs-no-shell]\n  the shell's own start is measured then, too\n  try: --prepare \"sh -c 'rm *.o'\""},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := Parse(here(), test.line)
			checkUsage(t, err, test.want)
		})
	}
}

// TestShellSyntax: quotes protect what a shell would protect by them.
func TestShellSyntax(t *testing.T) {
	for line, want := range map[string]string{
		"{bin} x": "", "a '|>&;*$x`'": "", `a "|>&;*" -n`: "", "a b=c ~x a?b [x] 100$ $": "", "a {x,y}": "",
		"a | b": "|", "a || b": "||", "a && b": "&&", "a & b": "&", "a; b": ";", "a > b": ">", "a >> b": ">>", "a 2>&1": ">", "a < b": "<",
		"rm *.o": "*", "a $HOME": "$HOME", "a ${HOME}/x": "${HOME}", "a $(b)": "$(", "a `b`": "`", `a "$HOME"`: "$HOME", "a \"`b`\"": "`",
		`a "'" | b`: "|", `a '"' $x`: "$x",
	} {
		if got := shellSyntax(line); got != want {
			t.Errorf("shellSyntax(%q) = %q, want %q", line, got, want)
		}
	}
}

// TestForgotDashesWithCommands: what stands in a command is not taken for a
// package.
func TestForgotDashesWithCommands(t *testing.T) {
	e := ForgotDashes("-race", typed("go1.25.7", "go1.26.8", "--cmd", "./x/{bin} y", "-race", "./cmd/x"))
	checkUsage(t, e, `-race is a flag of go test, not of assay compare   [needs-dashes]
  try: assay compare go1.25.7 go1.26.8 --cmd './x/{bin} y' -- -race ./cmd/x`)
}

// FuzzCommandLine: no command ends the program, and what is taken can be
// written as a study file that means the same.
func FuzzCommandLine(f *testing.F) {
	f.Add("{bin} script.lua", "./x 'a b'", "./old x", "rm -f {tmp}/x", "in/{name}.txt", "./cmd/x -race")
	f.Add("nice {bin} -in=a/b", "", "./old", "", "", "-tags a")
	f.Add("a\x00b", "./x '\n'", "control", "x\u2028", "{bin}", "")
	f.Fuzz(func(t *testing.T, cmd, a, b, prepare, stdin, dashed string) {
		for _, line := range []Line{
			{Variants: []string{".", "GOGC=50"}, Commands: []string{cmd, a}, Prepare: prepare, Stdin: stdin, Dashed: strings.Fields(dashed)},
			{A: a, B: b, Prepare: prepare, Stdin: stdin},
		} {
			s, err := Parse(here(), line)
			if err != nil {
				checkExit(t, err)
				continue
			}
			s.Dir = ""
			roundTrip(t, s)
		}
	})
}
