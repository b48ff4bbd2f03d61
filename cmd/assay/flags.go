package main

import (
	"errors"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/session"
	"github.com/seed-1318a441/assay/internal/usage"
)

// commonFlags are those that most people need, in the order of a help. The help of a
// command with many flags lists no others, but for --all.
var commonFlags = []string{
	"aa", "dry", "touching", "again", "factor", // what only one command does
	"budget", "min-effect", "blocks", "gate", "gates", "by", "overlay", "cmd", "on",
	"more", "output", "json", "all", "help",
}

// studyFlags are the flags that make up the question: those that override a study, and
// those of a compare line.
type studyFlags struct{ line session.Line }

// register adds the flags that override a study. session.Override reads them.
func (f *studyFlags) register(fs *pflag.FlagSet) {
	span := func(name string, value time.Duration, text string) {
		usage.DurationVar(fs, new(time.Duration), name, value, text)
	}
	span("budget", assay.DefaultBudget, "calibrate and measure for at most this long, whatever is undecided; fetching toolchains, building and waiting do not count")
	fs.String("min-effect", "1%", "smallest change that matters; inside it is \"same\"")
	fs.String("blocks", "10-", "number of blocks: `N`, MIN-MAX or MIN-")
	fs.String("confidence", "99%", "of each interval; claims in a list hold by e-BH at 5 %")
	fs.String("layouts", "fresh", "`fresh`: link anew for every block; 1: once, in the linker's own order")
	span("trial", assay.DefaultTrial, "measured time of one trial")
	span("timeout", assay.DefaultTimeout, "time limit of one trial")
	fs.Int("gomaxprocs", 0, "GOMAXPROCS of every trial (default: the CPUs that assay may use)")
	fs.String("goarch", "", "build every variant for `ARCH`, such as 386 (default: this machine's)")
	fs.String("seed", "", "where every random draw comes from (default: drawn)")
	fs.String("gate", "", "exit 1 when a slowdown beyond this is proved, such as 3%")
	fs.String("collect", "", "collect `LIST` beside the metrics: gc; after the verdicts, to explain them: code, cpu, mem")
	fs.String("base", "", "`NAME` of the variant that the others are compared with")
	fs.String("name", "", "`NAME` of the study")
	fs.StringArray("pass", nil, "let builds and trials have the variable `NAME` of this shell, though it holds a credential; with --on, trials that of the login there; may be repeated")
	registerOn(fs)
	fs.Bool("remote-load", false, "let the study send its load to other machines than this one")
	fs.Bool("force", false, "measure variants even where they are the same code")
	for flag, names := range map[string][]string{"budget": {"time", "duration"}, "blocks": {"runs", "samples"}, "min-effect": {"threshold", "delta"}} {
		fs.Lookup(flag).Annotations = map[string][]string{usage.OtherNames: names}
	}
}

// registerOn adds the flag for the machines to measure on.
func registerOn(fs *pflag.FlagSet) {
	fs.StringArray("on", nil, "measure on `MACHINE`: a name of machines.toml, ssh:[USER@]HOST[:PORT], agent:NAME or pool:LABEL of a hub, or local; may be repeated")
}

// registerHub adds the flags for machines of a hub.
func registerHub(fs *pflag.FlagSet, o *session.Options) {
	registerHubFile(fs, &o.Hub)
	usage.DurationVar(fs, &o.Patience, "patience", session.Patience, "how long a machine elsewhere, or the hub, may stay away in a run")
	usage.ChoiceVar(fs, &o.Priority, []string{"high", "normal", "low"}, "priority", "who goes first on a machine of a hub that several want: high, `normal` or low")
}

// registerHubFile adds the flag that names a hub.
func registerHubFile(fs *pflag.FlagSet, to *string) {
	fs.StringVar(to, "hub", "", "reach machines of a hub by the join `FILE` of a user, or a URL with the keys of ~/.config/assay/hub.join (the default)")
}

// hostsOn returns the machines that --on names.
func hostsOn(cmd *cobra.Command) ([]assay.Host, error) {
	f := cmd.Flag("on")
	if !f.Changed {
		return nil, nil
	}
	hosts, err := session.ReadHosts(valuesOf(f))
	if _, told := errors.AsType[*assay.Error](err); err != nil && !told {
		err = &usage.BadValue{Cmd: cmd, Flag: "on", Err: err}
	}
	return hosts, err
}

// registerLine adds those flags, and the flags of a compare line.
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
	fs.StringArrayVar(&l.Metrics, "metric", nil, "find a metric in the output of the commands, which then decides: `NAME=/REGEXP/`, in which the (group) is a number; may be repeated")
	fs.StringVar(&l.Expect, "expect", "", "output of the commands: the `same` from every variant (default), any, or file:PATH")
}

