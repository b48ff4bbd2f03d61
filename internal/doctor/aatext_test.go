package doctor

import (
	"slices"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis"
	"github.com/seed-1318a441/assay/internal/doctor/check"
)

// A change is printed in percent with its first two digits; what is ten times as much or more
// has no digits worth printing.
func TestPercentOf(t *testing.T) {
	for x, want := range map[assay.Change]string{0.0012: "0.12 %", 0.0094: "0.94 %", 0.00994: "0.99 %", 0.00996: "1.0 %", 0.07: "7.0 %", 0.0994: "9.9 %", 0.0996: "10 %",
		0.174: "17 %", 2.5: "250 %", 10: "> 1000 %", 99: "> 1000 %"} {
		if got := percentOf(x); got != want {
			t.Errorf("%v: got %s, want %s", float64(x), got, want)
		}
	}
}

// reach is a row of what a machine shows.
func reach(name string, scatter assay.Change, smallest ...assay.Change) analysis.Reach {
	return analysis.Reach{Benchmark: &assay.Benchmark{Package: "p", Name: name}, Scatter: scatter, Smallest: smallest}
}

func checkText(t *testing.T, got []string, want string) {
	t.Helper()
	if text := strings.Join(got, "\n"); text != want {
		t.Errorf("got:\n%s\nwant:\n%s", text, want)
	}
}

// The check of the same code says how many cells were called different and which, the floor,
// and what the machine shows: the benchmark with the least scatter first.
func TestAALines(t *testing.T) {
	suite := reach("", 0.16, 0.19, 0.068, 0.035)
	aa := &AA{Cells: 12, Unclear: 2, Floor: 0.17, Suite: &suite,
		False: []FalseCell{{assay.Benchmark{Name: "SortInt1K"}, assay.Slower, 0.05, &assay.Interval{Lo: 0.03, Hi: 0.07}},
			{assay.Benchmark{Name: "B"}, assay.Faster, -0.5, nil}},
		Benchmarks: []analysis.Reach{reach("SortInt1K", 0.28, 0.089, 0.04, 0.021), reach("SearchWrappers", 0.38, 0, 12, 0.02), reach("StableInt1K", 0.17, 0.17, 0.063, 0.033)}}
	checkText(t, aa.Lines(80), `
A/A  2 of 12 cells of identical code were called different (17 %); 8 same, 2 unclear
     SortInt1K slower +5.0 % [+3.0, +7.0]
     B faster −50.0 % `+`
     noise floor ±17 % on the whole suite

the smallest change shown in                  1 minute  5 minutes  20 minutes
the whole suite of 3                   ±16 %      19 %      6.8 %       3.5 %
StableInt1K                            ±17 %      17 %      6.3 %       3.3 %
SortInt1K                              ±28 %     8.9 %      4.0 %       2.1 %
SearchWrappers                         ±38 %         -   > 1000 %       2.0 %
± is the scatter of a block. Of runs of two variants, of the suite or of that
benchmark alone, with --min-effect below it, 4 in 5 show a true change of that
size.`)
}

// Of many benchmarks the middle one and the noisiest are shown. A single one is the suite.
func TestAALinesOfManyAndOne(t *testing.T) {
	suite := reach("", 0.01, 0.1, 0.1, 0.1)
	aa := &AA{Cells: 5, Suite: &suite}
	long := "Decode/" + strings.Repeat("x", 40)
	for i, name := range []string{"E", "C", long, "A", "D"} {
		aa.Benchmarks = append(aa.Benchmarks, reach(name, assay.Change([]int{5, 3, 4, 1, 2}[i])/100, 0.1, 0.1, 0.1))
	}
	rows := func() (names []string) {
		lines := aa.Lines(80)
		at := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, "the smallest change") })
		for _, line := range lines[at+1:] {
			if name, _, ok := strings.Cut(line, " ±"); ok {
				names = append(names, strings.TrimSpace(name))
			}
		}
		return names
	}
	if got, want := rows(), []string{"the whole suite of 5", "middle: C", "noisiest: E"}; !slices.Equal(got, want) {
		t.Errorf("got the rows %q, want %q", got, want)
	}
	aa.Benchmarks = aa.Benchmarks[2:3]
	if got, want := rows(), []string{long[:33] + "..."}; !slices.Equal(got, want) {
		t.Errorf("got the rows %q, want %q", got, want)
	}
}

// Too little is said to be too little.
func TestAALinesOfNothing(t *testing.T) {
	checkText(t, (&AA{}).Lines(80), `
A/A  0 of 0 cells of identical code were called different (0 %); 0 same, 0 unclear
     noise floor is unknown: too few blocks

too little was measured to say what changes this machine can show; try: --budget 5m`)
}

// findings are of every level.
var findings = []check.Finding{
	{Code: "busy", Level: check.Severe, Text: "other processes use 40 % of the CPUs",
		Effect: "spread of 5 to 25 %, up to 100 % where a benchmark uses every CPU", Cure: "end them, or measure later"},
	{Code: "governor", Level: check.Note, Text: "the governor is powersave", Effect: "2 to 5 %", Cure: "echo performance | sudo tee /x", Undo: "echo powersave | sudo tee /x"},
	{Code: "disk", Level: check.Fine, Text: "/work has 90 GB left"}, {Code: "smt", Level: check.Fine, Text: "one thread a core"},
	{Code: "turbo", Level: check.Unknown, Text: "turbo"}, {Code: "heat", Level: check.Unknown, Text: "temperature"},
}

// A checkup names what spoils measurements with its effect, its cure, and what takes
// that back, and only counts what is as it should be.
func TestCheckupLines(t *testing.T) {
	checkup := &Checkup{Platform: assay.Platform{ID: "abcd", GOOS: "linux", GOARCH: "amd64", CPU: "AMD EPYC", CPUs: 2}, Findings: findings}
	checkText(t, checkup.Lines(60, false), `machine  linux/amd64 AMD EPYC, 2 CPUs, id abcd

WARN other processes use 40 % of the CPUs   [busy]
     effect: spread of 5 to 25 %, up to 100 % where a
             benchmark uses every CPU
     cure:   end them, or measure later

note the governor is powersave   [governor]
     effect: 2 to 5 %
     cure:   echo performance | sudo tee /x
     undo:   echo powersave | sudo tee /x

ok   2 other things; "assay doctor --all" lists them
     unknown on this system: turbo, temperature`)
}

// Elsewhere commands name the machine, and all findings are listed on demand.
func TestCheckupLinesElsewhere(t *testing.T) {
	checkup := &Checkup{Name: "m4", Platform: assay.Platform{ID: "abcd", GOOS: "darwin", GOARCH: "arm64", CPUs: 1}, Findings: findings[1:3]}
	checkText(t, checkup.Lines(80, true)[:1], "machine  m4: darwin/arm64, 1 CPU, id abcd")
	checkText(t, checkup.Lines(80, false)[6:], `
ok   1 other thing; "assay doctor --all --on=m4" lists them`)
	checkText(t, checkup.Lines(80, true)[7:], "ok   /work has 90 GB left")
}

// Where nothing is wrong, the next step is to measure the noise.
func TestCheckupLinesWithoutFindings(t *testing.T) {
	checkup := &Checkup{Platform: assay.Platform{ID: "abcd", GOOS: "linux", GOARCH: "amd64", CPUs: 2}}
	checkText(t, checkup.Lines(80, false), `machine  linux/amd64, 2 CPUs, id abcd

nothing found that would spoil a measurement; "assay doctor --aa" measures the noise`)
}
