package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"

	"github.com/spf13/cobra"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/report"
)

// The bounds of what comes from a stranger: a result, and a comment.
const (
	maxResult  = 20 << 20
	maxComment = 1 << 20
)

func newComment(c *console) *cobra.Command {
	var o report.MarkdownOptions
	var earlier string
	cmd := &cobra.Command{
		Use:   "comment [flags] RESULT.json",
		Short: "Print the comment on a pull request that a result means",
		Long: "Print the comment on a pull request that a result means, as Markdown. The result may\n" +
			"come from a stranger: it must be of this assay's schema, with no unknown key, and at\n" +
			"most 20 MB; every text in it stays text. The last line is what the comment is found by.",
		Example: "  assay comment result.json --head a1b2c3d4 --branch main --earlier old.md > new.md",
		Args:    atMost(1),
	}
	cmd.Flags().StringVar(&o.Head, "head", "", "`COMMIT` of the pull request that was measured")
	cmd.Flags().StringVar(&o.Branch, "branch", "", "`NAME` of the base branch")
	cmd.Flags().StringVar(&o.Report, "report-url", "", "address of the report page: `URL`, http or https")
	cmd.Flags().StringVar(&earlier, "earlier", "", "`FILE` with the comment that this one takes the place of")
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		if len(args) == 0 {
			return usageError("flags", "no result is named", "assay comment result.json")
		}
		if o.Head != "" && !commitHash.MatchString(o.Head) {
			return usageError("flags", fmt.Sprintf("--head %s: it is no hash of a commit", o.Head), "--head $(git rev-parse HEAD)")
		}
		r, err := strangersResult(args[0])
		if err != nil {
			return err
		}
		if earlier != "" {
			old, err := readAtMost(earlier, maxComment)
			if err != nil {
				return usageError("output", fmt.Sprintf("--earlier: %v", err), "")
			}
			o.Earlier = report.Pushes(string(old))
		}
		return report.Markdown(c.stdout, r, o)
	}
	return cmd
}

var commitHash = regexp.MustCompile(`^[0-9a-f]{7,64}$`)

// strangersResult reads a result that nobody vouches for.
func strangersResult(name string) (*assay.Result, error) {
	refuse := func(err error) error {
		return usageError("bad-result", fmt.Sprintf("%s: %v", name, err), "assay compare main . -o result.json")
	}
	data, err := readAtMost(name, maxResult)
	if err != nil {
		return nil, refuse(err)
	}
	r := new(assay.Result)
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(r); err != nil {
		return nil, refuse(err)
	}
	switch {
	case d.More():
		return nil, refuse(errors.New("something follows the result"))
	case r.Schema != assay.ResultSchema:
		return nil, refuse(fmt.Errorf("schema %d, this assay reads %d", r.Schema, assay.ResultSchema))
	case len(r.Variants) == 0:
		return nil, refuse(errors.New("it has no variants"))
	}
	return r, nil
}

// readAtMost reads a file that is not larger than allowed.
func readAtMost(name string, most int64) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, most+1))
	if err != nil {
		return nil, err
	}
	if int64(len(data)) > most {
		return nil, fmt.Errorf("larger than %d MB", most>>20)
	}
	return data, nil
}
