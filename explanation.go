package assay

import "time"

// An Explanation says why a variant differs from the base on one benchmark: the
// causes, ranked, and what was found of each kind of evidence. The evidence comes
// from binaries and from trials of their own; no verdict rests on it.
type Explanation struct {
	Benchmark Benchmark `json:"benchmark"`
	Variant   string    `json:"variant"`
	Base      string    `json:"base"`
	// Metric is what is explained, nearly always sec/op.
	Metric string `json:"metric"`
	// Comparison is what was measured when it was explained.
	Comparison Comparison `json:"comparison"`
	// BaseValue is the base's median of the metric.
	BaseValue float64 `json:"base_value"`

	// Causes are in the order in which they matter, those in the direction of the
	// difference first.
	Causes []Cause `json:"causes,omitempty"`
	// Text is the explanation in one or a few lines: the sum, then the first causes.
	Text []string `json:"text"`

	// SameCode is true where all functions of both binaries are the same, and
	// SameHot where those are that matter here: the difference is then one of
	// settings, layout, environment or noise.
	SameCode bool `json:"same_code,omitempty"`
	SameHot  bool `json:"same_hot,omitempty"`

	Code   *CodeChange  `json:"code,omitempty"`
	CPU    *CPUChange   `json:"cpu,omitempty"`
	Allocs *AllocChange `json:"allocs,omitempty"`
	GC     *GCChange    `json:"gc,omitempty"`
	Layout *LayoutCheck `json:"layout,omitempty"`
	// Warnings tell of evidence that is missing, and of what is doubtful in the
	// benchmark itself.
	Warnings []Warning `json:"warnings,omitempty"`
	// Spent is the time that the trials took which were run for it.
	Spent time.Duration `json:"spent_ns,omitempty"`
}

// A CauseKind is what a difference comes from.
type CauseKind string

// The kinds of causes.
const (
	CauseAllocation CauseKind = "allocation" // more or fewer, larger or smaller objects
	CauseAllocator  CauseKind = "allocator"  // the same objects, allocated by other code
	CauseGC         CauseKind = "gc"         // the collector works more or less
	CauseInlining   CauseKind = "inlining"   // a call came or went
	CauseBounds     CauseKind = "bounds"     // checks of indices
	CauseBarriers   CauseKind = "barriers"   // write barriers
	CauseCallee     CauseKind = "callee"     // another function is called
	CauseCode       CauseKind = "code"       // a function's instructions differ
	CauseCalls      CauseKind = "calls"      // code is the same, and it has more or less to do
	CauseLayout     CauseKind = "layout"     // code is the same, its place differs
	CauseSettings   CauseKind = "settings"   // run settings differ
	CauseUnknown    CauseKind = "unknown"    // nothing found
)

// A Cause is one reason for a difference.
type Cause struct {
	// Kind is one of the Cause constants.
	Kind CauseKind `json:"kind"`
	// Function is where it is; "" where it is nowhere in particular. File (its
	// base name) and Line are where they are known.
	Function string `json:"function,omitempty"`
	File     string `json:"file,omitempty"`
	Line     int    `json:"line,omitempty"`
	// Text says it in one line, without the figures of Part.
	Text string `json:"text"`
	// Part is how much of the difference it accounts for, relative to the base's
	// value: of +8.1 % (the Change) a part of +5.2 points is 0.052. Nil is not
	// known: there is no profile.
	Part *Part `json:"part,omitempty"`
	// Evidence has what it rests on, a line each.
	Evidence []string `json:"evidence,omitempty"`
}

// A Part is one part of a difference in time. Base and Variant are in seconds
// per operation; Change is (Variant-Base) over the base's measured time, in
// points: parts of one difference add up.
type Part struct {
	Name    string  `json:"name"`
	Base    float64 `json:"base"`
	Variant float64 `json:"variant"`
	Change  Change  `json:"change"`
	// Interval is that of Change, from the blocks; nil with fewer than two.
	Interval *Interval `json:"interval,omitempty"`
	// File and Line are set for lines.
	File string `json:"file,omitempty"`
	Line int    `json:"line,omitempty"`
}

// NotSeen is the name of the part that closes the sum of a profile.
const NotSeen = "not seen by the profile"

