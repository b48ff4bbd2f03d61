package assay

import "time"

// An Explanation says why a variant differs from the base on one benchmark: the ranked
// causes, and the findings for each kind of evidence. The evidence comes from binaries
// and from separate trials; no verdict depends on it.
type Explanation struct {
	Benchmark Benchmark `json:"benchmark"`
	Variant   string    `json:"variant"`
	Base      string    `json:"base"`
	// Metric is the metric explained, nearly always sec/op.
	Metric string `json:"metric"`
	// Comparison is the measured comparison at the time of the explanation.
	Comparison Comparison `json:"comparison"`
	// BaseValue is the base's median of the metric.
	BaseValue float64 `json:"base_value"`

	// Causes are in order of importance, those in the direction of the difference first.
	Causes []Cause `json:"causes,omitempty"`
	// Text is the explanation in a few lines: how the change divides into groups of causes
	// ("of +18.6 %: code +14.7, unexplained +3.9"), then what follows from them.
	Text []string `json:"text"`

	// Functions are the patterns of functions that were asked for, besides the relevant ones.
	Functions []string `json:"functions,omitempty"`

	// SameCode is true if all functions and data are the same in both binaries, SameHot if
	// all relevant functions are. The difference then comes from data, settings, layout or
	// noise.
	SameCode bool `json:"same_code,omitempty"`
	SameHot  bool `json:"same_hot,omitempty"`

	Code   *CodeChange  `json:"code,omitempty"`
	CPU    *CPUChange   `json:"cpu,omitempty"`
	Allocs *AllocChange `json:"allocs,omitempty"`
	GC     *GCChange    `json:"gc,omitempty"`
	Layout *LayoutCheck `json:"layout,omitempty"`
	// Warnings are about missing evidence and about doubts in the benchmark itself.
	Warnings []Warning `json:"warnings,omitempty"`
	// Spent is the time of the trials run for the explanation.
	Spent time.Duration `json:"spent_ns,omitempty"`
}

// A CauseKind is a kind of cause of a difference.
type CauseKind string

// The kinds of causes.
const (
	CauseAllocation CauseKind = "allocation" // more or fewer, larger or smaller objects
	CauseAllocator  CauseKind = "allocator"  // the same objects, allocated by other code
	CauseGC         CauseKind = "gc"         // the collector works more or less
	CauseInlining   CauseKind = "inlining"   // a call was added or removed
	CauseBounds     CauseKind = "bounds"     // bounds checks
	CauseBarriers   CauseKind = "barriers"   // write barriers
	CauseCallee     CauseKind = "callee"     // another function is called
	CauseCode       CauseKind = "code"       // a function's instructions differ
	CauseCalls      CauseKind = "calls"      // the code is the same, but has more or less to do
	CauseLayout     CauseKind = "layout"     // the code is the same, but lies elsewhere
	CauseSettings   CauseKind = "settings"   // run settings differ
	CauseData       CauseKind = "data"       // the code is the same, but works on other data
	CauseUnknown    CauseKind = "unknown"    // nothing found
)

// A Cause is one reason for a difference.
type Cause struct {
	// Kind is one of the Cause constants.
	Kind CauseKind `json:"kind"`
	// Function is "" if the cause is in none. File (a base name) and Line may be unset.
	Function string `json:"function,omitempty"`
	File     string `json:"file,omitempty"`
	Line     int    `json:"line,omitempty"`
	// Text is the cause in one line, without the figures of Part.
	Text string `json:"text"`
	// Part is how much of the difference the cause accounts for, relative to the base's
	// value: +5.2 points of a Change of +8.1 % are 0.052. It is nil without a profile.
	Part *Part `json:"part,omitempty"`
	// Evidence lists the facts behind the cause, one per line.
	Evidence []string `json:"evidence,omitempty"`
}

// A Part is one part of a difference in time. Base and Variant are in seconds per
// operation. Change is (Variant-Base) over the base's measured time: the parts add up.
type Part struct {
	Name    string  `json:"name"`
	Base    float64 `json:"base"`
	Variant float64 `json:"variant"`
	Change  Change  `json:"change"`
	// Interval is the interval of Change, from the blocks; nil with fewer than two.
	Interval *Interval `json:"interval,omitempty"`
	// File and Line are set for lines.
	File string `json:"file,omitempty"`
	Line int    `json:"line,omitempty"`
}

// NotSeen is the name of the part that closes the sum of a profile.
const NotSeen = "not seen by the profile"

