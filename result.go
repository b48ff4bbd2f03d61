package assay

import (
	"fmt"
	"math"
	"time"
)

// ResultSchema is the version of result.json written by this code.
const ResultSchema = 1

// A Result is what outputs print. Package analysis computes it, and nothing recomputes
// it.
type Result struct {
	Schema int `json:"schema"`
	// Assay is the version that computed it.
	Assay string `json:"assay,omitempty"`
	Run   string `json:"run,omitempty"`
	// Ref is what commands call the run where it is not Run: the path of its folder, or of
	// a file with its result. It is not stored.
	Ref string `json:"-"`
	// Record is the chain value of the record behind it; "" for results of others.
	Record    string    `json:"record,omitempty"`
	Study     string    `json:"study"`
	StudyHash string    `json:"study_hash,omitempty"`
	Question  string    `json:"question,omitempty"`
	Command   string    `json:"command,omitempty"`
	Created   time.Time `json:"created,omitzero"`
	Platform  Platform  `json:"platform"`
	// Machine and Group are those of the plan.
	Machine string `json:"machine,omitempty"`
	Group   string `json:"group,omitempty"`

	// Base is the variant that every change is relative to.
	Base     string          `json:"base"`
	Variants []VariantResult `json:"variants"`
	// Tables has one entry per metric, the deciding ones first.
	Tables []Table `json:"tables"`
	// Wanted is the number of benchmarks that were asked for, where not all have been
	// measured; 0 if they have.
	Wanted int `json:"wanted,omitempty"`

	// Gears has an entry for each benchmark whose variants ran side by side.
	Gears []GearOf `json:"gears,omitempty"`

	Rule  Rule  `json:"rule"`
	Spent Spent `json:"spent"`
	Noise Noise `json:"noise"`

	// Loads are those of services whose rate is fixed.
	Loads []OfferedLoad `json:"loads,omitempty"`
	// Latencies are of services, GCs of benchmarks whose collector was traced.
	Latencies []Latency `json:"latencies,omitempty"`
	GCs       []GC      `json:"gcs,omitempty"`

	// Explanations cover the changes that were looked into.
	Explanations []Explanation `json:"explanations,omitempty"`

	// Arc is set if the study has steps.
	Arc *Arc `json:"arc,omitempty"`
	// Report has the texts of the author of the study.
	Report Report `json:"report,omitzero"`

	// Tradeoff is set if the study asks for one.
	Tradeoff *Tradeoff `json:"tradeoff,omitempty"`
	// Race is set by a race of variants (assay tune).
	Race *Race `json:"race,omitempty"`

	Answer   Answer    `json:"answer"`
	Warnings []Warning `json:"warnings,omitempty"`
}

// An OfferedLoad is a load with a fixed rate: a condition of the measurement.
type OfferedLoad struct {
	Benchmark Benchmark `json:"benchmark"`
	// Rate is in requests per second; 0 is unknown.
	Rate float64 `json:"rate,omitempty"`
	// Arrivals are those of the built-in load.
	Arrivals Arrivals `json:"arrivals,omitempty"`
	BuiltIn  bool     `json:"built_in,omitempty"`
	// Attained is the lowest rate of a variant, the median over the blocks, and Slowest that
	// variant. They are set if it fell short of Rate.
	Attained float64 `json:"attained,omitempty"`
	Slowest  string  `json:"slowest,omitempty"`
}

// A VariantResult is one variant over the whole suite.
type VariantResult struct {
	Name string `json:"name"`
	// Words describe the variant as one would type it.
	Words     []string `json:"words,omitempty"`
	GoVersion string   `json:"go_version,omitempty"`
	Commit    string   `json:"commit,omitempty"`
	// Profile is the profile that guided the build; nil for none.
	Profile *ProfileInfo `json:"profile,omitempty"`
	// SameAs is set if the variant is the same code as another.
	SameAs *SameCode `json:"same_as,omitempty"`
	// Counts of verdicts over the benchmarks of the first deciding metric.
	Better  int `json:"better"`
	Worse   int `json:"worse"`
	Same    int `json:"same"`
	Unclear int `json:"unclear"`
	// Worst is the benchmark with the largest proved change for the worse.
	Worst *Comparison `json:"worst,omitempty"`
}

