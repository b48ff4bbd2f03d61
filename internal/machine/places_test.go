package machine

import (
	"errors"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
)

// What is to be typed for a machine is its name only where that leads to the same place.
func TestNameOf(t *testing.T) {
	userFile(t, three)
	for _, c := range []struct {
		host assay.Host
		want string
	}{
		{assay.Host{}, "local"},
		{assay.Host{Label: "mini", Address: "local"}, "local"},
		{assay.Host{Label: "mini", Address: "ssh:mini"}, "mini"},
		{assay.Host{Label: "quiet", Address: "pool:quiet"}, "quiet"},
		{assay.Host{Label: "mini", Address: "ssh:mini.example.com"}, "ssh:mini.example.com"},
		{assay.Host{Label: "bench1.lan", Address: "ssh:bench1.lan"}, "ssh:bench1.lan"},
		{assay.Host{Label: "m4", Address: "agent:m4"}, "agent:m4"},
	} {
		if got := NameOf(c.host); got != c.want {
			t.Errorf("%+v: got %s, want %s", c.host, got, c.want)
		}
	}
}

// A file of machines that is there and cannot be read is an error, not a file without
// machines.
func TestMachinesUnreadable(t *testing.T) {
	file := userFile(t, three)
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(file, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, find := range map[string]func() error{
		"Named":  func() error { _, _, err := Named(); return err },
		"Find":   func() error { _, err := Find("mini"); return err },
		"Locate": func() error { _, err := Locate([]assay.Host{{Label: "mini", Address: "mini"}}); return err },
	} {
		e, ok := errors.AsType[*assay.Error](find())
		if !ok || e.Code != assay.CodeMachinesFile || !strings.HasPrefix(e.Text, "cannot read the file of machines: ") {
			t.Errorf("%s: got %v, want that the file cannot be read", name, e)
		}
	}
}

// At an address is the machine that was measured there last; a machine that comes back has
// its old floors, too.
func TestLastAtOfTwoMachines(t *testing.T) {
	a, b := assay.Platform{Host: "aa", ID: "11"}, assay.Platform{Host: "bb", ID: "22"}
	historyFile(t, a, "ssh:x")
	for i, c := range []struct {
		measured assay.Platform
		want     string
		floors   int
	}{{a, "aa", 1}, {a, "aa", 2}, {b, "bb", 1}, {a, "aa", 3}} {
		if err := KeepFloor(floorAt(c.measured, "ssh:x", i)); err != nil {
			t.Fatal(err)
		}
		if got := FloorsAt("ssh:x"); len(got) != c.floors || got[0].Host != c.want {
			t.Errorf("after %d runs: got %+v, want the %d floors of %s", i+1, got, c.floors, c.want)
		}
	}
	if got := FloorsAt(""); got != nil {
		t.Errorf("got %+v of this computer, which was not measured", got)
	}
	if err := KeepFloor(floorAt(b, assay.LocalAddress, 9)); err != nil {
		t.Fatal(err)
	}
	if got := FloorsAt(""); len(got) != 2 {
		t.Errorf("got %+v, want both floors of the machine that is this computer now", got)
	}
}

// A floor that no run can have is not kept, and one whose texts are too long to be read
// again is an error.
func TestKeepNone(t *testing.T) {
	p := assay.Platform{Host: "aa", ID: "11"}
	historyFile(t, p, "ssh:a")
	for name, change := range map[string]func(*Floor){
		"no number":           func(f *Floor) { f.Floor = assay.Change(math.NaN()) },
		"zero":                func(f *Floor) { f.Floor = 0 },
		"endless":             func(f *Floor) { f.Floor = assay.Change(math.Inf(1)) },
		"a change below 0":    func(f *Floor) { f.Smallest = []assay.Change{0.1, -0.1} },
		"a change of nothing": func(f *Floor) { f.Smallest = []assay.Change{assay.Change(math.NaN())} },
		"too many times":      func(f *Floor) { f.Smallest = make([]assay.Change, 11) },
	} {
		f := floorAt(p, "ssh:a", 1)
		change(&f)
		if err := KeepFloor(f); err != nil || Floors(p, "ssh:a") != nil {
			t.Errorf("%s: got %v and %v, want that nothing is kept", name, err, Floors(p, "ssh:a"))
		}
	}
	f := floorAt(p, "ssh:a", 1)
	f.Study = strings.Repeat("x", mostLine)
	if err := KeepFloor(f); err == nil || Floors(p, "ssh:a") != nil {
		t.Errorf("got %v and %v of a line that is too long, want an error", err, Floors(p, "ssh:a"))
	}
}
