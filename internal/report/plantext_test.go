package report

import (
	"regexp"
	"strconv"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/schedule"
)

// planFactors are listed with their levels, and the variants that a study crosses with them as
// one more.
func TestFactors(t *testing.T) {
	levels := func(names ...string) (list []assay.Level) {
		for _, n := range names {
			list = append(list, assay.Level{Name: n})
		}
		return list
	}
	gc, slices := assay.Factor{Name: "gc", Levels: levels("greentea", "classic")}, assay.Factor{Name: "slices", Levels: levels("stack", "heap", "none")}
	crossed := func(names ...string) (list []assay.Variant) {
		for _, n := range names {
			for _, l := range gc.Levels {
				list = append(list, assay.Variant{Name: n + l.Name, Levels: map[string]string{"variant": n, "gc": l.Name}})
			}
		}
		return list
	}
	for _, c := range []struct {
		study assay.Study
		want  string
	}{
		{assay.Study{Variants: crossed("old")}, ""},
		{assay.Study{Factors: []assay.Factor{gc, slices}}, "gc (greentea, classic) × slices (stack, heap, none) = 6 variants"},
		{assay.Study{Factors: []assay.Factor{gc}, Variants: crossed("old", "new")}, "variant (old, new) × gc (greentea, classic) = 4 variants"},
		{assay.Study{Factors: []assay.Factor{{Name: "variant", Levels: levels("old", "new")}}, Variants: crossed("old", "new")}, "variant (old, new) = 2 variants"},
	} {
		if got := planFactors(c.study); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}

// A range says what of it is measured; without a range there is nothing to say.
func TestRange(t *testing.T) {
	for want, s := range map[string]assay.Steps{
		"":                       {Dir: "steps", Every: 3},
		"v2.3.0..v2.4.0":         {Range: "v2.3.0..v2.4.0", Every: 1},
		"v1..v2 of module x.y/z": {Range: "v1..v2", Module: "x.y/z"},
		"v1..HEAD, one of 1,000, those that touch codec": {Range: "v1..HEAD", Every: 1000, Touching: "codec"},
	} {
		if got := planRange(s); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// Where all steps have their benchmarks from, unless each has its own.
func TestSuite(t *testing.T) {
	for want, s := range map[string]assay.Source{
		"": {Dir: "x"},
		"the benchmarks of rev:main, copied over every step":                     {Suite: "rev:main"},
		"bench, codec/bench of m@v1.2.3, copied over every step":                 {Suite: "m@v1.2.3", Folders: []string{"bench", "codec/bench"}},
		"the benchmarks of the module ./suite, built against every step":         {Suite: "./suite"},
		"the benchmarks of your tree, copied over every step":                    {BenchmarksFrom: "."},
		"the benchmarks of v2, copied over every step":                           {BenchmarksFrom: "v2", Overlay: "more"},
		"the files of laid, copied over every step":                              {Overlay: "laid"},
		"the files of laid, copied over every step in place of a_test.go, b*.go": {Overlay: "laid", Hide: []string{"a_test.go", "b*.go"}},
	} {
		if got := planSuite(s); got != want {
			t.Errorf("got  %q\nwant %q", got, want)
		}
	}
}

// one is a plan of one benchmark for a budget.
func one(budget time.Duration) *assay.Plan {
	return &assay.Plan{Benchmarks: make([]assay.PlannedBenchmark, 1), Study: assay.Study{Decide: assay.Decide{Confidence: 0.99, Budget: budget}}}
}

// all is the share of plans whose blocks hold all variants.
var all = schedule.Share{Always: 2, Others: 1, Cycle: 1}

// The number of blocks has an end only where the study has one, and what a block holds is
// said with its price.
func TestBlocks(t *testing.T) {
	for _, c := range []struct {
		f    schedule.Forecast
		want string
	}{
		{schedule.Forecast{First: 9}, "9 or more, each 3 variants × 1 benchmark = about 2.0 s in random order"},
		{schedule.Forecast{First: 9, Last: 1200}, "9 to 1,200, each 3 variants × 1 benchmark = about 2.0 s in random order"},
		{schedule.Forecast{First: 9, Last: 9, Link: 300 * time.Millisecond}, "9, each 3 variants × 1 benchmark = about 2.0 s in random order, 300 ms of it relinking"},
		{schedule.Forecast{First: 9, Last: 4}, "4, each 3 variants × 1 benchmark = about 2.0 s in random order; too few to decide anything: 9 are needed for 99 % intervals"},
	} {
		p := one(0)
		c.f.Block, c.f.Share = 2*time.Second, all
		if got := planBlocks(p, c.f); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}

// Where a block does not hold all variants, it is said which it holds and how often each one
// comes.
func TestShareText(t *testing.T) {
	for want, s := range map[string]schedule.Share{
		"1 variant":  {Always: 1, Cycle: 1},
		"5 variants": {Always: 2, Others: 3, Cycle: 1},
		"4 variants (from block 9 on, in one of four, the control)":                                {Always: 1.25, Others: 3, Cycle: 1},
		"base, control and 3-4 of 7 others, drawn afresh (each in one block of 2),":                {Always: 2, Others: 7, Cycle: 2},
		"base and 4 of 8 others, drawn afresh (each in one block of 2),":                           {Always: 1, Others: 8, Cycle: 2},
		"base, control, 3 neighbouring steps and 1 of the others at random (all 20 in 10 blocks),": {Always: 2, Others: 20, Cycle: 10, Window: 3},
	} {
		if got := shareText(s); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

// A run takes at least the time to its first verdicts, or to its end where that comes before,
// and at most its budget.
func TestTime(t *testing.T) {
	for _, c := range []struct {
		first, last int
		budget      time.Duration
		want        string
	}{
		{9, 0, 0, "at least 18 s"},
		{9, 100, 0, "at least 18 s"},
		{9, 0, time.Hour, "at least 18 s, stops at 1 h; builds not included"},
		{9, 4, 0, "at least 8.0 s"},
		{9, 100, 15 * time.Second, "stops at 15 s; builds not included"},
		{9, 9, 18 * time.Second, "at least 18 s, stops at 18 s; builds not included"},
	} {
		if got := planTime(one(c.budget), schedule.Forecast{First: c.first, Last: c.last, Block: 2 * time.Second, Share: all}); got != c.want {
			t.Errorf("%+v: got %q", c, got)
		}
	}
}

// A forecast without a limit foretells nothing; one with too few blocks says how many it
// takes, and how to get them.
func TestCertaintyOfTooLittle(t *testing.T) {
	drawn, chain := schedule.Share{Always: 2, Others: 7, Cycle: 2}, schedule.Share{Always: 2, Others: 20, Cycle: 10, Window: 3}
	for want, f := range map[string]schedule.Forecast{
		"": {Blocks: -1, First: 9, Share: all},
		"about 4 blocks: nothing can be decided before 9":                                          {Blocks: 4, Last: 4, First: 9, Share: all},
		"about 8 blocks, 4 with each variant: nothing can be decided before 9":                     {Blocks: 8, Last: 8, First: 18, Share: drawn},
		"about 40 blocks, 4 or more with each pair of neighbours: nothing can be decided before 9": {Blocks: 40, Last: 40, First: 90, Share: chain},
	} {
		if got := planCertainty(one(0), f); got != want {
			t.Errorf("got  %q\nwant %q", got, want)
		}
	}
}

var halves = regexp.MustCompile(`^about (\d+) blocks? in 5 min: ±([\d.]+) % where a block scatters by 1 %, ±([\d.]+) % at 3 %, ±([\d.]+) % at 10 %; about half of that in 20 min$`)

// What a budget buys is a half-width for each of three kinds of machines: about in proportion
// to their scatter, and less for more blocks.
func TestPlanCertainty(t *testing.T) {
	widths := func(blocks int) (w [3]float64) {
		t.Helper()
		text := planCertainty(one(5*time.Minute), schedule.Forecast{Blocks: blocks, ByTime: true, First: 9, Time: 5 * time.Minute, Block: time.Second, Share: all, Control: true})
		m := halves.FindStringSubmatch(text)
		if m == nil || m[1] != strconv.Itoa(blocks) {
			t.Fatalf("got %q, want the half-widths of %d blocks", text, blocks)
		}
		for i := range w {
			w[i], _ = strconv.ParseFloat(m[2+i], 64)
		}
		return w
	}
	few, many := widths(30), widths(300)
	for i := range few {
		if ratio := few[i] / many[i]; ratio < 2 || ratio > 5 {
			t.Errorf("got ±%g %% of 30 blocks and ±%g %% of 300", few[i], many[i])
		}
	}
	if ratio := few[1] / few[0]; ratio < 2.5 || ratio > 3.5 {
		t.Errorf("got ±%g %% and ±%g %% for three times the scatter", few[0], few[1])
	}
}

// Benchmarks are counted, and the first of them named.
func TestPlanBenchmarks(t *testing.T) {
	plan := func(names ...string) *assay.Plan {
		p := new(assay.Plan)
		for _, n := range names {
			p.Benchmarks = append(p.Benchmarks, assay.PlannedBenchmark{Benchmark: assay.Benchmark{Package: n[:1], Name: n}})
		}
		return p
	}
	for want, p := range map[string]*assay.Plan{"0": plan(), "1: a1": plan("a1"), "4: a1, a2, a3, a4": plan("a1", "a2", "a3", "a4"),
		"5 in 2 packages: a1, a2, a3, b4, …": plan("a1", "a2", "a3", "b4", "b5")} {
		if got := planBenchmarks(p); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// The rule is told in percent, with all digits of what was asked for.
func TestPlanRule(t *testing.T) {
	d := assay.Decide{Metrics: []string{assay.MetricTime, assay.MetricAllocs}, MinEffect: 0.005, Confidence: 0.999}
	for gate, want := range map[float64]string{0: "sec/op, allocs/op · changes within ±0.5 % are same · 99.9 % intervals",
		0.03: "sec/op, allocs/op · changes within ±0.5 % are same · 99.9 % intervals · gate: at most 3 % worse"} {
		d.Gate = gate
		if got := planRule(&assay.Plan{Study: assay.Study{Decide: d}}); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

// How a server is known to be ready, what its load is and which CPUs both have; what a study
// leaves open has its default.
func TestServiceTexts(t *testing.T) {
	const intended = ", built in: latency counts from the intended start"
	for want, got := range map[string]string{
		"TCP 127.0.0.1:{port}, within 30 s":                                   readyText(assay.Ready{}),
		"TCP :80, within 5.0 s":                                               readyText(assay.Ready{TCP: ":80", HTTP: "http://x", Within: 5 * time.Second}),
		"HTTP http://x/ready, within 30 s":                                    readyText(assay.Ready{HTTP: "http://x/ready", Log: "x"}),
		"a line of its output like listening, within 30 s":                    readyText(assay.Ready{Log: "listening"}),
		"GET http://x, 500 requests/s, Poisson arrivals, for 60 s" + intended: httpText(assay.HTTPLoad{URL: "http://x", Rate: 500, Arrivals: assay.ArrivalsPoisson, Duration: time.Minute}),
		"POST http://x, 12,500.5 requests/s, even arrivals, for 2 min after 10 s of warm-up" + intended: httpText(assay.HTTPLoad{URL: "http://x", Method: "POST", Rate: 12500.5,
			Duration: 2 * time.Minute, Warmup: 10 * time.Second}),
		" · read as wrk":                   parseText(assay.Service{Parse: "wrk"}),
		" · out/*.json read as k6":         parseText(assay.Service{Parse: "k6", Results: "out/*.json"}),
		"the server on 0-1, the load on 2": cpusText(assay.Service{CPUs: "0-1", LoadCPUs: "2"}),
		"the load on 3":                    cpusText(assay.Service{LoadCPUs: "3"}),
		"":                                 cpusText(assay.Service{}),
	} {
		if got != want {
			t.Errorf("got  %q\nwant %q", got, want)
		}
	}
}
