package runs

import (
	"fmt"
	"io/fs"
	"math"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis"
	"github.com/seed-1318a441/assay/internal/record"
)

// typedNames opens files by the names that the user typed, absolute ones too, which
// os.DirFS would refuse.
type typedNames struct{}

// Open implements fs.FS. "-" is standard input.
func (typedNames) Open(name string) (fs.File, error) {
	if name == "-" {
		return os.Stdin, nil
	}
	return os.Open(name)
}

// labels are names in front of files. Those of variables are in capitals: GOGC=200 is a
// setting, also where there is a file 200.
var labels = regexp.MustCompile(`^[a-z][A-Za-z0-9._-]*$`)

// SplitLabel splits "old=a.txt" into a label and a file; the label is "" where the whole word
// is a file, or the rest is none.
func SplitLabel(word string) (label, file string) {
	label, file, ok := strings.Cut(word, "=")
	if _, err := os.Lstat(word); err == nil || !ok || !labels.MatchString(label) {
		return "", word
	}
	if _, err := os.Lstat(file); err != nil && file != "-" {
		return "", word
	}
	return label, file
}

// ReadFiles reads files of Go benchmark output, whose names may have labels in front
// (SplitLabel), and returns a study with the default rule for them. filter and by are those of record.Selection. Results of services are decided
// on other metrics than benchmarks, and have fewer blocks.
func ReadFiles(names []string, filter, by string) (*assay.Samples, *assay.Study, error) {
	var files []record.LabelledFile
	for _, word := range names {
		label, name := SplitLabel(word)
		files = append(files, record.LabelledFile{Name: name, Label: label})
	}
	samples, err := record.Import(typedNames{}, files, record.Selection{Filter: filter, By: by})
	if err != nil {
		return nil, nil, assay.UsageError(assay.CodeResults, err.Error(), "assay compare --help")
	}
	has := func(is func(name string) bool) bool {
		return slices.ContainsFunc(samples.Metrics, func(m assay.Metric) bool { return is(m.Name) })
	}
	s := &assay.Study{Variants: []assay.Variant{{Name: noVariant}}, Workloads: []assay.Workload{{Kind: assay.KindGoTest}}}
	if has(assay.IsLatency) && !has(func(name string) bool { return name == assay.MetricTime }) {
		s.Workloads[0].Kind = assay.KindService
	}
	s.SetDefaults()
	s.Workloads[0].Kind = assay.KindGoTest // a service would need more to be valid
	return samples, s, nil
}

// noVariant is the variant, and the base, of a study that only has a rule.
const noVariant = "-"

// CompareFiles compares samples by the rule of a study. Its base, if it was changed, is
// the one to compare with.
func CompareFiles(samples *assay.Samples, s *assay.Study) (*assay.Result, error) {
	if s.Base != noVariant {
		if !slices.Contains(samples.Variants, s.Base) {
			e := assay.UsageError(assay.CodeUnknownVariant, fmt.Sprintf("--base %s: there is no such variant in the files", s.Base), "")
			e.Facts = []string{"there are: " + strings.Join(samples.Variants, ", ")}
			return nil, e
		}
		rebase(samples, s.Base)
		s.Base = noVariant
	}
	s.Decide.Confidence = math.Round(s.Decide.Confidence*1e9) / 1e9
	if err := s.Validate(); err != nil {
		return nil, assay.UsageError(assay.CodeStudy, err.Error(), "")
	}
	return analysis.FromSamples(samples, s.Decide), nil
}

// rebase makes another variant the base. A control repeats the base that it was measured
// with, and no other.
func rebase(s *assay.Samples, base string) {
	if base == s.Base || s.Control == "" {
		s.Base = base
		return
	}
	is := func(name string) bool { return name == s.Control }
	s.Variants = slices.DeleteFunc(s.Variants, is)
	s.Samples = slices.DeleteFunc(s.Samples, func(x assay.Sample) bool { return is(x.Variant) })
	s.Base, s.Control = base, ""
}
