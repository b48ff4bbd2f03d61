package assay

// A Sample is the observations of a variant, benchmark and metric, in measured order.
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
	// Names are the files. Base and Control are as named in a record's export.
	Names         []string
	Base, Control string
	// Variants in order of appearance.
	Variants []string
	Metrics  []Metric
	Platform Platform
	Samples  []Sample
	// Mixed says why the variants were not measured block by block, one fact per line.
	Mixed []string
	// Lost names results that the files should have and that could not be read, each with
	// its file and line. Failed are those that say themselves that they failed. Skipped says
	// which benchmarks of other variants a variant lacks because they skipped themselves.
	Lost, Failed, Skipped []string
}