// A Table holds all comparisons of one metric.
type Table struct {
	Metric Metric `json:"metric"`
	// Decides is true for the metrics that the decision rule names.
	Decides bool  `json:"decides,omitempty"`
	Rows    []Row `json:"rows"`
	// Geomean has a comparison per variant, over the Common benchmarks if there are two.
	Geomean []Comparison `json:"geomean,omitempty"`
	Common  int          `json:"common,omitempty"`
	// GeomeanBase is the median over blocks of the base's geomean.
	GeomeanBase float64 `json:"geomean_base,omitempty"`
	// Steps has an entry for each step against the previous one. Gaps have no comparison.
	Steps []StepChange `json:"steps,omitempty"`
	// Effects, of deciding metrics only, has main effects first, then interactions.
	Effects []Effect `json:"effects,omitempty"`
}

// NameOf is the name of a benchmark beside those of the table's rows.
func (t Table) NameOf(b Benchmark) string {
	return b.NameBeside(func(yield func(Benchmark) bool) {
		for _, row := range t.Rows {
			if !yield(row.Benchmark) {
				return
			}
		}
	})
}

// A Row is one benchmark of a table.
type Row struct {
	Benchmark Benchmark `json:"benchmark"`
	// Base is the median of the base over the blocks.
	Base float64 `json:"base"`
	// Spread is the confidence interval of that median, for results of others.
	Spread *Spread `json:"spread,omitempty"`
	// Cells has one comparison per variant except the base, as in Result.Variants.
	Cells []Comparison `json:"cells"`
}

// A Comparison is a variant against the base on one benchmark and metric.
type Comparison struct {
	Variant   string    `json:"variant"`
	Benchmark Benchmark `json:"benchmark"`
	// Change is the centre of the blocks' log ratios; of a geomean it is the geometric
	// mean of its benchmarks' changes. Both are within Interval, at its nearest end if they
	// would not be. Value applies it to the base's value in the same row or table, so the
	// three agree. In a comparison with the previous step Value is that of the step's row.
	Value  float64 `json:"value"`
	Change Change  `json:"change"`
	// Spread is the confidence interval of Value, for results of others.
	Spread *Spread `json:"spread,omitempty"`
	// Difference is Value minus the base's. If values are sometimes 0 it is the centre of
	// the blocks' differences, and Change is 0.
	Difference float64 `json:"difference,omitempty"`
	// Interval is nil while there are too few blocks to bound anything.
	Interval *Interval `json:"interval,omitempty"`
	// E is the e-value against "no change".
	E float64 `json:"e,omitempty"`
	// N is the number of blocks.
	N       int     `json:"n"`
	Verdict Verdict `json:"verdict"`
	// Exact is true if both sides had no variance: equality, no statistics. Of an unclear
	// comparison it is true so far.
	Exact bool `json:"exact,omitempty"`
	// MayBeSmall is true if a claimed change may be below the margin.
	MayBeSmall bool `json:"may_be_small,omitempty"`
	// Reason says why the verdict is unclear, invalid or withheld.
	Reason string `json:"reason,omitempty"`
	// MoreBlocks is the expected number of blocks until a decision; 0 if unknown or none.
	MoreBlocks int `json:"more_blocks,omitempty"`
	// MoreTime is the time of MoreBlocks.
	MoreTime time.Duration `json:"more_time_ns,omitempty"`
	// Within is the interval without variance between layouts. No verdict uses it.
	Within *Interval `json:"within,omitempty"`
	// LayoutShare is the share of the variance between layouts. For slices it includes
	// other differences between fresh processes.
	LayoutShare float64 `json:"layout_share,omitempty"`
	// LayoutRange is its 95 % interval, for slices only.
	LayoutRange *ShareRange `json:"layout_range,omitempty"`
}

// A ShareRange is the interval of a share, between 0 and 1.
type ShareRange struct {
	Lo float64 `json:"lo"`
	Hi float64 `json:"hi"`
}

// Placement says how much of the noise placement explains, as "placement explains about
// 60 % of the noise (29 to 83 %)"; "" if unknown.
func (c Comparison) Placement() string {
	if c.LayoutShare == 0 && c.LayoutRange == nil {
		return ""
	}
	text := fmt.Sprintf("placement explains about %.0f %% of the noise", 100*c.LayoutShare)
	if r := c.LayoutRange; r != nil {
		text += fmt.Sprintf(" (%.0f to %.0f %%)", 100*r.Lo, 100*r.Hi)
	}
	return text
}

