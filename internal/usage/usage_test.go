package usage_test

import (
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/spec"
	"github.com/seed-1318a441/assay/internal/usage"
)

// A program has two commands with flags: compare, which takes arguments for go test, and
// show, which does not.
type program struct {
	budget     time.Duration
	color, cmd string
	keep       usage.Size
	seed       int
	all        bool
	given      []string // to cobra
	words      []string // of the command that ran
}

// run runs the program on the words of a command line.
func (p *program) run(line ...string) error {
	root := &cobra.Command{Use: "assay", Args: cobra.ArbitraryArgs, SilenceErrors: true, SilenceUsage: true}
	root.RunE = func(cmd *cobra.Command, args []string) error { return usage.UnknownCommand(cmd, args, asks) }
	p.color = "auto"
	usage.ChoiceVar(root.PersistentFlags(), &p.color, []string{"auto", "always", "never"}, "color", "")
	root.PersistentFlags().BoolP("quiet", "q", false, "")
	took := func(_ *cobra.Command, args []string) error { p.words = usage.Unshield(args); return nil }
	compare := &cobra.Command{Use: "compare", RunE: took, Annotations: map[string]string{usage.BeforeDashes: "variants", usage.WithoutVerb: "yes"}, SuggestFor: []string{"bench"}}
	usage.DurationVar(compare.Flags(), &p.budget, "budget", 10*time.Minute, "")
	compare.Flags().SetAnnotation("budget", usage.OtherNames, []string{"time"})
	compare.Flags().StringVarP(&p.cmd, "cmd", "c", "", "")
	compare.Flags().IntVar(&p.seed, "seed", 0, "")
	show := &cobra.Command{Use: "show", RunE: took, Args: cobra.NoArgs, SuggestFor: []string{"last"}}
	show.Flags().BoolVar(&p.all, "all", false, "")
	show.Flags().Var(&p.keep, "keep", "")
	root.AddCommand(compare, show)
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error { return usage.FlagError(cmd, line, err, asks) })
	p.given = usage.Shield(root, line)
	root.SetArgs(p.given)
	root.SetOut(io.Discard)
	root.SetErr(io.Discard)
	return usage.ValueError(line, root.Execute())
}

// asks knows the questions of words that begin with "go".
func asks(words, _ []string) bool {
	return len(words) > 1 && !slices.ContainsFunc(words, func(w string) bool { return !strings.HasPrefix(w, "go") })
}

// A wrong is a line with what is said of it, and what to type instead.
type wrong struct {
	line []string
	code assay.Code
	text string
	try  string
}

func check(t *testing.T, cases []wrong) {
	t.Helper()
	for _, c := range cases {
		err := new(program).run(c.line...)
		e, ok := errors.AsType[*assay.Error](err)
		if !ok {
			t.Errorf("%q: got %v, want an error of the user's", c.line, err)
			continue
		}
		if e.Code != c.code || e.Text != c.text || e.Try != c.try || e.Exit != assay.ExitUsage {
			t.Errorf("%q: got %q [%s], try %q, exit %d\nwant %q [%s], try %q", c.line, e.Text, e.Code, e.Try, e.Exit, c.text, c.code, c.try)
		}
	}
}

// A line without errors is read as it is typed: build flags of variants are words, except
// behind the dashes and as values of other flags.
func TestVariantFlagsAreWords(t *testing.T) {
	for _, c := range []struct {
		line, words []string
		cmd         string
	}{
		{[]string{"compare", "main", "."}, []string{"main", "."}, ""},
		{[]string{"compare", "-gcflags=-l", ".", "--budget", "5m"}, []string{"-gcflags=-l", "."}, ""},
		{[]string{"compare", "--budget=5m", "-pgo=off", "--tags=a,b"}, []string{"-pgo=off", "--tags=a,b"}, ""},
		{[]string{"compare", "--cmd", "-tags=x", "-tags=y"}, []string{"-tags=y"}, "-tags=x"},
		{[]string{"compare", "-c", "-tags=x", "-tags=y"}, []string{"-tags=y"}, "-tags=x"},
		{[]string{"compare", "-cmine", "-tags=x"}, []string{"-tags=x"}, "mine"},
		{[]string{"compare", "a", "b", "--", "-gcflags=-l", "-bench=."}, []string{"a", "b", "-gcflags=-l", "-bench=."}, ""},
	} {
		p := new(program)
		if err := p.run(c.line...); err != nil || !slices.Equal(p.words, c.words) || p.cmd != c.cmd {
			t.Errorf("%q: got the words %q, --cmd %q, %v, want %q and %q", c.line, p.words, p.cmd, err, c.words, c.cmd)
		}
	}
}

