package doctor

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/host"
	"github.com/seed-1318a441/assay/internal/machine"
	"github.com/seed-1318a441/assay/internal/terminal"
)

// day is a day in November.
func day(n int) time.Time { return time.Date(2026, 11, n, 9, 30, 0, 0, time.Local) }

// floors are those of some days, the last of them ±n/1000.
func floors(n int) (list []machine.Floor) {
	for i := range n {
		list = append(list, machine.Floor{Time: day(i + 1), Run: fmt.Sprint("run", i+1), Study: "codec", Blocks: 40,
			Floor: assay.Change(i+1) / 1000, Machine: "linux/amd64 Old CPU, 4 CPUs"})
	}
	return list
}

// members are a machine with a history, one that cannot be reached, and a new one.
func members() []Machine {
	epyc := assay.Platform{GOOS: "linux", GOARCH: "amd64", CPU: "AMD EPYC 7313P 16-Core Processor", CPUs: 2}
	list := []Machine{
		{Name: "local", State: Free, Platform: &epyc, Assay: "v1.2.3", Floors: floors(2)},
		{Name: "m4", State: Unreachable, Fault: "no hub answers [no-hub]", Floors: floors(1)},
		{Name: "new", State: Busy, Platform: &assay.Platform{GOOS: "darwin", GOARCH: "arm64", CPUs: 8}, Assay: "v1.2.3"},
	}
	list[0].Floors[1].Smallest = []assay.Change{0, 0.068, 0.035}
	return list
}

// words are the cells of a line, between two blanks or more.
func words(line string) (cells []string) {
	for cell := range strings.SplitSeq(line, "  ") {
		if cell = strings.TrimSpace(cell); cell != "" {
			cells = append(cells, cell)
		}
	}
	return cells
}

// The table has a line for each machine: its last floor with its day, what it shows, and how
// its floors went, on the scale of the largest. Of a machine that was not reached it has the
// platform as it was remembered.
func TestTable(t *testing.T) {
	lines := Table(members(), terminal.Style{Width: 200})
	for i, want := range [][]string{
		{"machine", "platform", "assay", "state", "noise", "on", "1 min", "5 min", "20 min", "trend"},
		{"local", "linux/amd64 AMD EPYC 7313P 16-Core Processor, 2 CPUs", "v1.2.3", "free", "±0.2 %", "2026-11-02", "–", "6.8 %", "3.5 %", "▄█"},
		{"m4", "linux/amd64 Old CPU, 4 CPUs", "–", "unreachable", "±0.1 %", "2026-11-01", "–", "–", "–", "█"},
		{"new", "darwin/arm64, 8 CPUs", "v1.2.3", "busy", "–", "–", "–", "–", "–"},
	} {
		if got := words(lines[i]); !slices.Equal(got, want) {
			t.Errorf("got  %q\nwant %q", got, want)
		}
	}
	if got, want := lines[4:], []string{"", "m4 cannot be reached: no hub answers [no-hub]"}; !slices.Equal(got, want) {
		t.Errorf("got %q below the table, want %q", got, want)
	}
}

// A narrow terminal loses the names of processors first, then the trend.
func TestNarrowTable(t *testing.T) {
	for width, want := range map[int][2]string{
		150: {"linux/amd64 AMD EPYC 7313P 16-Core Processor, 2 CPUs", "trend"},
		110: {"linux/amd64, 2 CPUs", "trend"},
		95:  {"linux/amd64, 2 CPUs", "20 min"},
	} {
		list := members()[:1]
		list[0].State = Unreachable
		lines := Table(list, terminal.Style{Width: width})
		head, row := words(lines[0]), words(lines[1])
		if row[1] != want[0] || head[len(head)-1] != want[1] {
			t.Errorf("%d columns: got %q, ..., %q, want %q, ..., %q", width, row[1], head[len(head)-1], want[0], want[1])
		}
		for _, line := range lines {
			if terminal.Width(line) > width {
				t.Errorf("%d columns: %q is wider", width, line)
			}
		}
	}
}

