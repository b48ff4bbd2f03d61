package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/host"
	"github.com/seed-1318a441/assay/internal/spec"
)

// aaVariants is how many times doctor --aa names the same code beside the
// base.
const aaVariants = 3

func newDoctor(c *console) *cobra.Command {
	var aa bool
	var sf studyFlags
	rf := runFlags{}
	cmd := &cobra.Command{
		Use:   "doctor [--aa [flags] [-- GO-TEST-ARGS]]",
		Short: "What would spoil a measurement here; with --aa, this machine's noise floor",
		Long: "Say what would spoil a measurement on this machine, and what cures it. Nothing is\nchanged.\n\n" +
			"With --aa the same code is measured against itself and every cell that is called\ndifferent is counted. Benchmarks are those after --, else of strconv and sort of\nthe standard library.",
		DisableFlagsInUseLine: true,
	}
	cmd.Flags().BoolVar(&aa, "aa", false, "measure the same code against itself")
	sf.register(cmd.Flags())
	rf.register(cmd.Flags(), c)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		_, dashed := splitDash(cmd, args)
		if !aa {
			return inspect(cmd.Context(), c, rf.store)
		}
		return measureAA(cmd, c, &sf, &rf, dashed)
	}
	return cmd
}

// inspect prints what host finds.
func inspect(ctx context.Context, c *console, store string) error {
	p := host.Platform(ctx)
	c.print(fmt.Sprintf("machine  %s, %d CPUs, id %s", p, p.CPUs, p.ID))
	cache, err := os.UserCacheDir()
	if err != nil {
		return err
	}
	findings := host.Inspect(ctx, p, filepath.Dir(filepath.Clean(store)), cache)
	if len(findings) == 0 {
		fmt.Fprintln(c.stdout, "nothing found that would spoil a measurement; \"assay doctor --aa\" measures the noise")
	}
	if ok, why := host.Counters(ctx); !ok {
		c.print("counters  instructions, cycles, branch and cache misses are not measured: " + why)
	}
	for _, f := range findings {
		mark := "note "
		if f.Severe {
			mark = "WARN "
		}
		c.print("")
		c.print(fmt.Sprintf("%s%s   [%s]", mark, f.Text, f.Code))
		c.print("     effect: " + f.Effect)
		if f.Cure != "" {
			c.print("     cure:   " + f.Cure)
		}
	}
	return nil
}

// measureAA measures the same code under several names. Every benchmark and
// name is a cell; whatever is called different is false.
func measureAA(cmd *cobra.Command, c *console, sf *studyFlags, rf *runFlags, dashed []string) error {
	if len(dashed) == 0 {
		dashed = []string{"-bench=.", "strconv", "sort"}
	}
	dir, err := os.Getwd()
	if err != nil {
		return err
	}
	words := []string{"base: ."}
	for i := range aaVariants {
		words = append(words, fmt.Sprintf("same%d: .", i+1))
	}
	s, err := spec.CompareLine(specEnv(cmd.Context(), dir), spec.Line{Variants: words, Dashed: dashed})
	if err != nil {
		return err
	}
	s.Name, s.Dir = "aa", dir
	s.Measure.Force = true
	if err := sf.apply(cmd, s); err != nil {
		return err
	}
	command := quoteWords(append(append([]string{"assay", "doctor", "--aa"}, changedFlags(cmd)...), append([]string{"--"}, dashed...)...))
	r, err := measured(cmd.Context(), c, rf, s, spec.Format(s), command)
	if err != nil {
		return err
	}
	printAA(c, r)
	return nil
}

// printAA counts false verdicts over the cells.
func printAA(c *console, r *assay.Result) {
	cells, wrong, unclear := 0, 0, 0
	var names []string
	for _, row := range r.Tables[0].Rows {
		for _, cell := range row.Cells {
			cells++
			switch {
			case cell.Verdict.Differs():
				wrong++
				names = append(names, cell.Benchmark.Name+" "+string(cell.Verdict)+" "+cell.Change.Format(cell.Interval.Half())+" "+cell.Interval.String())
			case cell.Verdict == assay.Unclear:
				unclear++
			}
		}
	}
	c.print("")
	c.print(fmt.Sprintf("A/A  %d of %d cells of identical code were called different (%.2g %%); %d same, %d unclear",
		wrong, cells, 100*float64(wrong)/float64(max(cells, 1)), cells-wrong-unclear, unclear))
	for _, name := range names {
		c.print("     " + name)
	}
	c.print(fmt.Sprintf("     noise floor ±%s on the whole suite", strings.TrimPrefix(r.Noise.Floor.Format(r.Noise.Floor), "+")))
}
