package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/bisect"
	"github.com/seed-1318a441/assay/internal/session"
	"github.com/seed-1318a441/assay/internal/usage"
)

// knobFlags are the flags that only a knob's bisection has.
type knobFlags struct {
	key, scope, metric string
	max                int
	// target is the file with the job of a process that cmd/bisect starts.
	target string
}

// register adds the flags. Only cmd/bisect uses --target.
func (f *knobFlags) register(cmd *cobra.Command) {
	fs := cmd.Flags()
	fs.StringVar(&f.key, "knob", "", "find the source lines whose optimisation `KEY`, such as variablemake, matters; then one variant is named instead of GOOD and BAD")
	fs.StringVar(&f.scope, "scope", "", "with --knob: search the packages of `PATTERN` only; all includes the standard library (default: all but that)")
	f.metric = "auto"
	usage.ChoiceVar(fs, &f.metric, []string{"auto", assay.MetricAllocs, assay.MetricBytes, assay.MetricTime}, "metric",
		"with --knob: what decides: allocs/op, B/op, sec/op, or `auto`: the first of them that differs, exactly or provably")
	fs.IntVar(&f.max, "max", 8, "with --knob: end after `N` sets of lines")
	fs.StringVar(&f.target, "target", "", "answer golang.org/x/tools/cmd/bisect about the job in `FILE`")
	fs.MarkHidden("target")
}

// asked reports whether to search a knob instead of a commit.
func (f *knobFlags) asked() bool { return f.key != "" || f.target != "" }

// run bisects the knob, or answers cmd/bisect.
func (f *knobFlags) run(cmd *cobra.Command, c *console, sf *studyFlags, rf *runFlags, again bool, words, dashed []string) error {
	if f.target != "" {
		return knobTarget(cmd.Context(), c, f.target)
	}
	if f.max < 1 {
		return assay.UsageError(assay.CodeBisectKnob, fmt.Sprintf("--max: %d is not above 0", f.max), "")
	}
	job, err := bisect.ReadKnob(cmd.Context(), sf.typed(cmd, words, dashed), f.key, f.scope)
	if err != nil {
		return err
	}
	if _, err := settle(cmd, job.Study); err != nil {
		return err
	}
	job.Metric, job.Store, job.Command = f.metric, rf.Store, bisectCommand(cmd, words, dashed)
	cfg := c.config(rf, job.Study, nil, job.Command)
	return printBisection(cmd.Context(), c, rf, cfg, func(ctx context.Context, cfg session.Config) (bisected, []string, error) {
		r, err := bisect.FindLines(ctx, cfg, job, f.max, again)
		if err != nil {
			return nil, nil, err
		}
		return r, bisect.KnobLines(r), nil
	})
}

// knobTarget is the program that cmd/bisect runs. It prints the places of the pattern in
// its environment, and exits with 1 if the build behaves like on. On an error it prints
// no place, and cmd/bisect ends.
func knobTarget(ctx context.Context, c *console, name string) error {
	// The parent process reports the signal.
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	places, on, err := bisect.AnswerPattern(ctx, c.config(&runFlags{progress: "none"}, nil, nil, ""), name)
	if err != nil {
		return err
	}
	var out bytes.Buffer
	for _, m := range places {
		fmt.Fprintln(&out, m)
	}
	if _, err := c.stdout.Write(out.Bytes()); err != nil {
		return err
	}
	if on {
		return exitError(1)
	}
	return nil
}
