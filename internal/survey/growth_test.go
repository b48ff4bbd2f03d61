package survey

import (
	"strings"
	"testing"

	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/trial"
)

// Where the time of an iteration grows with their number, that is what the warning says, not
// that a timer stands still, whatever the clock says.
func TestTimeGrows(t *testing.T) {
	grows := func(n int) float64 { return 1e-6 * float64(n) }
	for _, c := range []struct {
		name  string
		perOp func(n int) float64
		base  calibrated
		want  string
	}{
		{"grows, ended", grows, calibrated{N: 160, Still: true}, "of BenchmarkX grows with their number: it takes 16 times as long at b.N = 160 as at 10   [time-grows]"},
		{"grows", grows, calibrated{N: 160, Grows: true}, "[time-grows]"},
		{"stands still", func(int) float64 { return 1e-6 }, calibrated{N: 50_000, Still: true}, "[setup-in-loop]"},
		{"too few to say", grows, calibrated{N: 8, Still: true}, "[setup-in-loop]"},
		{"as long as ever", func(int) float64 { return 1e-6 }, calibrated{N: 50_000, Grows: true}, ""},
	} {
		m := &made{}
		m.run = func(r lab.RunRequest) trial.Outcome { return result(c.perOp(r.N), r.N, "X") }
		chooser := chosen(t, oldNew(), m)
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
