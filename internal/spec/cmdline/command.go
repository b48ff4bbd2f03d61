package cmdline

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/shell"
	"github.com/seed-1318a441/assay/internal/spec"
	"github.com/seed-1318a441/assay/internal/spec/goflag"
)

// hasCommands reports whether programs are compared instead of benchmarks.
func (l compareLine) hasCommands() bool { return len(l.Commands) > 0 || l.A != "" || l.B != "" }

// flagsOfCommands returns the flags about commands as one types them.
func (l compareLine) flagsOfCommands() []string {
	var out []string
	for _, c := range l.Commands {
		out = append(out, "--cmd", c)
	}
	for _, m := range l.Metrics {
		out = append(out, "--metric", m)
	}
	return append(out, given("--cmd-a", l.A, "--cmd-b", l.B, "--prepare", l.Prepare, "--cleanup", l.Cleanup, "--stdin", l.Stdin, "--expect", l.Expect)...)
}

// given returns the flags that have a value, of names and values in turn.
func given(flags ...string) (out []string) {
	for flag := range slices.Chunk(flags, 2) {
		if flag[1] != "" {
			out = append(out, flag...)
		}
	}
	return out
}

// checkCommands refuses flags that exclude each other.
func (l compareLine) checkCommands() error {
	two := l.A != "" || l.B != ""
	both := "assay compare --cmd-a './old x' --cmd-b './new x'"
	switch {
	case !l.hasCommands():
		if rest := l.flagsOfCommands(); len(rest) > 0 {
			return usage(assay.CodeCommands, rest[0]+" is for commands, and none is named", "--cmd '{bin} ...', or --cmd-a and --cmd-b")
		}
		return nil
	case l.By != "":
		return usage(assay.CodeCommands, "--by picks sub-benchmarks of Go tests, and a command has none", "")
	case two && len(l.Commands) > 0:
		return usage(assay.CodeCommands, "--cmd runs in every variant, and --cmd-a and --cmd-b are the variants themselves", both)
	case two && (l.A == "" || l.B == ""):
		return usage(assay.CodeCommands, "--cmd-a and --cmd-b are compared with each other, and one is missing", both)
	case two && len(l.Variants) > 0:
		return usage(assay.CodeCommands, fmt.Sprintf("--cmd-a and --cmd-b are the variants; %q cannot be combined with them", l.Variants[0]), "",
			"to run one command in several variants: --cmd")
	case two && len(l.Dashed) > 0:
		return usage(assay.CodeCommands, fmt.Sprintf("nothing is built for --cmd-a and --cmd-b; %q after -- has no use", l.Dashed[0]), "")
	case !two && len(l.Variants) < 2 && len(l.Factors) == 0:
		return l.tooFewForCommands()
	}
	return nil
}

// tooFewForCommands helps users who name the commands to compare, as for other tools.
func (l compareLine) tooFewForCommands() error {
	if len(l.Variants) == 0 && len(l.Commands) == 2 {
		return usage(assay.CodeTooFewVariants, "every --cmd runs in every variant, and no variant is named",
			"assay compare --cmd-a "+shell.Quote(l.Commands[0])+" --cmd-b "+shell.Quote(l.Commands[1]))
	}
	return l.tooFew()
}

// readCommands makes workloads of --cmd, or variants and one workload of two commands.
func (l compareLine) readCommands(s *assay.Study) error {
	common, err := l.commonWorkload()
	if err != nil {
		return err
	}
	if l.A != "" {
		return l.readTwo(s, common)
	}
	for i, line := range l.Commands {
		if slices.Contains(l.Commands[:i], line) {
			return usage(assay.CodeCommands, fmt.Sprintf("--cmd %s is given twice", shell.Quote(line)), "")
		}
		w := common
		if w.Run, err = parseCommand("--cmd", line); err != nil {
			return err
		}
		if spec.HasPlace(assay.PlaceName, w.Run) {
			return usage(assay.CodeCommands, fmt.Sprintf("--cmd %s has {name} in it, and a compare line has no names", shell.Quote(line)),
				"--cmd once for each of them, or names in a study: assay init")
		}
		if !spec.HasPlace(assay.PlaceBin, w.Run, w.Prepare, w.Cleanup) {
			w.Package, w.BuildFlags = "", nil // the others may need them
		}
		s.Workloads = append(s.Workloads, w)
	}
	nameCommands(s.Workloads)
	return l.checkUse(s)
}