// A CPUChange compares two CPU profiles, per operation.
type CPUChange struct {
	// Blocks is the number of pairs of profiles; Samples is their number on each side.
	Blocks         int   `json:"blocks"`
	BaseSamples    int64 `json:"base_samples"`
	VariantSamples int64 `json:"variant_samples"`
	// N is the number of operations per trial.
	N int `json:"n"`
	// Total is the time in the profiles, Difference the time measured without them.
	// NotSeen is the remainder: time off the CPU, sampling, overhead.
	Total      Part `json:"total"`
	Difference Part `json:"difference"`
	NotSeen    Part `json:"not_seen"`
	// Functions has flat times, with inlined functions separate. Packages and Categories
	// (the runtime's own work: allocation, GC mark, scheduling and so on, and "program"
	// for all else) are flat too. Each list and NotSeen add up to Difference. Lists are
	// ordered by the size of the change; small entries are summed up in "others".
	Functions  []Part `json:"functions"`
	Packages   []Part `json:"packages"`
	Categories []Part `json:"categories"`
	// Owners split the time by the function responsible for it; causes are made from
	// them. What the runtime copies, compares or looks up counts for its caller;
	// allocation, collection and scheduling count for their categories. They too add up.
	Owners []Part `json:"owners"`
	// Lines are source lines of the functions that changed most.
	Lines []Part `json:"lines,omitempty"`
	// Flame is the tree of stacks of both sides.
	Flame *Frame `json:"flame,omitempty"`
	// The profiles in the run folder, and a command that shows their difference.
	BaseFile    string `json:"base_file,omitempty"`
	VariantFile string `json:"variant_file,omitempty"`
	Command     string `json:"command,omitempty"`
}

// A Frame is a function in a tree of stacks, with its callees below it. Base and Variant
// are in seconds per operation, callees included.
type Frame struct {
	Name     string  `json:"name"`
	Base     float64 `json:"base"`
	Variant  float64 `json:"variant"`
	Children []Frame `json:"children,omitempty"`
}

// An AllocChange compares allocations per operation.
type AllocChange struct {
	BaseObjects    float64 `json:"base_objects"`
	VariantObjects float64 `json:"variant_objects"`
	BaseBytes      float64 `json:"base_bytes"`
	VariantBytes   float64 `json:"variant_bytes"`
	// Exact is true if all trials of each side agree.
	Exact bool `json:"exact,omitempty"`
	// N is the number of operations per trial, Trials the number of trials on each side.
	N      int `json:"n"`
	Trials int `json:"trials"`
	// Sites are those that differ, largest difference first. Same counts the others.
	Sites       []AllocSite `json:"sites,omitempty"`
	Same        int         `json:"same,omitempty"`
	BaseFile    string      `json:"base_file,omitempty"`
	VariantFile string      `json:"variant_file,omitempty"`
	Command     string      `json:"command,omitempty"`
}

// An AllocSite is a line that allocates: the innermost one outside the runtime.
type AllocSite struct {
	Function string `json:"function"`
	File     string `json:"file"` // base name
	Line     int    `json:"line"`
	// Via is the runtime function that it calls, such as growslice.
	Via string `json:"via,omitempty"`
	// Size is an object's size class in bytes; 0 if sizes differ.
	Size int64 `json:"size,omitempty"`
	// Type and Reason (why it escapes) are the compiler's words, "" if unknown.
	Type   string `json:"type,omitempty"`
	Reason string `json:"reason,omitempty"`
	// Per operation.
	BaseObjects    float64 `json:"base_objects"`
	VariantObjects float64 `json:"variant_objects"`
	BaseBytes      float64 `json:"base_bytes"`
	VariantBytes   float64 `json:"variant_bytes"`
}

// A GCChange compares the collector's work, from traced trials.
type GCChange struct {
	// Trials on each side, of N operations each.
	Trials int `json:"trials"`
	N      int `json:"n"`
	// Rows has one comparison per metric, in the order of the collector's table.
	Rows []GCChangeRow `json:"rows"`
}

// A GCChangeRow is one metric of the collector: medians, and an interval by pairs of
// trials.
type GCChangeRow struct {
	Metric   string    `json:"metric"`
	Base     float64   `json:"base"`
	Variant  float64   `json:"variant"`
	Change   Change    `json:"change"`
	Interval *Interval `json:"interval,omitempty"`
}

// A LayoutCheck says whether a difference survives relinking.
type LayoutCheck struct {
	// Run is the run that measured it; "" is the explained run, with fresh links.
	Run        string     `json:"run,omitempty"`
	Layouts    int        `json:"layouts"`
	Comparison Comparison `json:"comparison"`
	// Share is the part of the variance between layouts, 0 if unknown.
	Share float64 `json:"share,omitempty"`
	// Survives is true if the verdict claims a difference across layouts.
	Survives bool   `json:"survives"`
	Text     string `json:"text"`
}

// An EvidenceTrial is a trial run with an instrument for an explanation. It is never part
// of a verdict. Each line of evidence/trials.jsonl is one.
type EvidenceTrial struct {
	// ID counts the evidence of a run from 1.
	ID int `json:"evidence"`
	// Inquiry counts the explanations of a run from 1. Its blocks belong together.
	Inquiry int `json:"inquiry"`
	// Kind is CollectCPU, CollectMem or CollectGC.
	Kind      string    `json:"kind"`
	Benchmark Benchmark `json:"benchmark"`
	Variant   string    `json:"variant"`
	// Block counts from 1 within an inquiry and kind. It holds the base and every variant
	// once (for memory: with two numbers of operations), in random order.
	Block    int `json:"block"`
	Position int `json:"position"`
	// N is the number of operations.
	N        int           `json:"n"`
	Start    time.Time     `json:"start"`
	Duration time.Duration `json:"duration_ns"`
	Status   Status        `json:"status"`
	Reason   string        `json:"reason,omitempty"`
	// Values are the printed values, such as the time per operation, with the instrument.
	Values map[string]float64 `json:"values,omitempty"`
	// Profile is the profile's file, relative to the run folder; "" for none.
	Profile string `json:"profile,omitempty"`
}
