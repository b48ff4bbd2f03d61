package assay

// A Sample is the observations of one variant, benchmark and metric, in the
// order in which they were made.
type Sample struct {
	Benchmark Benchmark
	Variant   string
	Metric    string
	// Blocks holds the block of each value; nil where it is not known.
	Blocks []int
	Values []float64
}

// Samples are what was read from Go benchmark output that somebody else may
// have made.
type Samples struct {
	// Names are the files, Base and Control the variants that a record's export
	// names; "" where nothing was said.
	Names         []string
	Base, Control string
	// Layouts is the study's number of layouts, where the export names one: its blocks
	// may have taken turns over so many links.
	Layouts int
	// Variants in order of appearance.
	Variants []string
	Metrics  []Metric
	Platform Platform
	Samples  []Sample
	// Mixed says why the variants were not measured together, one fact a line;
	// nil where they were, block by block.
	Mixed []string
}