// A flag that go test has, in front of the dashes, is not taken for a mistyped one of
// assay: the line to try has it behind them.
func TestForgottenDashes(t *testing.T) {
	check(t, []wrong{
		{[]string{"compare", "go1.25.7", "go1.26.8", "-bench=.", "./..."}, assay.CodeNeedsDashes,
			"-bench is a flag of go test, not of assay compare", "assay compare go1.25.7 go1.26.8 -- -bench=. ./..."},
		{[]string{"compare", "--budget", "5m", "main", ".", "-bench", "A|B", "--", "-short"}, assay.CodeNeedsDashes,
			"-bench is a flag of go test, not of assay compare", "assay compare --budget 5m main . -- -bench 'A|B' -short"},
		{[]string{"compare", "main", ".", "--benchtime=1s"}, assay.CodeNeedsDashes,
			"-benchtime is a flag of go test, not of assay compare", "assay compare main . -- --benchtime=1s"},
		{[]string{"compare", "main", ".", "--count", "3"}, assay.CodeOwnsCount,
			"go test -count repeats one variant in a row; assay interleaves instead", "assay compare main ."},
		// The wrong flag is another one; that of go test is the value of --cmd.
		{[]string{"compare", "--cmd", "-bench=.", "--bugdet=5m", "a", "b"}, assay.CodeFlags,
			"compare has no flag --bugdet; did you mean --budget?", "assay compare --cmd -bench=. --budget=5m a b"},
		// The wrong flag is another one; -c is assay's, though go test has one too.
		{[]string{"compare", "-c", "x", "--bugdet=5m", "a", "b"}, assay.CodeFlags,
			"compare has no flag --bugdet; did you mean --budget?", "assay compare -c x --budget=5m a b"},
		// This command takes no arguments for go test.
		{[]string{"show", "-bench=."}, assay.CodeFlags, "show has no flag -bench", "assay show --help"},
	})
}

// A mistyped flag is replaced by the one that was meant, with its value and its dashes, and
// the rest of the line stays.
func TestUnknownFlags(t *testing.T) {
	check(t, []wrong{
		{[]string{"compare", "--bugdet", "5m", "main", "my tree"}, assay.CodeFlags,
			"compare has no flag --bugdet; did you mean --budget?", "assay compare --budget 5m main 'my tree'"},
		{[]string{"compare", "-budget=5m", "main", "."}, assay.CodeFlags,
			"compare has no flag -budget; did you mean --budget?", "assay compare --budget=5m main ."},
		{[]string{"compare", "--time", "5m", "main"}, assay.CodeFlags, "compare has no flag --time; did you mean --budget?", "assay compare --budget 5m main"},
		// The first letter is a flag of its own.
		{[]string{"compare", "-quite", "main", "."}, assay.CodeFlags,
			"compare has no flag -quite; did you mean --quiet?", "assay compare --quiet main ."},
		// Another flag begins like the wrong one.
		{[]string{"compare", "--colo=never", "--color=auto"}, assay.CodeFlags, "compare has no flag --colo; did you mean --color?", "assay compare --color=never --color=auto"},
		// What stands behind the dashes is not assay's.
		{[]string{"compare", "--colr=never", "a", "b", "--", "--colr=never"}, assay.CodeFlags,
			"compare has no flag --colr; did you mean --color?", "assay compare --color=never a b -- --colr=never"},
		{[]string{"show", "--zzzzz"}, assay.CodeFlags, "show has no flag --zzzzz", "assay show --help"},
		{[]string{"show", "--=x"}, assay.CodeFlags, "bad flag syntax: --=x", "assay show --help"},
	})
}