// Below the table stands who measures on a machine, who waits for it, and that it is noisier
// than its user allows.
func TestRemarks(t *testing.T) {
	style := terminal.Style{Width: 200}
	since := day(3)
	for name, c := range map[string]struct {
		change func(*Machine)
		want   []string
	}{
		"nothing": {func(*Machine) {}, nil},
		"an occupant": {func(m *Machine) {
			m.Occupant = &host.Occupant{PID: 7, Command: "assay run x", Dir: "/work", Since: since}
		}, []string{"x is busy: process 7, since 09:30:00, in /work: assay run x"}},
		"an unknown": {func(m *Machine) { m.Occupant = &host.Occupant{} }, []string{"x is busy: another assay measures there"}},
		"quiet":      {func(m *Machine) { m.Require.Noise = 0.002 }, nil},
		"noisy":      {func(m *Machine) { m.Require.Noise = 0.0015 }, []string{"x is noisier than it may be: it is required to have at most 0.15 %"}},
		"new":        {func(m *Machine) { m.Require.Noise, m.Floors = 0.0015, nil }, nil},
		"a queue": {func(m *Machine) {
			m.Queue = []Waiting{{Study: "codec", Who: "ci", Priority: "high", Since: since, Serving: true, Hold: true, Used: 90 * time.Second, Share: 0.75},
				{Study: "sort", Who: "me", Priority: "low", Since: since, Serving: true},
				{Study: "b", Who: "me", Priority: "low", Since: since, Hold: true, Used: 30 * time.Second, Share: 0.25}}
		}, []string{"x, number 1: codec of ci, high priority, since 09:30:00, holds the machine, has used it for 1m30s (75 %)",
			"x, number 2: sort of me, low priority, since 09:30:00, runs, has used it for 0s (0 %)",
			"x, number 3: b of me, low priority, since 09:30:00, waits, has used it for 30s (25 %)"}},
	} {
		m := Machine{Name: "x", Floors: floors(2)}
		c.change(&m)
		got := slices.DeleteFunc(m.remarks(style), func(line string) bool { return line == "" })
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

// One machine is shown with its last twelve runs, or with all, and without any says why there
// is no noise.
func TestMemberLines(t *testing.T) {
	m := Machine{Name: "x", State: Free, Floors: floors(14)}
	m.Floors[13].AA, m.Floors[13].Run, m.Floors[13].Blocks = true, "", 1200
	lines := m.Lines(terminal.Style{Width: 200})
	at := slices.Index(lines, "") + 1
	if got, want := words(lines[at]), []string{"measured", "run", "study", "blocks", "noise", "1 min", "5 min", "20 min"}; !slices.Equal(got, want) {
		t.Fatalf("got %q, want %q", got, want)
	}
	for i, want := range map[int][]string{1: {"2026-11-03 09:30", "run3", "codec", "40", "±0.3 %", "–", "–", "–"},
		12: {"2026-11-14 09:30", "–", "A/A", "1,200", "±1.4 %", "–", "–", "–"}} {
		if got := words(lines[at+i]); !slices.Equal(got, want) {
			t.Errorf("line %d: got %q, want %q", i, got, want)
		}
	}
	if got := lines[at+13:]; !slices.Equal(got, []string{"… 2 earlier runs: --all"}) {
		t.Errorf("got %q behind twelve runs", got)
	}
	if all := m.Lines(terminal.Style{Width: 200, All: true}); len(all) != at+15 || words(all[at+1])[1] != "run1" {
		t.Errorf("got %q, want all runs", all[at:])
	}
	m.Floors = nil
	lines = m.Lines(terminal.Style{Width: 200})
	if got, want := lines[len(lines)-1], "no run with a control (A/A) has measured its noise yet"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Why a machine cannot be reached is one line, with the code that leads to help.
func TestFail(t *testing.T) {
	for want, err := range map[string]error{
		"no hub answers [no-hub]": assay.NewError(assay.ExitRefused, assay.CodeNoHub, "no hub answers", []string{"refused"}, "assay hub"),
		"one; two":                errors.New("one\ntwo"),
	} {
		m := Machine{Name: "x", State: Free}
		m.fail(err)
		if m.State != Unreachable || m.Fault != want {
			t.Errorf("got %s, %q, want %q", m.State, m.Fault, want)
		}
	}
}