// commonWorkload returns what all commands of the line share.
func (l compareLine) commonWorkload() (w assay.Workload, err error) {
	w.Kind = assay.KindCommand
	if w.Prepare, err = parseCommand("--prepare", l.Prepare); err != nil {
		return w, err
	}
	if w.Cleanup, err = parseCommand("--cleanup", l.Cleanup); err != nil {
		return w, err
	}
	if l.Stdin != "" {
		if w.Stdin, err = spec.InputFile(l.Stdin); err != nil {
			return w, usage(assay.CodeCommands, fmt.Sprintf("--stdin %s %v", shell.Quote(l.Stdin), err), "")
		}
	}
	if l.Expect != "" {
		if w.Expect, err = spec.Expect(l.Expect); err != nil {
			return w, usage(assay.CodeCommands, fmt.Sprintf("--expect %s %v", shell.Quote(l.Expect), err), "")
		}
	}
	for _, m := range l.Metrics {
		if err := spec.Pattern(w.Metrics, m); err != nil {
			return w, usage(assay.CodeCommands, fmt.Sprintf("--metric %s %v", shell.Quote(m), err), "")
		}
		w.Metrics = append(w.Metrics, m)
	}
	if l.Expect == assay.ExpectSame && w.ReadsOutput() {
		return w, usage(assay.CodeCommands, "--expect same cannot be combined with --metric: "+spec.VariesByNature, "")
	}
	return w, l.buildArgs(&w)
}

// parseCommand splits a command line into its arguments; nil for "".
func parseCommand(flag, line string) ([]string, error) {
	if line == "" && flag != "--cmd" {
		return nil, nil
	}
	if err := needsNoShell(flag, line); err != nil {
		return nil, err
	}
	words, err := shell.Split(line)
	if err != nil {
		return nil, usage(assay.CodeCommands, fmt.Sprintf("%s %q: %v", flag, line, err), "")
	}
	if len(words) == 0 || words[0] == "" {
		return nil, usage(assay.CodeCommands, fmt.Sprintf("%s %q names no program", flag, line), "")
	}
	for _, w := range words {
		if err := spec.CheckArgument(w, spec.CommandPlaces...); err != nil {
			return nil, usage(assay.CodeCommands, fmt.Sprintf("%s %s %v", flag, shell.Quote(line), err), "")
		}
	}
	return words, nil
}