// An invalid value is named with its flag; the line to try has the right one, where that is
// known.
func TestWrongValues(t *testing.T) {
	check(t, []wrong{
		{[]string{"compare", "--budget", "5", "a", "b"}, assay.CodeFlags, `--budget: 5 needs a unit: "5s" or "5m"`, "assay compare --budget 5s a b"},
		{[]string{"compare", "--budget=5", "a", "5"}, assay.CodeFlags, `--budget: 5 needs a unit: "5s" or "5m"`, "assay compare --budget=5s a 5"},
		{[]string{"compare", "--budget", "soon"}, assay.CodeFlags, `--budget: soon is not a time such as "50ms" or "10m"`, "assay compare --help"},
		{[]string{"compare", "--budget="}, assay.CodeFlags, `--budget: "" is not a time such as "50ms" or "10m"`, "assay compare --help"},
		{[]string{"compare", "--seed=x"}, assay.CodeFlags, "--seed: x is not a number", "assay compare --help"},
		{[]string{"compare", "--seed="}, assay.CodeFlags, `--seed: "" is not a number`, "assay compare --help"},
		{[]string{"compare", "--seed"}, assay.CodeFlags, "--seed needs a value", "assay compare --help"},
		{[]string{"show", "--all=maybe"}, assay.CodeFlags, "--all: maybe is neither true nor false", "assay show --help"},
		{[]string{"show", "--keep", "lots"}, assay.CodeFlags, "--keep: lots is no size, such as 20GB", "assay show --help"},
		{[]string{"--color", "alwys", "show"}, assay.CodeFlags, "--color: alwys is not one of auto, always, never", "assay --color always show"},
		{[]string{"--color=blue", "show"}, assay.CodeFlags, "--color: blue is not one of auto, always, never", "assay show --help"},
	})
}

// A mistyped command is replaced, whatever flags stand around it: they are that command's.
func TestUnknownCommands(t *testing.T) {
	check(t, []wrong{
		{[]string{"comapre", "a", "b"}, assay.CodeHelp, `there is no command "comapre"; did you mean "compare"?`, "assay compare a b"},
		{[]string{"comapre", "--budget", "5m", "a b"}, assay.CodeHelp, `there is no command "comapre"; did you mean "compare"?`, "assay compare --budget 5m 'a b'"},
		{[]string{"--color", "never", "shwo", "--all"}, assay.CodeHelp, `there is no command "shwo"; did you mean "show"?`, "assay show --all"},
		{[]string{"zzz"}, assay.CodeHelp, `there is no command "zzz"`, "assay help"},
		{[]string{"--zzz"}, assay.CodeFlags, "assay has no flag --zzz", "assay --help"},
	})
}

// A verb of another tool, or none, means the command that can answer the rest of the line.
// If no command can, there is only its help to try.
func TestOtherVerbs(t *testing.T) {
	check(t, []wrong{
		{[]string{"bench", "go1", "--budget=5m", "go2", "-bench=X", "./p"}, assay.CodeHelp, `there is no command "bench"; did you mean "compare"?`, "assay compare go1 --budget=5m go2 -- -bench=X ./p"},
		{[]string{"bench", "--cmd", "go3", "go1"}, assay.CodeHelp, `there is no command "bench"; did you mean "compare"?`, "assay compare --help"},
		{[]string{"bench", "./..."}, assay.CodeHelp, `there is no command "bench"; did you mean "compare"?`, "assay compare --help"},
		{[]string{"go1", "go2", "--", "-bench=X"}, assay.CodeHelp, `there is no command "go1"; did you mean "compare"?`, "assay compare go1 go2 -- -bench=X"},
		{[]string{"go1", "two"}, assay.CodeHelp, `there is no command "go1"`, "assay help"},
		{[]string{"last"}, assay.CodeHelp, `there is no command "last"; did you mean "show"?`, "assay show"},
		{[]string{"last", "go1"}, assay.CodeHelp, `there is no command "last"; did you mean "show"?`, "assay show --help"},
		{[]string{"comapre", "one", "-bench=X"}, assay.CodeHelp, `there is no command "comapre"; did you mean "compare"?`, "assay compare one -- -bench=X"},
		// Two letters of four make another word.
		{[]string{"show", "--keip=1"}, assay.CodeFlags, "show has no flag --keip; did you mean --keep?", "assay show --keep=1"},
		{[]string{"show", "--keil=1"}, assay.CodeFlags, "show has no flag --keil", "assay show --help"},
	})
}

