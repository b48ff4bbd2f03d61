package main

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/report"
	"github.com/seed-1318a441/assay/internal/session"
	"github.com/seed-1318a441/assay/internal/usage"
)

func newPlan(c *console) *cobra.Command {
	var sf studyFlags
	var dry bool
	o := session.Options{Store: session.StoreDir}
	cmd := &cobra.Command{
		Use:   "plan [flags] [STUDY.toml | VARIANT VARIANT... [-- GO-TEST-ARGS]]\n  assay plan --dry ./...",
		Short: "Show variants, benchmarks, order and cost; measure nothing",
		Long: "Show what run or compare would do: variants, benchmarks, rule, order and cost.\n" +
			"plan first names everything that would run: programs, addresses, variables. Then it\n" +
			"builds the variants and runs each benchmark a few times to find its iteration\n" +
			"count. It measures and records nothing. With --dry it builds and runs nothing,\n" +
			"and lists the benchmarks that the test files have: assay plan --dry ./...",
		DisableFlagsInUseLine: true,
		Annotations:           map[string]string{usage.BeforeDashes: "variants"},
	}
	sf.registerLine(cmd.Flags())
	registerHub(cmd.Flags(), &o)
	cmd.Flags().BoolVar(&dry, "dry", false, "only name what would be run, and list benchmarks; build and run nothing")
	cmd.Flags().BoolVar(&c.all, "all", false, "print every variant, and why each benchmark is measured as it is")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if dry && arePatterns(args) {
			c.benchmarks(&assay.Study{Workloads: []assay.Workload{{Kind: assay.KindGoTest, Packages: args}}})
			return nil
		}
		s, command, err := studyOf(cmd, &sf, args)
		if err != nil {
			return err
		}
		for _, line := range session.Programs(s) {
			what, line, _ := strings.Cut(line, ": ")
			c.print(fmt.Sprintf("%-12s %s", what, line))
		}
		if dry {
			c.benchmarks(s)
			return nil
		}
		return showPlan(cmd, c, o, s, command)
	}
	return cmd
}

// arePatterns reports whether words are patterns of packages, as no variant or study is.
func arePatterns(words []string) bool {
	other := func(w string) bool { return !strings.HasPrefix(w, "./") || !strings.HasSuffix(w, "/...") }
	return len(words) > 0 && !slices.ContainsFunc(words, other)
}

// benchmarks prints the benchmarks that a study selects, as far as test files tell.
func (c *console) benchmarks(s *assay.Study) {
	for i, line := range session.BenchmarksOf(s) {
		label := ""
		if i == 0 {
			label = "found"
		}
		c.print(fmt.Sprintf("%-12s %s", label, line))
	}
}

// studyOf returns the study of a file or of a compare line, and the command that measures
// it.
func studyOf(cmd *cobra.Command, f *studyFlags, args []string) (*assay.Study, string, error) {
	variants, dashed := splitDash(cmd, args)
	if len(dashed) == 0 && f.line.By == "" && !f.hasCommands() && (len(variants) == 0 || len(variants) == 1 && isStudy(variants[0])) {
		name, s, _, err := readStudy(cmd, variants)
		if err != nil {
			return nil, "", err
		}
		_, err = settle(cmd, s)
		return s, usage.Line("run", nil, []string{name}, nil), err
	}
	s, _, err := f.read(cmd, variants, dashed)
	return s, usage.Line("compare", changedFlags(cmd), variants, dashed), err
}

// isStudy reports whether a word names a study file or its folder. A folder without one
// is a variant: "." is the working tree.
func isStudy(name string) bool {
	info, err := os.Stat(name)
	if err != nil {
		return strings.HasSuffix(name, ".toml")
	}
	if info.IsDir() {
		_, err := os.Stat(name + "/study.toml")
		return err == nil
	}
	return true
}

func showPlan(cmd *cobra.Command, c *console, o session.Options, s *assay.Study, command string) error {
	p, findings, err := session.Plan(cmd.Context(), c.config(&runFlags{Options: o}, s, nil, command))
	if err != nil {
		return err
	}
	if err := report.WritePlan(c.stdout, p, func(block int) [][]string { return session.Orders(p, block) }, c.out()); err != nil {
		return err
	}
	for _, f := range findings {
		c.print("machine      " + f.Text + ": " + f.Effect)
	}
	return nil
}

func newInit(c *console) *cobra.Command {
	var sf studyFlags
	cmd := &cobra.Command{
		Use: "init [flags] VARIANT VARIANT... [-- GO-TEST-ARGS]\n  assay init [flags] as compare takes it\n" +
			"  assay init --factor NAME=LEVEL,LEVEL... [VARIANT...] [-- GO-TEST-ARGS]",
		Short: "Print the study.toml for a compare line",
		Long: "Print the study.toml for a compare line, to keep and edit.\n\n" +
			"With --factor every level runs with every level of the other factors, and with every VARIANT. The levels of a factor that " +
			"has the name of a variable are its values: GOGC=50,100. Those of another one are parts of variants: toolchain=go1.26.8,go1.27.2. " +
			"assay run measures what each level does, assay tune finds the best combination.",
		Example: "  assay init go1.25.7 go1.26.8 -- -bench=. ./... > study.toml\n  assay init go1.25.7 go1.26.8 --cmd '{bin} a.lua' -- ./cmd/glua > study.toml\n" +
			"  assay init --factor go=go1.26.8,go1.27.2 --factor GOGC=50,100 > study.toml",
		DisableFlagsInUseLine: true,
		Annotations:           map[string]string{usage.BeforeDashes: "variants"},
	}
	sf.registerLine(cmd.Flags())
	cmd.Flags().StringArrayVar(&sf.line.Factors, "factor", nil, "cross the levels of a factor: `NAME=LEVEL,LEVEL`; may be repeated")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		variants, dashed := splitDash(cmd, args)
		_, text, err := sf.read(cmd, variants, dashed)
		if err != nil {
			return err
		}
		_, err = c.stdout.Write(text)
		return err
	}
	return cmd
}
