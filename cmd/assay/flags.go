package main

import (
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/record"
	"github.com/seed-1318a441/assay/internal/session"
	"github.com/seed-1318a441/assay/internal/spec"
	"github.com/seed-1318a441/assay/internal/spec/cmdline"
	"github.com/seed-1318a441/assay/internal/usage"
)

// studyFlags override what a study says.
type studyFlags struct {
	budget, trial, timeout                               time.Duration
	minEffect, confidence, blocks, layouts, control, gat string
	base, filter, name                                   string
	seed, goarch, collect, pair                          string
	gomaxprocs, inner                                    int
	pass                                                 []string
	force, remoteLoad                                    bool
	// line has the flags that only a compare line has.
	line cmdline.Line
}

func (f *studyFlags) register(fs *pflag.FlagSet) {
	usage.DurationVar(fs, &f.budget, "budget", assay.DefaultBudget, "wait this long at most from start to answer, whatever is undecided")
	fs.StringVar(&f.minEffect, "min-effect", "1%", "smallest change that matters; inside it is \"same\"")
	fs.StringVar(&f.blocks, "blocks", "10-", "number of blocks: `N`, MIN-MAX or MIN-")
	fs.StringVar(&f.confidence, "confidence", "99%", "of each interval; claims in a list hold by e-BH at 5 %")
	fs.StringVar(&f.layouts, "layouts", "fresh", "new links for every block, or rotate over `K` links")
	f.control = "on"
	usage.ChoiceVar(fs, &f.control, []string{"on", "off"}, "control", "run the base a second time in every block, for the A/A noise: `on` or off")
	f.pair = assay.PairAuto
	usage.ChoiceVar(fs, &f.pair, spec.Pairs, "pair", "how variants run beside each other: `auto`, slices, turns or processes")
	usage.DurationVar(fs, &f.trial, "trial", assay.DefaultTrial, "measured time of one trial")
	usage.DurationVar(fs, &f.timeout, "timeout", assay.DefaultTimeout, "time limit of one trial")
	fs.IntVar(&f.gomaxprocs, "gomaxprocs", 0, "GOMAXPROCS of every trial (default: the CPUs that assay may use)")
	fs.StringVar(&f.goarch, "goarch", "", "build every variant for `ARCH`, such as 386 (default: this machine's)")
	fs.IntVar(&f.inner, "inner", 0, "trials per variant and block, an odd number (default: chosen by a pilot)")
	fs.StringVar(&f.seed, "seed", "", "where every random draw comes from (default: drawn)")
	fs.StringVar(&f.gat, "gate", "", "exit 1 when a slowdown beyond this is proved, such as 3%")
	fs.StringVar(&f.collect, "collect", "", "collect `LIST` beside the metrics: gc; after the verdicts, to explain them: code, cpu, mem")
	fs.StringVar(&f.base, "base", "", "`NAME` of the variant that the others are compared with")
	fs.StringVar(&f.name, "name", "", "`NAME` of the study")
	fs.StringArrayVar(&f.pass, "pass", nil, "let builds and trials have the variable `NAME` of this shell, though it holds a credential; may be repeated")
	fs.BoolVar(&f.remoteLoad, "remote-load", false, "let the study send its load to other machines than this one")
	fs.BoolVar(&f.force, "force", false, "measure variants even where they are the same code")
}

// registerLine adds the flags that only a compare line has.
func (f *studyFlags) registerLine(fs *pflag.FlagSet) {
	f.register(fs)
	l := &f.line
	fs.StringVar(&l.By, "by", "", "variants are sub-benchmarks: /name, or '/regexp with one (group)'")
	fs.StringVar(&l.Overlay, "overlay", "", "measure the benchmarks of this `TREE` in every variant: . is the tree as it is, else a revision; or the files of a folder")
	fs.StringArrayVar(&l.Commands, "cmd", nil, "measure whole runs of `COMMAND`, in which {bin} is the program built from PACKAGE after \"--\"; may be repeated")
	fs.StringVar(&l.A, "cmd-a", "", "measure `COMMAND`, a program that assay does not build, as the base")
	fs.StringVar(&l.B, "cmd-b", "", "and this `COMMAND` against it")
	fs.StringVar(&l.Prepare, "prepare", "", "run `COMMAND` before each trial, not measured; {tmp} is a folder of the trial's own")
	fs.StringVar(&l.Cleanup, "cleanup", "", "run `COMMAND` after each trial, not measured")
	fs.StringVar(&l.Stdin, "stdin", "", "`FILE` for the commands' standard input")
	fs.StringVar(&l.Expect, "expect", "", "output of the commands: the `same` from every variant (default), any, or file:PATH")
}

// hasCommands reports whether programs are compared instead of benchmarks.
func (f *studyFlags) hasCommands() bool {
	return len(f.line.Commands) > 0 || f.line.A != "" || f.line.B != ""
}

