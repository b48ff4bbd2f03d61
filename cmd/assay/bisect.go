package main

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/bisect"
	"github.com/seed-1318a441/assay/internal/session"
	"github.com/seed-1318a441/assay/internal/usage"
)

func newBisect(c *console) *cobra.Command {
	var sf studyFlags
	var rf runFlags
	var bf bisectFlags
	cmd := &cobra.Command{
		Use:   "bisect [flags] GOOD BAD [-- GO-TEST-ARGS]\n  assay bisect [flags] --cmd COMMAND GOOD BAD [-- BUILD-FLAGS PACKAGE]",
		Short: "Find the commit that changed a benchmark",
		Long: `Find the commit that changed a benchmark: the first one after GOOD, by first parents up
to BAD, that has the change between the two. assay builds the commits first: those with the
same code are measured once. Every probe measures a commit in random blocks beside both
ends. At the end assay compares the culprit with its parent. It skips commits that do not
build. To resume an interrupted bisection, type the same line again.

GOOD and BAD are git revisions, or versions of one module (example.com/mod@v1.2.3);
both may have the same settings as in "assay compare", such as 'v1.4.0 GOGC=off'.`,
		Example: `  assay bisect v1.4.0 HEAD -- -bench=Decode/large ./codec
  assay bisect --touching=codec HEAD~50 HEAD -- -bench=Decode
  assay bisect --cmd '{bin} script.lua' v1.1.0 main -- ./cmd/glua`,
		DisableFlagsInUseLine: true,
		Annotations:           map[string]string{usage.BeforeDashes: "variants"},
	}
	bf.register(cmd.Flags(), &sf, &rf)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		ends, dashed := splitDash(cmd, args)
		s, err := bisect.ReadEnds(cmd.Context(), sf.typed(cmd, ends, dashed))
		if err != nil {
			return err
		}
		text, err := settle(cmd, s)
		if err != nil {
			return err
		}
		h, err := bisect.ReadHistory(cmd.Context(), s, bf.touching)
		if err != nil {
			return err
		}
		cfg := c.config(&rf, s, text, bisectCommand(cmd, ends, dashed))
		return printBisection(cmd.Context(), c, &rf, cfg, h, bf.again)
	}
	return cmd
}

// bisectFlags are the flags that only a bisection has.
type bisectFlags struct {
	touching string
	again    bool
}

// register adds the flags of a comparison that a bisection has, and its own.
func (f *bisectFlags) register(fs *pflag.FlagSet, sf *studyFlags, rf *runFlags) {
	fs.StringVar(&f.touching, "touching", "", "only the commits that changed something in `PATH`")
	fs.BoolVar(&f.again, "again", false, "repeat the measurements of an earlier bisection of the same question")
	usage.DurationVar(fs, new(time.Duration), "budget", bisect.Budget, "calibrate and measure for at most this long; building does not count")
	fs.String("min-effect", "1%", "smallest change between GOOD and BAD that is searched for")
	fs.String("confidence", "95%", "that no wrong commit is named")
	fs.Bool("force", false, "measure commits even where they are the same code")
	sf.registerShared(fs, "layouts", "trial", "timeout", "gomaxprocs", "goarch", "on", "seed", "overlay", "cmd", "prepare", "cleanup", "stdin", "expect")
	fs.StringVar(&rf.Store, "store", session.StoreDir, "`DIR` that runs are kept in")
	fs.BoolVar(&rf.json, "json", false, "print the result as JSON")
	registerHub(fs, &rf.Options)
	rf.registerNoWait(fs)
	rf.registerProgress(fs)
}

// bisectCommand is the line that repeats the bisection.
func bisectCommand(cmd *cobra.Command, ends, dashed []string) string {
	flags := slices.DeleteFunc(changedFlags(cmd), func(w string) bool { return w == "--again" })
	return usage.Line("bisect", flags, ends, dashed)
}

// printBisection bisects a history to the end and prints what was found: its lines, or as JSON.
func printBisection(ctx context.Context, c *console, rf *runFlags, cfg session.Config, h bisect.History, again bool) error {
	ctx, stop := stoppable(ctx, &cfg)
	defer stop()
	r, err := bisect.FindCommit(ctx, cfg, h, again)
	stopped := errors.Is(err, bisect.ErrStopped)
	switch {
	case err != nil && !stopped:
		return err
	case rf.json:
		if err := printJSON(c, r); err != nil {
			return err
		}
	default:
		c.printAll(bisect.Lines(r, h))
	}
	switch {
	case stopped:
		return exitError(assay.ExitInterrupted)
	case !r.Found():
		return exitError(assay.ExitUndecided)
	}
	return nil
}
