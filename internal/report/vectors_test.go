package report

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
)

// A vector is a call of a formatter and what it prints: the page's own formatters
// (web/src/format.ts) have to print the same.
type vector struct {
	Fn   string `json:"fn"`
	Args []any  `json:"args"`
	Want any    `json:"want"`
}

var (
	vectorChanges = []float64{0, 0.0004, -0.0004, 0.005, -0.0123, 0.049, 0.19, -0.557, 1.3, 12.4, -0.93, -0.995}
	vectorHalves  = []float64{0, 0.0003, 0.0009, 0.00095, 0.004, 0.03, 0.0999, 0.1, 0.4}
	vectorMetrics = []string{assay.MetricTime, "B/op", "allocs/op", assay.MetricRate, "peak-RSS-bytes", "tx/s", "errors/tx", "gc.cpu-share", "gc.pause.p99", "latency.p99", "cpu-sec/ktx", "frames", "p99-sec"}
	vectorValues  = []float64{0, 1, 7.12e-9, 9.996e-7, 4.1234e-3, 10.75, 48, 1023, 81920, 12_500, 1.5e6, 9_999_999, 1.2e7, 3.3e9, 2.5e12, 0.0123, 0.2, 1234.5678}
	vectorRels    = []float64{0, 0.0004, 0.003, 0.05, 0.3}
	vectorTimes   = []float64{0, 1.2e-5, 0.0301, 0.9996, 1, 9.94, 9.96, 40, 99.6, 100, 130, 3599.7, 3600, 14700, 90000}
)

func vectors() (out []vector) {
	add := func(fn string, want any, args ...any) { out = append(out, vector{fn, args, want}) }
	for _, c := range vectorChanges {
		for _, h := range vectorHalves {
			add("change", Change(assay.Change(c), assay.Change(h), Style{}), c, h)
		}
		for _, m := range []string{assay.MetricTime, "latency.p99", "allocs/op", assay.MetricRate} {
			add("ratio", assay.Change(c).Ratio(assay.Metric{Name: m}), c, assay.Metric{Name: m})
		}
	}
	for _, h := range vectorHalves {
		i := assay.Interval{Lo: assay.Change(0.019 - h), Hi: assay.Change(0.019 + h)}
		add("interval", i.String(), i)
		add("plusMinus", plusMinus(assay.Change(h))+" %", h)
		add("margin", margin(h), h)
	}
	for _, m := range vectorMetrics {
		for k, v := range vectorValues {
			for j, r := range vectorRels {
				if (k+j)%6 == 0 { // some of all are enough
					add("value", Value(assay.Metric{Name: m}, v, r), m, v, r)
				}
			}
		}
		l, _ := labelOf(m)
		add("label", l.text, m)
	}
	for _, s := range vectorTimes {
		add("duration", printable.Duration(time.Duration(math.Round(s*1e9))), s)
	}
	return append(out, vectorsOfCells()...)
}

// vectorsOfCells are of whole comparisons: mark, word, note, and what stands in
// the column of changes.
func vectorsOfCells() (out []vector) {
	add := func(fn string, want any, args ...any) { out = append(out, vector{fn, args, want}) }
	p := newPrinter(&assay.Result{Rule: assay.Rule{MinBlocks: 10, Confidence: 0.99}}, Style{All: true})
	for _, c := range vectorCells() {
		for _, m := range []assay.Metric{timeMetric, {Name: "allocs/op", Better: assay.BetterLower, MinEffect: 0.005}, {Name: "errors/tx", Better: assay.BetterLower}} {
			e := entry{metric: m, base: c.Value - c.Difference, cells: []assay.Comparison{c}}
			change, interval, _ := changeCells(e, c)
			add("changeOf", map[string]string{"change": change.joined(), "interval": interval.joined()}, c, e.base, m)
			add("note", p.noteOf(e, c), c, m, 10)
		}
		add("mark", mark(c), c)
		add("placement", c.Placement(), c)
		add("word", verdictWord(c.Verdict), c.Verdict)
	}
	return out
}