// apply lays the flags that were given over the study.
func (f *studyFlags) apply(cmd *cobra.Command, s *assay.Study) error {
	var err error
	for _, x := range []struct {
		flag string
		set  func() error
	}{
		{"budget", func() error { s.Decide.Budget = f.budget; return positive(f.budget) }},
		{"trial", func() error { s.Measure.Trial = f.trial; return positive(f.trial) }},
		{"timeout", func() error { s.Measure.Timeout = f.timeout; return positive(f.timeout) }},
		{"gomaxprocs", func() error { s.Measure.GOMAXPROCS = f.gomaxprocs; return positive(f.gomaxprocs) }},
		{"goarch", func() error { s.Measure.GOARCH, err = spec.Arch(f.goarch); return err }},
		{"inner", func() error { s.Measure.Inner = f.inner; return spec.Rounds(f.inner) }},
		{"collect", func() error { s.Measure.Collect, err = spec.CollectList(f.collect); return err }},
		{"pair", func() error { s.Measure.Pair, err = spec.Pair(f.pair); return err }},
		{"pass", func() error { s.Measure.Pass = f.pass; return nil }},
		{"remote-load", func() error { s.Measure.RemoteLoad = f.remoteLoad; return nil }},
		{"force", func() error { s.Measure.Force = f.force; return nil }},
		{"base", func() error { s.Base = f.base; return nil }},
		{"name", func() error { s.Name = f.name; return nil }},
		{"min-effect", func() error { s.Decide.MinEffect, err = spec.Percent(f.minEffect); return err }},
		{"gate", func() error { s.Decide.Gate, err = spec.Percent(f.gat); return err }},
		{"confidence", func() error { s.Decide.Confidence, err = spec.Percent(f.confidence); return err }},
		{"blocks", func() error { s.Decide.MinBlocks, s.Decide.MaxBlocks, err = spec.Blocks(f.blocks); return err }},
		{"layouts", func() error { s.Measure.Layouts, err = spec.Layouts(f.layouts); return err }},
		{"seed", func() error {
			if s.Measure.Seed, err = strconv.ParseUint(f.seed, 0, 64); err != nil || s.Measure.Seed == 0 {
				return fmt.Errorf("%s is not a number above 0 of 64 bits, such as 7 or 0x5d31", f.seed)
			}
			return nil
		}},
		{"control", func() error { s.Measure.NoControl = f.control == "off"; return nil }},
	} {
		if !cmd.Flags().Changed(x.flag) {
			continue
		}
		if err := x.set(); err != nil {
			return &usage.BadValue{Cmd: cmd, Flag: x.flag, Err: err}
		}
	}
	s.Decide.Confidence = math.Round(s.Decide.Confidence*1e9) / 1e9
	if err := s.Validate(); err != nil {
		return assay.UsageError(assay.CodeStudy, err.Error(), "")
	}
	return nil
}

func positive[T int | time.Duration](x T) error {
	if x <= 0 {
		return fmt.Errorf("%v is not above 0", x)
	}
	return nil
}

// runFlags say how to measure and what to print, not what the question is.
type runFlags struct {
	session.Options
	json      bool
	strict    bool
	undecided string
	outputs   []string
	progress  string
	events    bool
	summary   bool
	// live is set where a run may be shown live: not where it is one of many.
	live bool
}

// registerTrust adds the flag of what goes on with a run.
func (f *runFlags) registerTrust(fs *pflag.FlagSet) {
	fs.BoolVar(&f.Trust, "trust", false, "also of a run that was not made here, whose plan names programs to run")
}

// registerGates adds the flag of studies with steps.
func (f *runFlags) registerGates(fs *pflag.FlagSet) {
	f.Gates = session.GatesMark
	usage.ChoiceVar(fs, &f.Gates, []string{session.GatesMark, session.GatesStop, session.GatesOff}, "gates", "what becomes of a step that fails a gate of the study: `mark` it, stop, or off: no gate is checked")
}

func (f *runFlags) register(fs *pflag.FlagSet, c *console) {
	fs.StringVar(&f.Store, "store", record.StoreDir, "`DIR` that runs are kept in")
	usage.DurationVar(fs, &f.More, "more", 0, "add blocks for this long to the last run of this comparison")
	f.registerTrust(fs)
	fs.BoolVar(&f.json, "json", false, "print the result as JSON")
	fs.BoolVar(&f.strict, "strict", false, "exit 5 when this machine is too restless for --min-effect")
	f.progress = "auto"
	usage.ChoiceVar(fs, &f.undecided, []string{"pass", "fail"}, "undecided", "what an undecided gate means: `pass` or fail (default: exit 3)")
	fs.StringArrayVarP(&f.outputs, "output", "o", nil, "also write `FILE`: .html is the page, .md Markdown, .csv a table, .json the result, .txt the Go benchmark format")
	usage.ChoiceVar(fs, &f.progress, []string{"auto", "plain", "none"}, "progress", "progress on stderr: `auto`, plain or none")
	fs.BoolVar(&f.events, "events", false, "instead of progress, print what happens as JSON on stderr, one object a line")
	fs.BoolVar(&f.summary, "summary", false, "append the result as Markdown to the file that GITHUB_STEP_SUMMARY names")
	fs.BoolVar(&f.Fix, "fix", false, "for the time of the run: frequency governor performance, turbo off (Linux, as root)")
	fs.BoolVar(&f.NoWait, "no-wait", false, "exit 5 while another assay measures on this machine, instead of waiting for it")
	fs.BoolVar(&c.all, "all", false, "print every row and metric")
}

// applyDecision is apply for results read from files: there is no study to
// check, only a rule.
func (f *studyFlags) applyDecision(cmd *cobra.Command, s *assay.Study) error {
	base := s.Base
	if cmd.Flags().Changed("base") {
		base, f.base = f.base, s.Base
	}
	err := f.apply(cmd, s)
	s.Base = base
	return err
}
