package page

import (
	"path"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis/answer"
	"github.com/seed-1318a441/assay/internal/shell"
)

// Portable returns a command for a reader of a page, who is not where the study was
// measured: the path of a study becomes what it is in the folder of the study. there
// reports whether it did.
func Portable(command string) (line string, there bool) {
	c, _ := shell.ParseCommand(command)
	study := strings.ReplaceAll(c.Study(), `\`, "/")
	switch {
	case study == "":
		return command, false
	case strings.HasSuffix(study, ".toml") && path.Base(study) != "study.toml":
		return c.WithStudy(path.Base(study)).String(), true
	}
	return c.WithStudy(".").String(), true
}

// portable makes the commands of a result work for readers of a page. A path by which its
// author named the run means nothing to them.
func portable(r *assay.Result) {
	r.Ref = ""
	r.Command, _ = Portable(r.Command)
	r.Warnings = slices.Clone(r.Warnings)
	for i, w := range r.Warnings {
		r.Warnings[i] = answer.Elsewhere(r, w)
		r.Warnings[i].Try, _ = Portable(r.Warnings[i].Try)
	}
	r.Explanations = slices.Clone(r.Explanations)
	for i := range r.Explanations { // the profiles are where the run is kept
		e := &r.Explanations[i]
		if e.CPU != nil {
			cpu := *e.CPU
			cpu.Command, e.CPU = "", &cpu
		}
		if e.Allocs != nil {
			allocs := *e.Allocs
			allocs.Command, e.Allocs = "", &allocs
		}
	}
}
