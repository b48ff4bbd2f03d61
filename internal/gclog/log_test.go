package gclog

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/errortest"
	"github.com/seed-1318a441/assay/internal/terminal"
)

// Four cycles, the third of which the program forced. Their clocks are sweep, mark and
// mark termination, their CPU times in the middle those of assists, workers and idle marking.
const (
	cycle1 = "gc 1 @1.000s 5%: 1.0+10+2.0 ms clock, 2.0+1.0/4.0/0+4.0 ms cpu, 4->5->2 MB, 5 MB goal, 0 MB stacks, 0 MB globals, 2 P\n"
	cycle2 = "gc 2 @2.000s 5%: 2.0+20+2.0 ms clock, 4.0+2.0/4.0/1.0+4.0 ms cpu, 5->7->3 MB, 7 MB goal, 0 MB stacks, 0 MB globals, 2 P\n"
	forced = "gc 3 @3.000s 5%: 9.0+90+9.0 ms clock, 9.0+9.0/9.0/9.0+9.0 ms cpu, 90->90->1 MB, 90 MB goal, 0 MB stacks, 0 MB globals, 2 P (forced)\n"
	cycle4 = "gc 4 @5.000s 5%: 4.0+60+2.0 ms clock, 8.0+3.0/8.0/2.0+4.0 ms cpu, 4->4->4 MB, 4 MB goal, 0 MB stacks, 0 MB globals, 2 P\n"
	three  = "starting\n" + cycle1 + cycle2 + forced + cycle4
)

// logFile writes a log, and returns its path.
func logFile(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "gc.txt")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// read reads logs that can be read.
func read(t *testing.T, args ...string) []*Log {
	t.Helper()
	logs, err := Read(strings.NewReader(three), args)
	if err != nil {
		t.Fatal(err)
	}
	return logs
}

// The figures of a whole log, by hand. Forced cycles count in their own number and in the
// time that the log covers alone.
func TestValues(t *testing.T) {
	got := read(t, logFile(t, three))[0].values()
	for metric, want := range map[string]float64{
		cycles: 3, forcedCycles: 1, span: 5, paused: 13e-3, heapMin: 2 << 20, heapMax: 7 << 20,
		assay.MetricGCCyclesMin: 36, assay.MetricGCPauseMin: 60 * 13e-3 / 5,
		assay.MetricGCAssistCPU: 2e-3, assay.MetricGCWorkerCPU: 16e-3 / 3, assay.MetricGCIdleCPU: 1e-3,
	} {
		if x, ok := got[metric]; !ok || math.Abs(x-want) > 1e-9*want {
			t.Errorf("%s: got %g, %v, want %g", metric, x, ok, want)
		}
	}
	for metric := range got {
		if !slices.Contains(metrics, metric) {
			t.Errorf("%s is not in the table", metric)
		}
	}
}

