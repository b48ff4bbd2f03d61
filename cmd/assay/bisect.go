package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/bisection"
	"github.com/seed-1318a441/assay/internal/search"
	"github.com/seed-1318a441/assay/internal/session"
	"github.com/seed-1318a441/assay/internal/shell"
	"github.com/seed-1318a441/assay/internal/spec"
	"github.com/seed-1318a441/assay/internal/usage"
)

// What a bisection takes where the flags say nothing: it makes several
// comparisons, and shares the error rate among them.
const (
	bisectBudget     = 5 * time.Minute
	bisectConfidence = 0.95
)

func newBisect(c *console) *cobra.Command {
	var sf studyFlags
	var rf runFlags
	var bf bisectFlags
	cmd := &cobra.Command{
		Use: "bisect [flags] GOOD BAD [-- GO-TEST-ARGS]\n  assay bisect [flags] --cmd COMMAND GOOD BAD [-- BUILD-FLAGS PACKAGE]\n" +
			"  assay bisect [flags] --knob KEY VARIANT [-- GO-TEST-ARGS]",
		Short: "Find the commit that changed a benchmark, or the lines that an optimisation matters at",
		Long: `Find the commit that changed a benchmark: the first one after GOOD, by first parents up
to BAD, that has the change between the two. Every probe measures a commit in random
blocks beside both ends. At the end assay compares the culprit with its parent. It skips
commits that do not build. To resume an interrupted bisection, type the same line again.

GOOD and BAD are git revisions, or versions of one module (example.com/mod@v1.2.3);
both may have the same settings as in "assay compare", such as 'v1.4.0 GOGC=off'.

With --knob, find the source lines at which an optimisation of the compiler matters
to the benchmark; VARIANT is any of a compare line.`,
		Example: `  assay bisect v1.4.0 HEAD -- -bench=Decode/large ./codec
  assay bisect --touching=codec HEAD~50 HEAD -- -bench=Decode
  assay bisect --cmd '{bin} script.lua' v1.1.0 main -- ./cmd/glua
  assay bisect --knob=variablemake . -- -bench=Decode ./codec`,
		DisableFlagsInUseLine: true,
		Annotations:           map[string]string{usage.BeforeDashes: "variants"},
	}
	bf.register(cmd.Flags(), &sf, &rf)
	var kf knobFlags
	kf.register(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		ends, dashed := splitDash(cmd, args)
		if kf.asked() {
			return kf.run(cmd, c, &sf, &rf, bf.again, ends, dashed)
		}
		s, err := bisectStudy(cmd, &sf, ends, dashed)
		if err != nil {
			return err
		}
		return bisect(cmd.Context(), c, &rf, &bf, s, bisectCommand(cmd, ends, dashed))
	}
	return cmd
}

// bisectFlags are those of a bisection alone.
type bisectFlags struct {
	touching string
	again    bool
}

// register adds the flags of a comparison that a bisection has, and its own.
func (f *bisectFlags) register(fs *pflag.FlagSet, sf *studyFlags, rf *runFlags) {
	fs.StringVar(&f.touching, "touching", "", "only the commits that changed something in `PATH`")
	fs.BoolVar(&f.again, "again", false, "repeat the measurements of an earlier bisection of the same question")
	usage.DurationVar(fs, &sf.budget, "budget", bisectBudget, "measuring time of one comparison; an undecided one gets as much again")
	fs.StringVar(&sf.minEffect, "min-effect", "1%", "smallest change between GOOD and BAD that is searched for")
	fs.StringVar(&sf.confidence, "confidence", "95%", "that no wrong commit is named")
	fs.StringVar(&sf.layouts, "layouts", "fresh", "new links for every block, or rotate over `K` links")
	usage.DurationVar(fs, &sf.trial, "trial", assay.DefaultTrial, "measured time of one trial")
	usage.DurationVar(fs, &sf.timeout, "timeout", assay.DefaultTimeout, "time limit of one trial")
	fs.IntVar(&sf.gomaxprocs, "gomaxprocs", 0, "GOMAXPROCS of every trial (default: the CPUs that assay may use)")
	fs.StringVar(&sf.goarch, "goarch", "", "build every variant for `ARCH`, such as 386 (default: this machine's)")
	fs.StringVar(&sf.seed, "seed", "", "where every random draw comes from (default: drawn)")
	fs.BoolVar(&sf.force, "force", false, "measure commits even where they are the same code")
	l := &sf.line
	fs.StringVar(&l.Overlay, "overlay", "", "measure the benchmarks of this `TREE` in every variant: . is the tree as it is, else a revision; or the files of a folder")
	fs.StringArrayVar(&l.Commands, "cmd", nil, "measure whole runs of `COMMAND`, in which {bin} is the program built from PACKAGE after \"--\"; may be repeated")
	fs.StringVar(&l.Prepare, "prepare", "", "run `COMMAND` before each trial, not measured; {tmp} is a folder of the trial's own")
	fs.StringVar(&l.Cleanup, "cleanup", "", "run `COMMAND` after each trial, not measured")
	fs.StringVar(&l.Stdin, "stdin", "", "`FILE` for the commands' standard input")
	fs.StringVar(&l.Expect, "expect", "", "output of the commands: the `same` from every variant (default), any, or file:PATH")
	runFlagsOfSearch(fs, rf)
}