var assignmentWord = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*=`)

// needsNoShell refuses shell syntax. assay starts no shell: its start would be measured
// too, and a study may come from a stranger.
func needsNoShell(flag, line string) error {
	const none = "and assay starts no shell"
	quiet, toNull := strings.CutSuffix(line, "/dev/null")
	quiet, arrow := strings.CutSuffix(strings.TrimRight(quiet, " "), ">")
	quiet = strings.TrimRight(quiet, " ")
	switch what := shellSyntax(line); {
	case toNull && arrow && shellSyntax(quiet) == "" && !assignmentWord.MatchString(line):
		return usage(assay.CodeNeedsNoShell, fmt.Sprintf("%s %s has an unquoted > in it, %s", flag, shell.Quote(line), none), flag+" "+shell.Quote(quiet),
			"no redirect is needed: what a command prints does not reach the terminal")
	case assignmentWord.MatchString(line):
		return usage(assay.CodeNeedsNoShell, fmt.Sprintf("%s %s begins with a variable, %s", flag, shell.Quote(line), none), flag+" "+shell.Quote("env "+line),
			"a variable that is to be compared belongs into a variant: GOGC=50")
	case what == "<" && flag == "--cmd":
		return usage(assay.CodeNeedsNoShell, fmt.Sprintf("%s %s has an unquoted %s in it, %s", flag, shell.Quote(line), what, none), "--stdin FILE")
	case what != "":
		return usage(assay.CodeNeedsNoShell, fmt.Sprintf("%s %s has an unquoted %s in it, %s", flag, shell.Quote(line), what, none),
			flag+" "+shell.Quote("sh -c "+shell.Quote(line)), "the shell's own start is measured then, too")
	}
	return nil
}

var (
	shellVariable = regexp.MustCompile(`^\$([A-Za-z_][A-Za-z0-9_]*|\{[^}]*\}|\()`)
	shellOperator = regexp.MustCompile(`^(&&|\|\||>>|[|<>&;*` + "`" + `])`)
)

// shellSyntax returns the first thing in a command line that a shell would interpret, or
// "". Single quotes protect everything, double quotes all but variables and commands.
func shellSyntax(line string) string {
	var open byte
	for i := range len(line) {
		c, rest := line[i], line[i:]
		switch {
		case open != 0 && c == open:
			open = 0
		case open == '\'':
		case shellVariable.MatchString(rest):
			return shellVariable.FindString(rest)
		case open == '"' && c == '`':
			return "`"
		case open != 0:
		case c == '\'' || c == '"':
			open = c
		case shellOperator.MatchString(rest):
			return shellOperator.FindString(rest)
		}
	}
	return ""
}

// buildArgs reads what follows "--" for a program: flags of go build, and the main
// package.
func (l compareLine) buildArgs(w *assay.Workload) error {
	for i := 0; i < len(l.Dashed); i++ {
		a := l.Dashed[i]
		if !strings.HasPrefix(a, "-") {
			if w.Package != "" {
				return usage(assay.CodeCommands, fmt.Sprintf("{bin} is one program, and %q and %q are two packages", w.Package, a), "",
					"put arguments of the program into --cmd, after {bin}")
			}
			var err error
			if w.Package, err = spec.MainPackage(a); err != nil {
				return usage(assay.CodeCommands, fmt.Sprintf("%q after -- %v", a, err), "")
			}
			continue
		}
		name, value, hasValue := goflag.Cut(a)
		f, known := goflag.Known[name]
		if !known || f.To != goflag.ToBuild || name == "vet" {
			return usage(assay.CodeCommands, fmt.Sprintf("%s after -- is no flag of go build, and --cmd measures a program, not benchmarks", a), "",
				"put arguments of the program into --cmd, after {bin}")
		}
		if f.Value && !hasValue {
			if i++; i == len(l.Dashed) {
				return usage(assay.CodeCommands, a+" after -- needs a value", "")
			}
			value, hasValue = l.Dashed[i], true
		}
		w.BuildFlags = append(w.BuildFlags, goflag.Join(name, value, hasValue))
	}
	return nil
}

// checkUse refuses variants and packages that no command runs.
func (l compareLine) checkUse(s *assay.Study) error {
	const fact = "{bin} stands for the program that is built"
	if len(s.Variants) == 0 {
		return nil // the factors make them
	}
	for i, v := range s.Variants {
		if !v.SameBuild(assay.Variant{}) && !spec.UsesBuild(s, v) {
			return usage(assay.CodeCommands, fmt.Sprintf("no command has {bin} in it: %q would run the same program as the others", l.Variants[i]), "", fact)
		}
	}
	if len(l.Dashed) > 0 && !spec.UsesBuild(s, s.Variants[0]) {
		return usage(assay.CodeCommands, fmt.Sprintf("no command has {bin} in it: %q after -- has no use", l.Dashed[0]), "", fact)
	}
	return nil
}

// nameCommands gives every command the shortest name that distinguishes it.
func nameCommands(ws []assay.Workload) {
	taken := map[string]bool{}
	for i := range ws {
		w := &ws[i]
		long := spec.ShortName(spec.CleanName(strings.Join(w.Run, "_")))
		name := firstFree(taken, []string{spec.DefaultName(w, w.Package, [][]string{w.Run}), long})
		w.Names = []string{spec.CleanName(name)}
		taken[name] = true
	}
}

// readTwo makes variants of two programs.
func (l compareLine) readTwo(s *assay.Study, w assay.Workload) error {
	var lines [][]string
	for _, f := range []struct{ flag, line string }{{"--cmd-a", l.A}, {"--cmd-b", l.B}} {
		words, err := parseCommand(f.flag, f.line)
		if err != nil {
			return err
		}
		if spec.HasPlace(assay.PlaceBin, words) || spec.HasPlace(assay.PlaceName, words) {
			return usage(assay.CodeCommands, fmt.Sprintf("%s %s: nothing is built for it, and it is one run", f.flag, shell.Quote(f.line)), "",
				"{bin} and {name} are for --cmd and studies")
		}
		lines = append(lines, words)
	}
	if spec.HasPlace(assay.PlaceBin, w.Prepare, w.Cleanup) {
		return usage(assay.CodeCommands, "nothing is built for --cmd-a and --cmd-b, so {bin} is no program", "")
	}
	for i, name := range twoNames(lines[0], lines[1]) {
		s.Variants = append(s.Variants, assay.Variant{Name: name, Run: lines[i]})
	}
	w.Names = []string{spec.DefaultName(&w, "", lines)}
	program := spec.ProgramName(lines[0][0], "")
	flags := slices.ContainsFunc(s.Variants, func(v assay.Variant) bool { return strings.HasPrefix(v.Name, program+" -") })
	if flags && program == spec.ProgramName(lines[1][0], "") && w.Names[0] != program {
		w.Names[0] = spec.ShortName(program + "_" + w.Names[0])
	}
	s.Workloads = []assay.Workload{w}
	return nil
}

// twoNames gives two command lines the shortest names that distinguish them: the words in
// which they differ, the program without its folder, or more if that is not enough. A flag
// has its program in front.
func twoNames(a, b []string) [2]string {
	shortA, shortB := slices.Clone(a), slices.Clone(b)
	shortA[0], shortB[0] = spec.ProgramName(a[0], ""), spec.ProgramName(b[0], "")
	for _, pair := range [][2][]string{
		{without(shortA, shortB), without(shortB, shortA)}, {without(a, b), without(b, a)}, {shortA, shortB}, {a, b},
	} {
		x, y := variantText(pair[0]), variantText(pair[1])
		if shortA[0] == shortB[0] && (strings.HasPrefix(x, "-") || strings.HasPrefix(y, "-")) {
			x, y = variantText([]string{shortA[0], x}), variantText([]string{shortB[0], y})
		}
		if x != y && isVariantName(x) && isVariantName(y) {
			return [2]string{x, y}
		}
	}
	if x := variantText(shortA); isVariantName(x) && slices.Equal(a, b) {
		return [2]string{x, x + " #2"}
	}
	return [2]string{"a", "b"}
}

func without(words, others []string) []string {
	return slices.DeleteFunc(slices.Clone(words), func(w string) bool { return slices.Contains(others, w) })
}

func variantText(words []string) string {
	return strings.Join(strings.Fields(strings.Join(words, " ")), " ")
}

func isVariantName(s string) bool {
	_, err := spec.VariantName(s)
	return err == nil
}