// registerShared adds some flags of a compare line.
func (f *studyFlags) registerShared(fs *pflag.FlagSet, names ...string) {
	var all pflag.FlagSet
	f.registerLine(&all)
	for _, name := range names {
		fs.AddFlag(all.Lookup(name))
	}
}

// hasCommands reports whether the line compares programs instead of benchmarks.
func (f *studyFlags) hasCommands() bool {
	return len(f.line.Commands) > 0 || f.line.A != "" || f.line.B != ""
}

// typed returns the compare line as typed.
func (f *studyFlags) typed(cmd *cobra.Command, variants, dashed []string) session.Line {
	line := f.line
	line.Variants, line.Dashed = variants, dashed
	line.Command = append([]string{"assay", cmd.Name()}, changedFlags(cmd)...)
	return line
}

// read returns the study of a compare line, and its text.
func (f *studyFlags) read(cmd *cobra.Command, variants, dashed []string) (s *assay.Study, text []byte, err error) {
	if s, err = session.ReadLine(cmd.Context(), f.typed(cmd, variants, dashed)); err == nil {
		text, err = settle(cmd, s)
	}
	return s, text, err
}

// settle overrides a study by the given flags and completes it. It returns the study's
// text.
func settle(cmd *cobra.Command, s *assay.Study) ([]byte, error) {
	if err := override(cmd, s); err != nil {
		return nil, err
	}
	return session.Complete(s)
}

// override overrides a study by the given flags.
func override(cmd *cobra.Command, s *assay.Study) (bad error) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if err := session.Override(s, f.Name, valuesOf(f)...); err != nil && bad == nil {
			bad = &usage.BadValue{Cmd: cmd, Flag: f.Name, Err: err}
		}
	})
	return bad
}

// runFlags say how to measure and what to print. They do not change the question.
type runFlags struct {
	session.Options
	json      bool
	strict    bool
	undecided string
	outputs   []string
	progress  string
	events    bool
	summary   bool
	// live is true if the run may be shown live: not if it is one of many.
	live bool
}

// registerTrust adds the flag for continuing a run that was not made here.
func (f *runFlags) registerTrust(fs *pflag.FlagSet) {
	fs.BoolVar(&f.Trust, "trust", false, "also of a run that was not made here, whose plan names programs to run")
}

// registerNoWait adds the flag for not waiting for another assay.
func (f *runFlags) registerNoWait(fs *pflag.FlagSet) {
	fs.BoolVar(&f.NoWait, "no-wait", false, "exit 5 while another assay measures on this machine, instead of waiting for it")
}

// registerGates adds the flag for studies with steps.
func (f *runFlags) registerGates(fs *pflag.FlagSet) {
	f.Gates = session.GatesMark
	usage.ChoiceVar(fs, &f.Gates, []string{session.GatesMark, session.GatesStop, session.GatesOff}, "gates", "what becomes of a step that fails a gate of the study: `mark` it, stop, or off: no gate is checked")
}

// registerProgress adds the flag for the form of progress.
func (f *runFlags) registerProgress(fs *pflag.FlagSet) {
	f.progress = "auto"
	usage.ChoiceVar(fs, &f.progress, []string{"auto", "plain", "none"}, "progress", "progress on stderr: `auto`, plain or none")
}

func (f *runFlags) register(fs *pflag.FlagSet, c *console) {
	fs.StringVar(&f.Store, "store", session.StoreDir, "`DIR` that runs are kept in")
	usage.DurationVar(fs, &f.More, "more", 0, "add blocks for this long to the last run of this comparison")
	f.registerTrust(fs)
	fs.BoolVar(&f.json, "json", false, "print the result as JSON")
	fs.BoolVar(&f.strict, "strict", false, "exit 5 when this machine is too restless for --min-effect")
	usage.ChoiceVar(fs, &f.undecided, []string{"pass", "fail"}, "undecided", "what an undecided gate means: `pass` or fail (default: exit 3)")
	fs.StringArrayVarP(&f.outputs, "output", "o", nil, "also write `FILE`: .html is the page, .md Markdown, .csv a table, .json the result, .txt the Go benchmark format")
	f.registerProgress(fs)
	fs.BoolVar(&f.events, "events", false, "instead of progress, print what happens as JSON on stderr, one object a line")
	fs.BoolVar(&f.summary, "summary", false, "append the result as Markdown to the file that GITHUB_STEP_SUMMARY names")
	registerHub(fs, &f.Options)
	f.registerNoWait(fs)
	fs.BoolVar(&c.all, "all", false, "print every row and metric")
}
