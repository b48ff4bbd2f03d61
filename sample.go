package assay

// A Sample is the observations of one variant, benchmark and metric, in the order of
// measurement.
type Sample struct {
	Benchmark Benchmark
	Variant   string
	Metric    string
	// Blocks holds the block of each value; nil if unknown.
	Blocks []int
	Values []float64
}

// Samples are read from Go benchmark output, whoever produced it.
type Samples struct {
	// Names are the files. Base and Control are the variants named in a record's export,
	// "" if not named.
	Names         []string
	Base, Control string
	// Layouts is the study's number of layouts, if the export names one: its blocks may
	// take turns over so many links.
	Layouts int
	// Variants in order of appearance.
	Variants []string
	Metrics  []Metric
	Platform Platform
	Samples  []Sample
	// Mixed says why the variants were not measured together, one fact per line. It is
	// nil if they were, block by block.
	Mixed []string
}
