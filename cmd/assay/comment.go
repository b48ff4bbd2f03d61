package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"

	"github.com/spf13/cobra"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/record"
	"github.com/seed-1318a441/assay/internal/report"
)

// maxComment bounds a comment, in bytes.
const maxComment = 1 << 20

func newComment(c *console) *cobra.Command {
	var o report.MarkdownOptions
	var earlier string
	cmd := &cobra.Command{
		Use:   "comment [flags] RECORD",
		Short: "Print the comment on a pull request that a record means",
		Long: "Print the comment on a pull request that a record means, as Markdown. RECORD is a run\n" +
			"folder, a zip file of one, whose result is computed anew from the trials, or a\n" +
			"result.json alone. It may come from a stranger: at most 20 MB, as assay wrote it; a\n" +
			"result must be of this assay's schema, with no unknown key. Every text in it stays\n" +
			"text. The last line is what the comment is found by.",
		Example: "  assay comment record.zip --head a1b2c3d4 --branch main --earlier old.md > new.md",
		Args:    atMost(1),
	}
	cmd.Flags().StringVar(&o.Head, "head", "", "`COMMIT` of the pull request that was measured")
	cmd.Flags().StringVar(&o.Branch, "branch", "", "`NAME` of the base branch")
	cmd.Flags().StringVar(&o.Report, "report-url", "", "address of the report page: `URL`, http or https")
	cmd.Flags().StringVar(&earlier, "earlier", "", "`FILE` with the comment that this one takes the place of")
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		if len(args) == 0 {
			return assay.UsageError("flags", "no record is named", "assay comment record.zip")
		}
		if o.Head != "" && !commitHash.MatchString(o.Head) {
			return assay.UsageError("flags", fmt.Sprintf("--head %s: it is no hash of a commit", o.Head), "--head $(git rev-parse HEAD)")
		}
		r, err := strangersResult(args[0])
		if err != nil {
			return err
		}
		if earlier != "" {
			old, err := readAtMost(earlier, maxComment)
			if err != nil {
				return assay.UsageError("output", fmt.Sprintf("--earlier: %v", err), "")
			}
			o.Earlier = report.Pushes(string(old))
		}
		return report.Markdown(c.stdout, r, o)
	}
	return cmd
}

var commitHash = regexp.MustCompile(`^[0-9a-f]{7,64}$`)

// strangersResult reads a result that nobody vouches for: that of a run folder or an
// archive of one, computed anew, or one that stands alone.
func strangersResult(name string) (*assay.Result, error) {
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		run, err := readRun(name, name)
		if err != nil {
			return nil, err
		}
		return run.result()
	}
	data, err := readAtMost(name, maxArchive)
	switch {
	case err != nil:
		return nil, refusedResult(name, err)
	case isArchive(data):
		run, err := archivedRun(name, data)
		if err != nil {
			return nil, err
		}
		return run.result()
	}
	return strictResult(name, data)
}

func refusedResult(name string, err error) error {
	return assay.UsageError("bad-result", fmt.Sprintf("%s: %v", name, err), "assay compare main . -o result.json")
}

// maxObjects bounds what a result that stands alone is made of. A comparison is one: a
// thousand benchmarks of a dozen variants are within it, and a comment of as many takes
// seconds.
const maxObjects = 50_000

// strictResult reads a result that must be of this assay's schema, with no unknown key.
func strictResult(name string, data []byte) (*assay.Result, error) {
	if !json.Valid(data) {
		return nil, refusedResult(name, errors.New("it is no JSON"))
	}
	if n := bytes.Count(data, []byte("{")); n > maxObjects {
		return nil, refusedResult(name, fmt.Errorf("it has %d objects, more than %d", n, maxObjects))
	}
	text, err := record.OpenResult(filepath.Base(name), data)
	if err != nil {
		return nil, badResult(name, err)
	}
	r := new(assay.Result)
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	switch err := d.Decode(r); {
	case err != nil:
		return nil, refusedResult(name, err)
	case r.Schema != assay.ResultSchema:
		return nil, refusedResult(name, fmt.Errorf("schema %d, this assay reads %d", r.Schema, assay.ResultSchema))
	case len(r.Variants) == 0:
		return nil, refusedResult(name, errors.New("it has no variants"))
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