// A Rule is the decision rule in words and figures.
type Rule struct {
	Metrics    []string `json:"metrics"`
	MinEffect  float64  `json:"min_effect"`
	Confidence float64  `json:"confidence"`
	// MinBlocks is the number of blocks before the first decision.
	MinBlocks int `json:"min_blocks"`
	// Claims is the number of cells of the first metric that e-BH controlled at 5 %.
	Claims int `json:"claims"`
	// Heads is the number of comparisons on the whole suite that the answer chose among, on
	// all machines of a group, if more than one. Holm bounds the chance of any false claim among them by 1 -
	// confidence.
	Heads int     `json:"heads,omitempty"`
	Gate  float64 `json:"gate,omitempty"`
	// Scope is "", "for these binaries", or the number of links that blocks took turns over,
	// such as "over 3 links of each variant".
	Scope string `json:"scope,omitempty"`
}

// Spent says how much time the run took and why it stopped.
type Spent struct {
	Blocks int           `json:"blocks"`
	Trials int           `json:"trials"`
	Time   time.Duration `json:"time_ns"`
	// Stop is "" while the run goes on.
	Stop StopReason `json:"stop"`
}

// Single reports whether a run has one block so far. Its numbers make a table and an
// answer; effects, trade-offs and charts show how blocks agree, and would look like
// findings.
func (s Spent) Single() bool { return s.Blocks == 1 }

// A StopReason says why a run ended.
type StopReason string

// The reasons to end a run.
const (
	StopDecided     StopReason = "decided"
	StopBudget      StopReason = "budget"       // the time is over
	StopBlocks      StopReason = "blocks"       // it has as many as it may
	StopInterrupted StopReason = "interrupted"  // a user ended it, or something failed
	StopNothingLeft StopReason = "nothing left" // no variant satisfies the decision rule any more
	StopSameCode    StopReason = "same code"    // nothing was measured
	StopRead        StopReason = "read"         // others measured it, or it is a part of a run
)

// Planned reports whether a run ended as planned, whatever it measured: then it has a last
// look.
func (s StopReason) Planned() bool { return s == StopBudget || s == StopBlocks }

// Noise is the A/A noise floor: the control against the base.
type Noise struct {
	// Control is the name of the variant that Floor was read from; "" for none.
	Control string `json:"control,omitempty"`
	// Floor is the half-width of the control's interval on the whole; 0 while unknown.
	Floor Change `json:"floor"`
	// Change is the control's point value from the first block on; it should be near 0.
	Change Change `json:"change"`
	// Cells are the control's comparisons for the first deciding metric.
	Cells []Comparison `json:"cells,omitempty"`
	// False counts the control's false alarms: cells where its verdict was a difference.
	False int `json:"false"`
}

// Known reports whether the floor is a figure to print: known, and not half of an interval
// that says nothing.
func (n Noise) Known() bool { return n.Floor > 0 && n.Floor < (vagueHi-vagueLo)/2 }

// An Answer is the study's verdict in words.
type Answer struct {
	// Asks is the question that the answer is to, as the study says or as it follows from
	// the variants and the decision rule.
	Asks Ask `json:"asks,omitempty"`
	// Verdict is that of the whole study; Mixed if benchmarks or metrics disagree.
	Verdict Verdict `json:"verdict"`
	// Use names the variant to use; "" if there is no reason to prefer one.
	Use string `json:"use,omitempty"`
	// Decided is true if nothing is open that the answer is about. Undecided then counts the
	// single comparisons that are.
	Decided bool `json:"decided"`
	// Text is the answer: one sentence that names the largest cost, then a few lines.
	// Basis says how it was decided.
	Text  []string `json:"text"`
	Basis string   `json:"basis"`
	// Cost lists what Use is proved to cost on other metrics, the largest change first, as
	// "24.5 % more peak memory [+22.3, +26.4]".
	Cost []string `json:"cost,omitempty"`
	// Undecided says in one line what is not decided, and what deciding it takes; "" if
	// nothing is open.
	Undecided string `json:"undecided,omitempty"`
	// Gate is "", "held", "failed" or "undecided".
	Gate string `json:"gate,omitempty"`
}

// A Spread is the interval of one side's median, for results of others without pairs.
type Spread struct {
	Lo float64 `json:"lo"`
	Hi float64 `json:"hi"`
}

// Count adds a comparison to the variant's tallies.
func (v *VariantResult) Count(c Comparison) {
	switch {
	case c.Verdict.Good():
		v.Better++
	case c.Verdict.Bad():
		v.Worse++
		if v.Worst == nil || math.Abs(c.Change.Log()) > math.Abs(v.Worst.Change.Log()) {
			v.Worst = &c
		}
	case c.Verdict == Same:
		v.Same++
	case c.Verdict == Unclear:
		v.Unclear++
	}
}