// A CPUChange compares two CPU profiles, per operation.
type CPUChange struct {
	// Blocks is the number of pairs of profiles; Samples those of each side.
	Blocks         int   `json:"blocks"`
	BaseSamples    int64 `json:"base_samples"`
	VariantSamples int64 `json:"variant_samples"`
	// N is the number of operations of a trial.
	N int `json:"n"`
	// Total is what the profiles have seen, Difference what was measured without
	// them, and NotSeen the rest: time off the CPU, sampling, overhead.
	Total      Part `json:"total"`
	Difference Part `json:"difference"`
	NotSeen    Part `json:"not_seen"`
	// Functions are flat, those inlined told apart; Packages and Categories (the
	// run time's own work: allocation, GC mark, scheduling and so on, and "program"
	// for all else) likewise. Each list and NotSeen add up to Difference. Lists are
	// ordered by the size of the change, and what is too small is summed up in
	// "others".
	Functions  []Part `json:"functions"`
	Packages   []Part `json:"packages"`
	Categories []Part `json:"categories"`
	// Owners split the time by who asked for it, which causes are made of: what the
	// run time copies, compares or looks up for a function is that function's; its
	// allocation, collection and scheduling go by their categories. They too add up.
	Owners []Part `json:"owners"`
	// Lines are of the functions that changed most.
	Lines []Part `json:"lines,omitempty"`
	// Flame is the tree of stacks of both sides.
	Flame *Frame `json:"flame,omitempty"`
	// BaseFile and VariantFile are the profiles, relative to the run folder, and
	// Command shows their difference.
	BaseFile    string `json:"base_file,omitempty"`
	VariantFile string `json:"variant_file,omitempty"`
	Command     string `json:"command,omitempty"`
}

// A Frame is a function in a tree of stacks, its callees below it. Base and
// Variant are in seconds per operation, callees included.
type Frame struct {
	Name     string  `json:"name"`
	Base     float64 `json:"base"`
	Variant  float64 `json:"variant"`
	Children []Frame `json:"children,omitempty"`
}

// An AllocChange compares what is allocated, per operation.
type AllocChange struct {
	BaseObjects    float64 `json:"base_objects"`
	VariantObjects float64 `json:"variant_objects"`
	BaseBytes      float64 `json:"base_bytes"`
	VariantBytes   float64 `json:"variant_bytes"`
	// Exact is true where all trials of each side agree.
	Exact bool `json:"exact,omitempty"`
	// N is the number of operations of a trial, Trials the number of them on each
	// side.
	N      int `json:"n"`
	Trials int `json:"trials"`
	// Sites are those that differ, by the size of the difference; Same counts the
	// others.
	Sites       []AllocSite `json:"sites,omitempty"`
	Same        int         `json:"same,omitempty"`
	BaseFile    string      `json:"base_file,omitempty"`
	VariantFile string      `json:"variant_file,omitempty"`
	Command     string      `json:"command,omitempty"`
}

// An AllocSite is a line that allocates: the innermost one that is not of the
// run time.
type AllocSite struct {
	Function string `json:"function"`
	File     string `json:"file"` // base name
	Line     int    `json:"line"`
	// Via is the function of the run time that it calls, such as growslice.
	Via string `json:"via,omitempty"`
	// Size is that of an object in bytes, rounded up to its size class as the
	// allocator does; 0 where they differ.
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
	// Trials on each side, of N operations.
	Trials int `json:"trials"`
	N      int `json:"n"`
	// Rows has one comparison a metric, in the order of the collector's table.
	Rows []GCChangeRow `json:"rows"`
}

// A GCChangeRow is one metric of the collector: medians, and the interval of the
// change by pairs of trials, nil where it is not known.
type GCChangeRow struct {
	Metric   string    `json:"metric"`
	Base     float64   `json:"base"`
	Variant  float64   `json:"variant"`
	Change   Change    `json:"change"`
	Interval *Interval `json:"interval,omitempty"`
}

// A LayoutCheck says whether a difference survives linking anew.
type LayoutCheck struct {
	// Run is the run that it was measured in; "" is the run explained itself, whose
	// every block had a fresh link.
	Run        string     `json:"run,omitempty"`
	Layouts    int        `json:"layouts"`
	Comparison Comparison `json:"comparison"`
	// Share is the part of the variance that lies between layouts, where known.
	Share float64 `json:"share,omitempty"`
	// Survives is true where the verdict is a difference across layouts.
	Survives bool   `json:"survives"`
	Text     string `json:"text"`
}

// An EvidenceTrial is a trial that was run for an explanation, with an instrument
// in it. It is never part of a verdict. A line of evidence/trials.jsonl is one.
type EvidenceTrial struct {
	// ID counts the evidence of a run from 1.
	ID int `json:"evidence"`
	// Inquiry counts the explanations of a run from 1: blocks of one go together.
	Inquiry int `json:"inquiry"`
	// Kind is CollectCPU, CollectMem or CollectGC.
	Kind      string    `json:"kind"`
	Benchmark Benchmark `json:"benchmark"`
	Variant   string    `json:"variant"`
	// Block counts from 1 within an inquiry and kind; it holds the base and every
	// variant once (memory: with two numbers of operations), in random order.
	Block    int `json:"block"`
	Position int `json:"position"`
	// N is the number of operations.
	N        int           `json:"n"`
	Start    time.Time     `json:"start"`
	Duration time.Duration `json:"duration_ns"`
	Status   Status        `json:"status"`
	Reason   string        `json:"reason,omitempty"`
	// Values are what the trial printed, time per operation among them, under the
	// instrument.
	Values map[string]float64 `json:"values,omitempty"`
	// Profile is its file, relative to the run folder; "" for none.
	Profile string `json:"profile,omitempty"`
}