func vectorCells() (out []assay.Comparison) {
	iv := func(lo, hi assay.Change) *assay.Interval { return &assay.Interval{Lo: lo, Hi: hi} }
	for _, v := range []assay.Verdict{assay.Faster, assay.Slower, assay.Higher, assay.Lower, assay.Less, assay.More, assay.Changed,
		assay.Same, assay.Unclear, assay.SameCoded, assay.Saturated, assay.Invalid} {
		out = append(out, assay.Comparison{Variant: "v", Value: 1.05, Difference: 0.05, Change: 0.05, Interval: iv(0.041, 0.059), N: 12, Verdict: v, MayBeSmall: v == assay.Slower})
	}
	return append(out,
		assay.Comparison{Variant: "v", Value: 0.5, Difference: -0.5, Change: -0.5, Interval: iv(-0.52, -0.48), N: 12, Verdict: assay.Changed},
		assay.Comparison{Variant: "v", Value: 3, Difference: 3, N: 12, Verdict: assay.More, Exact: true},
		assay.Comparison{Variant: "v", Value: 3, Difference: -1, Change: -0.25, N: 12, Verdict: assay.Less, Exact: true},
		assay.Comparison{Variant: "v", Value: 3, N: 12, Verdict: assay.Same, Exact: true},
		assay.Comparison{Variant: "v", Value: 1, Difference: 0.01, Change: 0.0101, N: 4, Verdict: assay.Unclear},
		assay.Comparison{Variant: "v", Value: 1, Difference: 0.01, Change: 0.0101, N: 12, Interval: iv(-0.01, 0.03), Verdict: assay.Unclear, Reason: "the interval covers 0", MoreBlocks: 1},
		assay.Comparison{Variant: "v", Value: 1, Difference: 0.01, Change: 0.0101, N: 12, Interval: iv(0.001, 0.02), Verdict: assay.Unclear, Reason: "not among the claims", MoreBlocks: 1400, MoreTime: 130 * time.Second},
		assay.Comparison{Variant: "v", Verdict: assay.Invalid, Reason: "failed: exit status 2"},
		assay.Comparison{Variant: "v", Value: 1, Difference: 0.01, Change: 0.0101, N: 12, Interval: iv(-0.005, 0.005), Verdict: assay.Same, LayoutShare: 0.71},
		assay.Comparison{Variant: "v", Value: 1, Difference: 0.01, Change: 0.0101, N: 12, Interval: iv(-0.01, 0.03), Verdict: assay.Unclear, MoreBlocks: 3, LayoutRange: &assay.ShareRange{Hi: 0.333}},
	)
}

// TestVectors holds web/test/vectors.json to the formatters here; npm run unit
// holds those of the page to the file.
func TestVectors(t *testing.T) {
	var b bytes.Buffer
	b.WriteString("[\n")
	for i, v := range vectors() {
		if i > 0 {
			b.WriteString(",\n")
		}
		line, err := marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		b.Write(line)
	}
	b.WriteString("\n]\n")
	webFile(t, "vectors.json", b.Bytes())
}

// webFile compares with a file of web/test, or writes it with -update.
func webFile(t *testing.T, name string, got []byte) {
	t.Helper()
	path := "../../web/test/" + name
	if *update {
		if err := os.WriteFile(path, got, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs (go test -update writes it anew)", path)
	}
}

// TestPackedVector writes a page with packed tables beside the same tables as they
// were, from which the page's unpack is tested.
func TestPackedVector(t *testing.T) {
	p := madePage(24, 2)
	plain := p.Machines[0].Result
	packed := p.packOver(1, 0)
	if len(packed.Packed) < 3 {
		t.Fatalf("%d tables are packed, want rows, steps and noise", len(packed.Packed))
	}
	text, err := lenientJSON(map[string]any{"page": packed, "tables": plain.Tables, "noise": plain.Noise})
	if err != nil {
		t.Fatal(err)
	}
	if !json.Valid(text) {
		t.Fatal("no JSON")
	}
	webFile(t, "packed.json", append(text, '\n'))
}