// runFlagsOfSearch are the run flags of a search that makes many runs.
func runFlagsOfSearch(fs *pflag.FlagSet, rf *runFlags) {
	fs.StringVar(&rf.Store, "store", ".assay", "`DIR` that runs are kept in")
	fs.BoolVar(&rf.json, "json", false, "print the result as JSON")
	rf.progress = "auto"
	usage.ChoiceVar(fs, &rf.progress, []string{"auto", "plain", "none"}, "progress", "progress on stderr: `auto`, plain or none")
}

// bisectCommand is the line that repeats the bisection.
func bisectCommand(cmd *cobra.Command, ends, dashed []string) string {
	flags := slices.DeleteFunc(changedFlags(cmd), func(w string) bool { return w == "--again" })
	words := slices.Concat([]string{"assay", "bisect"}, flags, ends)
	if len(dashed) > 0 {
		words = append(append(words, "--"), dashed...)
	}
	return shell.Join(words)
}

// bisectStudy is the comparison of both ends.
func bisectStudy(cmd *cobra.Command, f *studyFlags, ends, dashed []string) (*assay.Study, error) {
	if len(ends) != 2 {
		return nil, assay.UsageError(assay.CodeBisect, fmt.Sprintf("bisect takes two revisions, GOOD and BAD, and %d are named", len(ends)), "assay bisect HEAD~20 HEAD -- -bench=PATTERN")
	}
	s, err := compareStudy(cmd, f, ends, dashed)
	if err != nil {
		return nil, err
	}
	good, bad := s.Variants[0], s.Variants[1]
	goodModule, _, _ := strings.Cut(good.Module, "@")
	badModule, _, _ := strings.Cut(bad.Module, "@")
	like := bad
	like.Rev, like.Module = good.Rev, good.Module
	switch {
	case good.Rev == "" && good.Module == "", bad.Rev == "" && bad.Module == "", (good.Rev == "") != (bad.Rev == ""), goodModule != badModule:
		return nil, assay.UsageError(assay.CodeBisect, fmt.Sprintf("%s and %s are not two revisions, nor two versions of a module", shell.Join(ends[:1]), shell.Join(ends[1:])), "git log --oneline, for what there is; a change that is not committed has no history")
	case !good.SameBuild(like) || !good.SameRun(like):
		return nil, assay.UsageError(assay.CodeBisect, "GOOD and BAD differ in more than the revision", "assay compare "+shell.Join(ends))
	}
	if !cmd.Flags().Changed("confidence") {
		s.Decide.Confidence = bisectConfidence
	}
	if !cmd.Flags().Changed("budget") {
		s.Decide.Budget = bisectBudget
	}
	return s, nil
}

// bisect searches to the end and prints what was found.
func bisect(ctx context.Context, c *console, rf *runFlags, bf *bisectFlags, s *assay.Study, command string) error {
	h, err := session.ReadHistory(ctx, s, bf.touching)
	if err != nil {
		return err
	}
	cfg := c.config(rf, s, spec.Format(s), command)
	i := &interruption{stop: cfg.Stop}
	ctx, stop := i.watch(ctx, cfg.Progress.Say)
	defer stop()
	r, err := session.Bisect(ctx, cfg, h, bf.again)
	if err != nil {
		return stopped(err)
	}
	if err := printFound(c, rf, r, bisection.Lines(r, h)); err != nil {
		return err
	}
	if r.Status != search.StatusFound {
		return exitError(assay.ExitUndecided)
	}
	return nil
}

// stopped is the error of a search that the user may have ended, which has been told.
func stopped(err error) error {
	if errors.Is(err, session.ErrStopped) {
		return exitError(assay.ExitInterrupted)
	}
	return err
}

// printFound prints what a bisection found: its lines, or the result as JSON.
func printFound(c *console, rf *runFlags, r any, lines []string) error {
	if rf.json {
		return printJSON(c, r)
	}
	c.printAll(lines)
	return nil
}
