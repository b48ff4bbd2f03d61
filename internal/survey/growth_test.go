package survey

import (
	"strings"
	"testing"
	"time"

	"github.com/seed-1318a441/assay/internal/calibration"
	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/trial"
)

// Where the time of an iteration grows with their number, that is what the warning says, not
// that a timer stands still, whether or not the plain run was ended.
func TestTimeGrows(t *testing.T) {
	still := calibration.Plain{Broken: "500ms of operations took more than 3s", Still: true}
	grows := func(n int) float64 { return 1e-6 * float64(n) }
	for _, c := range []struct {
		name  string
		perOp func(n int) float64
		plain calibration.Plain
		base  calibrated
		want  string
	}{
		{"grows, ended", grows, still, calibrated{N: 160, Trial: 25 * time.Millisecond}, "of BenchmarkX grows with their number: it takes 16 times as long at b.N = 160 as at 10   [time-grows]"},
		{"grows", grows, calibration.Plain{N: 1600, PerOp: 1.6e-3}, calibrated{N: 160, Trial: 25 * time.Millisecond}, "[time-grows]"},
		{"stands still", func(int) float64 { return 1e-6 }, still, calibrated{N: 50_000, Trial: 50 * time.Millisecond}, "[setup-in-loop]"},
		{"too few to say", grows, still, calibrated{N: 8, Trial: time.Second}, "[setup-in-loop]"},
		{"as long as ever", grows, calibration.Plain{N: 1_000_000, PerOp: 1e-6}, calibrated{N: 50_000, Trial: 50 * time.Millisecond}, ""},
	} {
		m := &made{}
		m.run = func(r lab.RunRequest) trial.Outcome { return result(c.perOp(r.N), r.N, "X") }
		chooser := chosen(t, oldNew(), m)
		chooser.refs = calibration.Plains{c.plain}
		one, err := chooser.surveyor.subject(*chooser.bench, chooser.surveyor.base())
		if err != nil {
			t.Fatal(err)
		}
		ws, err := chooser.doubt(t.Context(), one, c.base)
		var got strings.Builder
		for _, w := range ws {
			got.WriteString(w.String())
		}
		if err != nil || !strings.Contains(got.String(), c.want) || (got.String() == "") != (c.want == "") {
			t.Errorf("%s: got %q, %v; want %q", c.name, got.String(), err, c.want)
		}
		if c.want == "[time-grows]" && strings.Contains(got.String(), "StopTimer") {
			t.Errorf("%s: blames the timer: %s", c.name, got.String())
		}
	}
}
