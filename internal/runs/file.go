package runs

import (
	"io/fs"
	"math"
	"os"
	"slices"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis"
	"github.com/seed-1318a441/assay/internal/record"
)

// typedNames opens files by the names that the user typed, absolute ones too, which
// os.DirFS would refuse.
type typedNames struct{}

// Open implements fs.FS.
func (typedNames) Open(name string) (fs.File, error) { return os.Open(name) }

// ReadFiles reads files of Go benchmark output, and returns a study with the default rule
// for them. filter and by are those of record.Selection. Results of services are decided
// on other metrics than benchmarks, and have fewer blocks.
func ReadFiles(names []string, filter, by string) (*assay.Samples, *assay.Study, error) {
	samples, err := record.Import(typedNames{}, names, record.Selection{Filter: filter, By: by})
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
		samples.Base, s.Base = s.Base, noVariant
	}
	s.Decide.Confidence = math.Round(s.Decide.Confidence*1e9) / 1e9
	if err := s.Validate(); err != nil {
		return nil, assay.UsageError(assay.CodeStudy, err.Error(), "")
	}
	return analysis.FromSamples(samples, s.Decide), nil
}
