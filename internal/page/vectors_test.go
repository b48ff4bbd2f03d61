package page

import (
	"bytes"
	"encoding/json"
	"flag"
	"math"
	"os"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/sheet"
)

var update = flag.Bool("update", false, "write the files of web/test anew")

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
			add("change", sheet.Change(assay.Change(c), assay.Change(h)), c, h)
		}
	}
	for _, h := range vectorHalves {
		i := assay.Interval{Lo: assay.Change(0.019 - h), Hi: assay.Change(0.019 + h)}
		add("interval", i.String(), i)
		i.Lo = -0.0004
		add("interval", i.String(), i)
		add("plusMinus", sheet.PlusMinus(assay.Change(h))+" %", h)
		add("margin", printable.Percent(h), h)
	}
	for _, m := range vectorMetrics {
		for k, v := range vectorValues {
			for j, r := range vectorRels {
				if (k+j)%6 == 0 { // some of all are enough
					add("value", sheet.Value(assay.Metric{Name: m}, v, r), m, v, r)
				}
			}
		}
	}
	for _, s := range vectorTimes {
		add("duration", printable.Duration(time.Duration(math.Round(s*1e9))), s)
	}
	return out
}

// TestVectors holds web/test/vectors.json to the formatters here; npm run unit holds
// those of the page to the file.
func TestVectors(t *testing.T) {
	w := (&Page{}).words()
	for _, m := range vectorMetrics {
		w.metric(m)
	}
	text, err := marshal(map[string]any{"words": w, "vectors": vectors()})
	if err != nil {
		t.Fatal(err)
	}
	webFile(t, "test/vectors.json", bytes.ReplaceAll(append(text, '\n'), []byte("},{\"fn\""), []byte("},\n{\"fn\"")))
}

// webFile compares with a file below web, or writes it with -update.
func webFile(t *testing.T, name string, got []byte) {
	t.Helper()
	path := "../../web/" + name
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

// TestPackedVector writes a page with packed tables beside the same tables as they were,
// from which the page's unpack is tested.
func TestPackedVector(t *testing.T) {
	p := madePage(24, 2)
	plain, packed := p.packed(1, math.MaxInt), p.packed(1, 0)
	if len(packed.Packed) < 3 {
		t.Fatalf("%d tables are packed, want rows, steps and noise", len(packed.Packed))
	}
	text, err := marshal(map[string]any{"page": packed, "plain": plain})
	if err != nil {
		t.Fatal(err)
	}
	if !json.Valid(text) {
		t.Fatal("no JSON")
	}
	webFile(t, "test/packed.json", append(text, '\n'))
}
