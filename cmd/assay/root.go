package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/runs"
	"github.com/seed-1318a441/assay/internal/session"
	"github.com/seed-1318a441/assay/internal/terminal"
	"github.com/seed-1318a441/assay/internal/usage"
)

// run is the program. Results go to stdout, everything else to stderr.
func run(ctx context.Context, stdout, stderr io.Writer, args []string) error {
	c := &console{stdout: stdout, stderr: stderr, raw: stdout, commands: stderr, lease: &session.Lease{}}
	defer c.lease.Release()
	if underActions() {
		c.stdout, c.stderr = toLog(stdout), toLog(stderr)
	}
	root := newRoot(c, args)
	root.SetArgs(usage.Shield(root, args))
	root.SetOut(c.stdout)
	root.SetErr(c.stderr)
	return runError(args, usage.ValueError(args, root.ExecuteContext(ctx)))
}

// runError adds the lines to type instead to errors about the name of a run: a folder of
// several, a name that is nearly right.
func runError(args []string, err error) error {
	if e, ok := errors.AsType[*runs.Misnamed](err); ok {
		e.Err.Try = withRun(args, e.Name, e.Right)
		return e.Err
	}
	choice, ok := errors.AsType[*runs.Choice](err)
	if !ok {
		return err
	}
	var lines []string
	for _, run := range choice.Runs {
		lines = append(lines, withRun(args, choice.Folder, run))
	}
	return assay.NewError(assay.ExitUsage, assay.CodeNoRun, fmt.Sprintf("%s contains %d runs; name one:", choice.Folder, len(lines)), lines, "")
}

// withRun returns a line with a run in place of a name, which may stand in "NAME=RUN".
func withRun(args []string, name, run string) string {
	words := slices.Clone(args)
	for i, w := range words {
		if before, is := strings.CutSuffix(w, name); is && (before == "" || strings.HasSuffix(before, "=")) {
			words[i] = before + run
		}
	}
	return usage.Line(words[0], nil, words[1:], nil)
}

// A console is where and how a command prints.
type console struct {
	stdout, stderr io.Writer
	raw, commands  io.Writer // the same, where assay speaks to a program or to the runner
	color          string
	quiet          bool
	all            bool
	lease          *session.Lease
}

func (c *console) out() terminal.Style {
	s := terminal.StyleFor(c.stdout, os.Getenv, c.color)
	s.All = c.all
	return s
}

// print prints a line of a result in the characters of the locale.
func (c *console) print(line string) { fmt.Fprintln(c.stdout, c.out().Text(line)) }

// printAll prints lines of a result.
func (c *console) printAll(lines []string) {
	for _, line := range lines {
		c.print(line)
	}
}

func (c *console) err() terminal.Style { return terminal.StyleFor(c.stderr, os.Getenv, c.color) }

func newRoot(c *console, args []string) *cobra.Command {
	root := &cobra.Command{
		Use:   "assay",
		Short: "Which version of this Go program is faster, by how much, and how sure is that?",
		Long: `assay builds every version of a Go program that you name, runs them in random
interleaved blocks, stops when the question is decided, and prints a verdict
with its interval.

  assay compare go1.25.7 go1.26.8 -- -bench=. ./...   which toolchain?
  assay compare HEAD~1 . -- -bench=Decode ./codec     did my change help?
  assay run studies/small-malloc                      a study in a file`,
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	c.color = "auto"
	usage.ChoiceVar(root.PersistentFlags(), &c.color, []string{"auto", "always", "never"}, "color", "colour: `auto`, always or never")
	root.PersistentFlags().BoolVarP(&c.quiet, "quiet", "q", false, "no progress on stderr")
	root.Args = cobra.ArbitraryArgs // RunE tells of a mistyped command
	// Not cobra's Version, which has a template: see check-size in the Makefile.
	version := root.Flags().BoolP("version", "v", false, "version for assay")
	root.RunE = func(cmd *cobra.Command, args []string) error {
		if *version {
			c.print(versionLine())
			return nil
		}
		if len(args) == 0 {
			return cmd.Help()
		}
		return usage.UnknownCommand(cmd, args, asksHere(cmd))
	}
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error { return usage.FlagError(cmd, args, err, asksHere(cmd)) })
	addGroups(root, []commandGroup{
		{"Measure:", []*cobra.Command{newCompare(c), newRun(c), newTune(c), newBisect(c), newExplain(c)}},
		{"Read results:", []*cobra.Command{newShow(c), newReport(c), newList(c), newGate(c), newMerge(c), newExport(c)}},
		{"Machines:", []*cobra.Command{newDoctor(c), newMachines(c), newCache(c)}},
		{"Share machines:", []*cobra.Command{newHub(c), newAgent(c)}},
		{"More:", []*cobra.Command{newPlan(c), newInit(c), newVerify(c), newComment(c), newKnobs(c), newGC(c), newLoad(c), newMan(c, root), newVersion(c)}},
	})
	help := newHelp(c, root)
	help.GroupID = root.Groups()[len(root.Groups())-1].ID
	root.SetHelpCommand(help)
	setHelp(root)
	addCompletions(root)
	return root
}

// A commandGroup is commands that the help lists together.
type commandGroup struct {
	title    string
	commands []*cobra.Command
}

// The help lists commands in the order of their groups.
func init() { cobra.EnableCommandSorting = false }

// addGroups adds commands to the root in the order of its help. Cobra's own commands join
// the last group.
func addGroups(root *cobra.Command, groups []commandGroup) {
	for _, g := range groups {
		root.AddGroup(&cobra.Group{ID: g.title, Title: g.title})
		for _, cmd := range g.commands {
			cmd.GroupID = g.title
		}
		root.AddCommand(g.commands...)
		root.SetCompletionCommandGroupID(g.title)
	}
}

// atMost is cobra's MaximumNArgs with a message in our form.
func atMost(n int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) <= n {
			return nil
		}
		return assay.UsageError(assay.CodeFlags, fmt.Sprintf("%q is one argument too many for %s", args[n], cmd.CommandPath()), cmd.CommandPath()+" --help")
	}
}

// exactly is cobra's ExactArgs with a message that names what is missing.
func exactly(names ...string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) < len(names) {
			return assay.UsageError(assay.CodeFlags, fmt.Sprintf("%s needs %s", cmd.CommandPath(), strings.Join(names, " ")), cmd.CommandPath()+" --help")
		}
		return atMost(len(names))(cmd, args)
	}
}

// An exitError is an exit status whose reason has been printed.
type exitError int

func (e exitError) Error() string { return fmt.Sprintf("exit status %d", int(e)) }

// exitStatus prints an error and returns its exit status.
func exitStatus(err error, stderr io.Writer) int {
	if err == nil {
		return assay.ExitOK
	}
	if underActions() {
		stderr = toLog(stderr)
	}
	if exit, ok := errors.AsType[exitError](err); ok {
		return int(exit)
	}
	if e, ok := errors.AsType[*assay.Error](runs.Named(err)); ok {
		var text strings.Builder
		terminal.WarningText(&text, []assay.Warning{e.Warning}, terminal.StyleFor(stderr, os.Getenv, "auto"))
		// Errors in a study begin with the place, as editors expect.
		lead := ""
		if strings.HasPrefix(string(e.Code), "study-") {
			lead = "assay: "
		}
		io.WriteString(stderr, strings.TrimPrefix(text.String(), lead))
		return e.Exit
	}
	terminal.ErrorText(stderr, err)
	if errors.Is(err, context.Canceled) {
		return assay.ExitInterrupted
	}
	return assay.ExitRefused
}
