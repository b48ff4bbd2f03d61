package survey

import (
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/lab"
)

// A Setup is the input of Prepare.
type Setup struct {
	Study    *assay.Study
	Machine  lab.Machine
	Builds   *lab.Builds
	Platform assay.Platform
	Memo     Memo
	Events   func(lab.Event)

	// Run, Command, Created and Seed go into the plan. A seed in the study has priority.
	Run, Command string
	Created      time.Time
	Seed         uint64

	// AA is set if the noise is what is asked for: the control is then in every block.
	AA bool

	// Left returns the remaining budget; nil means all of it.
	Left func() time.Duration

	// FreshLinks is set if every block is to have its own links, whatever they cost.
	FreshLinks bool

	// Earlier is the plan of the run that this one extends with more steps (see
	// record.Extend); nil for none. Its seed, the benchmarks' N and the layouts stay.
	Earlier *assay.Plan
}

// A surveyor finds out what can be measured.
type surveyor struct {
	Setup   // with the number of CPUs in the study
	metrics map[string]assay.Better
	half    time.Duration // of the budget left at the beginning
}

// late reports whether half of the time has passed.
func (s *surveyor) late() bool { return s.Left != nil && s.Left() < s.half }

// base returns the variant for calibrating N.
func (s *surveyor) base() assay.Variant {
	for _, v := range s.Study.Variants {
		if v.Name == s.Study.Base {
			return v
		}
	}
	return s.Study.Variants[0]
}

// label returns a benchmark's name in messages: a program has no function of its name.
func (s *surveyor) label(b assay.PlannedBenchmark) string {
	if s.Study.Workloads[b.Workload].IsProgram() {
		return b.Name
	}
	return assay.BenchmarkFunction(b.Name)
}

func facts(ws []assay.Warning) (out []string) {
	for _, w := range ws {
		out = append(out, append([]string{w.Text}, w.Facts...)...)
	}
	return out[:min(len(out), 6)]
}