// A log of forced cycles alone has no pauses and no heap to compare, but it has its time.
func TestForcedAlone(t *testing.T) {
	got := read(t, logFile(t, strings.Replace(forced, "gc 3", "gc 1", 1)))[0].values()
	want := map[string]float64{cycles: 0, forcedCycles: 1, span: 3, assay.MetricGCCyclesMin: 0, assay.MetricGCPauseMin: 0}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// Logs are named by their variants where the line says so, else by their files; "-" is the
// standard input, and a file whose name has a "=" in it is a file.
func TestReadNames(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{"a.txt", "x=y.txt"} {
		if err := os.WriteFile(name, []byte(cycle1), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var got []string
	for _, l := range read(t, "a.txt", "old=a.txt", "x=y.txt", "new=-") {
		free, _ := l.Cycles()
		got = append(got, fmt.Sprint(l.variant, " ", l.name, " ", free))
	}
	if want := []string{"a.txt a.txt 1", "old a.txt 1", "x=y.txt x=y.txt 1", "new - 3"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// What is no log of the collector is refused, with how to make one.
func TestReadErrors(t *testing.T) {
	empty, missing := logFile(t, "hello\n"), filepath.Join(t.TempDir(), "gone.txt")
	for text, args := range map[string][]string{
		"name the logs to be read":                        nil,
		"read " + empty + ": no line of a gctrace in it":  {logFile(t, three), "new=" + empty},
		"open " + missing + ": no such file or directory": {missing},
		"read -: no line of a gctrace in it":              {"old=-"},
	} {
		_, err := Read(strings.NewReader("no trace"), args)
		e, ok := errors.AsType[*assay.Error](err)
		if !ok || e.Code != assay.CodeGCLog || e.Text != text || !strings.HasPrefix(e.Advice, "GODEBUG=gctrace=1 ") || e.Exit != assay.ExitUsage {
			t.Errorf("%q: got %+v, want %q", args, e, text)
		}
	}
}

// Logs of two variants are compared without verdicts, one value a log, in the order of the
// table, and the warning says how to get verdicts.
func TestCompare(t *testing.T) {
	old, busy := logFile(t, three), logFile(t, cycle1+cycle2+forced+cycle4+strings.Replace(cycle4, "gc 4 @5", "gc 5 @10", 1)+"gc 6 @11.0s 5%: 1.0+torn\n")
	logs := read(t, "old="+old, "new="+busy, "old="+old)
	r := Compare(logs)
	var order []string
	for _, tab := range r.Tables {
		order = append(order, tab.Metric.Name)
		for _, c := range tab.Rows[0].Cells {
			if c.Verdict != assay.Withheld {
				t.Errorf("%s: got the verdict %q", tab.Metric.Name, c.Verdict)
			}
		}
	}
	want := slices.DeleteFunc(slices.Clone(metrics), func(m string) bool { return m == assay.MetricGCPauseP99 }) // takes a thousand cycles
	if !slices.Equal(order, want) {
		t.Errorf("got the tables %q, want %q", order, want)
	}
	if row := r.Tables[0].Rows[0]; row.Base != 3 || row.Cells[0].Value != 4 || row.Cells[0].N != 1 {
		t.Errorf("%s: got %+v, want 3 and 4", order[0], row)
	}
	if len(r.Variants) != 2 || r.Base != "old" || len(r.Warnings) != 2 {
		t.Fatalf("got %d variants, base %s, warnings %v", len(r.Variants), r.Base, r.Warnings)
	}
	if w := r.Warnings[0]; w.Code != assay.CodeNotInterleaved || !strings.Contains(w.Advice, `collect = ["gc"]`) {
		t.Errorf("got %v, want that the logs were not measured together", w)
	}
	if w := r.Warnings[1]; w.Code != assay.CodeGCLines || !strings.Contains(w.Text, busy) || len(w.Facts) != 1 || !strings.HasPrefix(w.Facts[0], "1 line torn") {
		t.Errorf("got %v, want one about the torn line of %s", w, busy)
	}
}

// Of one variant there is nothing to answer, and nothing to warn of.
func TestOneVariant(t *testing.T) {
	r := Compare(read(t, logFile(t, three)))
	if len(r.Warnings) > 0 || len(r.Answer.Text) > 0 {
		t.Errorf("got %v and the answer %q", r.Warnings, r.Answer.Text)
	}
}

// rowOf returns the words of the line of a table that begins with a label.
func rowOf(lines []string, label string) []string {
	for _, line := range lines {
		if rest, ok := strings.CutPrefix(line, label+" "); ok {
			return strings.Fields(rest)
		}
	}
	return nil
}

// The table has a column for each variant and the change to the next, units that fit, and
// how the marking was shared.
func TestLines(t *testing.T) {
	double := strings.NewReplacer("1.0+10+2.0", "2.0+20+4.0", "4->5->2 MB", "8->10->4 MB", "1.0/4.0/0", "1.0/1.0/2.0")
	again := strings.Replace(cycle1, "gc 1 @1", "gc 2 @2", 1)
	logs := read(t, "old="+logFile(t, cycle1+again), "new="+logFile(t, double.Replace(cycle1+again+strings.Replace(cycle1, "gc 1 @1", "gc 3 @4", 1))))
	lines := Lines(logs, Compare(logs), terminal.Style{})
	for label, want := range map[string]string{
		"": "old new", cycles: "2 3 +50.0 %", span: "2.00 s 4.00 s +100.0 %", heapMax: "5.00 MiB 10.0 MiB +100.0 %", heapMin: "2.00 MiB 4.00 MiB +100.0 %",
		forcedCycles: "0 0", "assists, workers, idle": "20, 80, 0 % 25, 25, 50 %", assay.MetricGCMark: "10.0 ms 20.0 ms +100.0 %",
	} {
		if got := strings.Join(rowOf(lines, label), " "); got != want {
			t.Errorf("%s: got %q, want %q", label, got, want)
		}
	}
	at := slices.IndexFunc(lines, func(line string) bool { return strings.HasPrefix(line, "assists, workers, idle") })
	if at < 1 || !strings.HasPrefix(lines[at-1], assay.MetricGCIdleCPU+" ") {
		t.Errorf("the shares are line %d of %q, want them below their sums", at, lines)
	}
	if rowOf(lines, "logs") != nil || strings.Contains(lines[len(lines)-1], "medians") {
		t.Errorf("got %q of one log each", lines)
	}
}

// From eight logs of a variant on the medians have intervals, as the last line says.
func TestLinesOfSeveral(t *testing.T) {
	file := logFile(t, three)
	for n, want := range map[int]string{2: "3", 7: "3", 8: "3 [3, 3]"} {
		var args []string
		for range n {
			args = append(args, "old="+file)
		}
		logs := read(t, append(args, "new="+file)...)
		lines := Lines(logs, Compare(logs), terminal.Style{})
		if got, want := strings.Join(rowOf(lines, cycles), " "), want+" 3 0 %"; got != want {
			t.Errorf("%d logs: got %q, want %q", n, got, want)
		}
		if got := strings.Join(rowOf(lines, "logs"), " "); got != fmt.Sprint(n, " 1") {
			t.Errorf("%d logs: got %q", n, got)
		}
		if got, want := lines[len(lines)-1], "medians over the logs; from eight logs on with the 99 % interval"; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// The columns of three variants begin below their names, in rows with changes and without.
func TestColumns(t *testing.T) {
	file := logFile(t, cycle1+strings.Replace(cycle1, "gc 1 @1", "gc 2 @2", 1))
	logs := read(t, "first="+file, "second="+file, "third="+file)
	lines := Lines(logs, Compare(logs), terminal.Style{})
	for _, variant := range []string{"first", "second", "third"} {
		at := strings.Index(lines[0], variant)
		for label, value := range map[string]string{cycles: "2 ", forcedCycles: "0", "assists, workers, idle": "20, 80, 0 %"} {
			i := slices.IndexFunc(lines, func(line string) bool { return strings.HasPrefix(line, label+" ") })
			if at < 0 || i < 0 || !strings.HasPrefix(lines[i][at:], value) {
				t.Errorf("%s: got %q, want %s below %s", label, lines[max(i, 0)], value, variant)
			}
		}
	}
}

// A trace that a build is part of is of several programs; package lines of another meaning
// do no harm.
func TestBuildTrace(t *testing.T) {
	build := cycle1 + cycle2 + "# example.com/m/p\n" + cycle1 + "# runtime\n" + cycle1 + cycle2
	_, err := Read(nil, []string{logFile(t, build)})
	if text := errortest.Want(t, err, assay.CodeGCLog, assay.ExitUsage); !strings.Contains(text, "the compiler and the linker traced into it") || !strings.Contains(text, "go test -c") {
		t.Errorf("got %s", text)
	}
	for _, text := range []string{cycle1 + "# round 1\n" + cycle1, "# example.com/m/p\n" + cycle1 + cycle2, cycle1 + "# heading\nmore\n" + cycle1} {
		if _, err := Read(nil, []string{logFile(t, text)}); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
}