// What a command finds in the value of a flag is told as if pflag had found it; other
// errors stay as they are.
func TestValueError(t *testing.T) {
	cmd := &cobra.Command{Use: "run"}
	bad := &usage.BadValue{Cmd: cmd, Flag: "on", Err: &spec.BadValue{Problem: `m4:22 is no machine; write "ssh:m4:22"`, Right: "ssh:m4:22"}}
	for try, line := range map[string][]string{"assay run --on=ssh:m4:22 dir": {"run", "--on=m4:22", "dir"}, "assay run dir --on ssh:m4:22": {"run", "dir", "--on", "m4:22"}} {
		e, ok := errors.AsType[*assay.Error](usage.ValueError(line, bad))
		if !ok || e.Try != try || e.Text != `--on: m4:22 is no machine; write "ssh:m4:22"` || e.Text != bad.Error() {
			t.Errorf("%q: got %+v, want to try %q", line, e, try)
		}
	}
	if got := usage.ValueError(nil, io.EOF); got != io.EOF {
		t.Errorf("got %v, want the error that was given", got)
	}
	if got := usage.ValueError(nil, nil); got != nil {
		t.Errorf("got %v of no error", got)
	}
}

// A line is quoted, so that it can be pasted, and has dashes only where something follows.
func TestLine(t *testing.T) {
	for want, got := range map[string]string{
		"assay run":                               usage.Line("run", nil, nil, nil),
		"assay run --budget=1m 'my dir'":          usage.Line("run", []string{"--budget=1m"}, []string{"my dir"}, nil),
		"assay compare a b -- '-bench=A|B' ./...": usage.Line("compare", nil, []string{"a", "b"}, []string{"-bench=A|B", "./..."}),
	} {
		if got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// Flags show their values as they can be typed again, also those that nobody has set.
func TestValuesAreReadAgain(t *testing.T) {
	p := new(program)
	if err := p.run("compare", "--budget", "90s", "a"); err != nil || p.budget != 90*time.Second {
		t.Errorf("got %v, %v, want 1m30s", p.budget, err)
	}
	if err := p.run("compare", "a"); err != nil || p.budget != 10*time.Minute {
		t.Errorf("got %v, %v, want the default", p.budget, err)
	}
	if err := p.run("--color=never", "show"); err != nil || p.color != "never" {
		t.Errorf("got %q, %v, want never", p.color, err)
	}
	for text, want := range map[string]string{"20GB": "20GB", "1500MB": "1500000000", "lots": "", "1 GiB": "1073741824", "0": "0", "3000000000": "3GB"} {
		var s, again usage.Size
		err := s.Set(text)
		if want == "" {
			if err == nil {
				t.Errorf("%s: got %d, want an error", text, s)
			}
			continue
		}
		if err != nil || s.String() != want || again.Set(s.String()) != nil || again != s {
			t.Errorf("%s: got %s, %v, and %d again, want %s", text, s.String(), err, again, want)
		}
	}
}

// The help of a flag names the kind of its value and its default.
func TestHelpOfFlags(t *testing.T) {
	cmd := &cobra.Command{Use: "run"}
	var budget time.Duration
	color, keep := "auto", usage.Size(20e9)
	usage.DurationVar(cmd.Flags(), &budget, "budget", time.Minute, "the longest `TIME`")
	usage.ChoiceVar(cmd.Flags(), &color, []string{"auto", "never"}, "color", "which colours")
	cmd.Flags().Var(&keep, "keep", "room for files")
	got := strings.Join(strings.Fields(cmd.Flags().FlagUsages()), " ")
	want := `--budget TIME the longest TIME (default 1m0s) --color string which colours (default "auto") --keep size room for files (default 20GB)`
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// Only words before the dashes, of commands that take arguments for go test, are kept from
// cobra.
func TestShield(t *testing.T) {
	for _, c := range []struct{ line, want []string }{
		{[]string{"compare", "-tags=x", "--", "-tags=y"}, []string{"compare", " -tags=x", "--", "-tags=y"}},
		{[]string{"show", "-tags=x"}, []string{"show", "-tags=x"}},
		{[]string{"-tags=x"}, []string{"-tags=x"}},
	} {
		p := new(program)
		if _ = p.run(c.line...); !slices.Equal(p.given, c.want) {
			t.Errorf("%q: got %q, want %q", c.line, p.given, c.want)
		}
	}
}
