package main

import (
	"runtime/debug"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/usage"
)

func newMan(c *console, root *cobra.Command) *cobra.Command {
	var dir string
	cmd := &cobra.Command{
		Use:     "man [-o DIR] [COMMAND]",
		Short:   "Print the manual page of assay or of a command",
		Long:    "Print the manual page assay(1) or that of a command, or with -o write a page for each\ncommand into a folder.",
		Example: "  assay man compare | man -l -\n  assay man -o /usr/local/share/man/man1",
		Args:    atMost(1),
	}
	cmd.Flags().StringVarP(&dir, "output", "o", "", "write assay.1 and a page for each command into `DIR`")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		of, _, err := root.Find(args)
		if err != nil || len(args) > 0 && of == root {
			return usage.UnknownCommand(root, args, asksHere(cmd))
		}
		header := manual(root)
		if dir == "" {
			return doc.GenMan(of, header, c.stdout)
		}
		if err := doc.GenManTree(root, header, dir); err != nil {
			return assay.UsageError(assay.CodeOutput, err.Error(), "-o with a folder that exists")
		}
		return nil
	}
	return cmd
}

// manual prepares the help texts for package doc, which reads them as Markdown: as code they
// keep their lines, for their tables are made for columns. It returns the header of pages,
// whose date is that of the commit that was built: the same program writes the same page.
func manual(root *cobra.Command) *doc.GenManHeader {
	root.InitDefaultCompletionCmd()
	root.Long = strings.TrimRight(root.Long, "\n") + "\n\n" + exitStatuses
	asCode(root)
	header := &doc.GenManHeader{Section: "1", Source: "assay " + assay.Version(), Manual: "User Commands"}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if at, err := time.Parse(time.RFC3339, s.Value); s.Key == "vcs.time" && err == nil {
				header.Date = &at
			}
		}
	}
	return header
}

// asCode makes the long text of a command, and of those below it, code of Markdown.
func asCode(c *cobra.Command) {
	c.DisableAutoGenTag = true
	if c.Long != "" {
		c.Long = "    " + strings.ReplaceAll(wrapProse(c.Long), "\n", "\n    ")
	}
	for _, below := range c.Commands() {
		asCode(below)
	}
}

// exitStatuses summarises docs/cli.md.
const exitStatuses = `Exit status:
  0    measured; if there is a gate, it held
  1    a gate failed: a change for the worse beyond it is proved
  2    wrong use: flags, study file, unknown variant, missing files
  3    the gate could not be decided; no metric that decides was measured
  4    a variant did not build, no benchmark matched, or one failed
  5    refused: this machine cannot measure this, or a file cannot be read or written
  130  interrupted; finished blocks are kept, and the same command resumes`
