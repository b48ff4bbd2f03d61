package main

import (
	"fmt"
	"regexp"

	"github.com/spf13/cobra"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/markdown"
	"github.com/seed-1318a441/assay/internal/output"
	"github.com/seed-1318a441/assay/internal/runs"
)

// maxComment is the maximum size of a comment, in bytes.
const maxComment = 1 << 20

func newComment(c *console) *cobra.Command {
	var o markdown.Options
	var earlier string
	var outputs []string
	cmd := &cobra.Command{
		Use:   "comment [flags] RECORD",
		Short: "Print the comment on a pull request for a record",
		Long: "Print the comment on a pull request for a record: the Markdown of assay report -o x.md,\n" +
			"with links to the commit and the page. RECORD is a run folder, a zip file of one, or a\n" +
			"result.json alone. assay computes the result of a run again from its trials. RECORD may\n" +
			"come from a stranger: it has at most 20 MB, and a result has this assay's schema and no\n" +
			"unknown key. Every text in it stays text. The last line identifies the comment.",
		Example: "  assay comment record.zip --branch main --earlier old.md > new.md",
		Args:    atMost(1),
	}
	cmd.Flags().StringArrayVarP(&outputs, "output", "o", nil, "write `FILE`.md instead of stdout; may be repeated")
	cmd.Flags().StringVar(&o.Head, "head", "", "`COMMIT` of the pull request that was measured")
	cmd.Flags().StringVar(&o.Branch, "branch", "", "`NAME` of the base branch")
	cmd.Flags().StringVar(&o.Report, "report-url", "", "address of the report page: `URL`, http or https")
	cmd.Flags().StringVar(&earlier, "earlier", "", "`FILE` with the comment that this one takes the place of")
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		if len(args) == 0 {
			return assay.UsageError(assay.CodeFlags, "no record is named", "a run folder, a zip file of one, or a result.json")
		}
		if o.Head != "" && !commitHash.MatchString(o.Head) {
			return assay.UsageError(assay.CodeFlags, fmt.Sprintf("--head %s: it is no hash of a commit", o.Head), "--head $(git rev-parse HEAD)")
		}
		r, err := runs.ReadForeign(args[0])
		if err != nil {
			return err
		}
		if earlier != "" {
			old, err := runs.ReadAtMost(earlier, maxComment)
			if err != nil {
				return assay.UsageError(assay.CodeOutput, fmt.Sprintf("--earlier: %v", err), "")
			}
			o.Earlier = markdown.Pushes(string(old))
		}
		m := &assay.Merged{Machines: []assay.Machine{{Result: *r}}}
		return c.emit(&output.Report{Merged: m, Comment: o}, outputs, output.Markdown)
	}
	return cmd
}

var commitHash = regexp.MustCompile(`^[0-9a-f]{7,64}$`)
