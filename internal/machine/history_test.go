package machine

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"sync"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
)

// historyFile returns the file of a machine's floors, in a folder of the test.
func historyFile(t *testing.T, p assay.Platform, address string) string {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("XDG_STATE_HOME", dir)
	return filepath.Join(dir, "assay", "machines", historyName(p.Host, p.ID, address)+historySuffix)
}

// floorAt is a floor of the minute i.
func floorAt(p assay.Platform, address string, i int) Floor {
	return Floor{Time: time.Date(2026, 11, 1, 0, i, 0, 0, time.UTC), Host: p.Host, Platform: p.ID, Address: address, Floor: assay.Change(i+1) / 1000}
}

func TestFloors(t *testing.T) {
	a, b, c := assay.Platform{Host: "aa", ID: "11"}, assay.Platform{Host: "bb", ID: "11"}, assay.Platform{ID: "11"}
	historyFile(t, a, "ssh:a")
	if got := Floors(a, "ssh:a"); got != nil {
		t.Errorf("a new machine has %v", got)
	}
	want := []Floor{floorAt(a, "ssh:a", 0), floorAt(a, "ssh:renamed", 1)}
	want[1].AA, want[1].Label, want[1].Smallest = true, "a", []assay.Change{0, 0.02, 0.01}
	for _, f := range append(want, floorAt(b, "ssh:b", 2), floorAt(c, "ssh:c", 3), floorAt(c, "ssh:d", 4)) {
		if err := KeepFloor(f); err != nil {
			t.Fatal(err)
		}
	}
	if got := Floors(a, "ssh:a"); !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	if got := Floors(c, "ssh:d"); len(got) != 1 || got[0].Address != "ssh:d" {
		t.Errorf("got %+v, want the one floor of an unknown machine at ssh:d", got)
	}
	if got := FloorsAt("ssh:renamed"); len(got) != 2 {
		t.Errorf("got %+v, want both floors of the machine that is at ssh:renamed now", got)
	}
	if got := FloorsAt("ssh:a"); got != nil {
		t.Errorf("got %+v: that machine is elsewhere now", got)
	}
}

// A file holds some hundred floors at most, and the latest are never lost.
func TestHistoryIsBounded(t *testing.T) {
	p := assay.Platform{Host: "aa", ID: "11"}
	file := historyFile(t, p, "ssh:a")
	const n = 3*mostFloors + 7
	for i := range n {
		if err := KeepFloor(floorAt(p, "ssh:a", i)); err != nil {
			t.Fatal(err)
		}
	}
	got := Floors(p, "ssh:a")
	if len(got) != mostFloors+7 || got[len(got)-1].Floor != assay.Change(n)/1000 {
		t.Errorf("%d floors, the last of them %v", len(got), got[len(got)-1])
	}
	if files, _ := os.ReadDir(filepath.Dir(file)); len(files) != 2 {
		t.Errorf("there are %d files", len(files))
	}
	if len(FloorsAt("ssh:a")) != len(got) {
		t.Error("the older floors are missing")
	}
}

// Processes that end at once lose nothing.
func TestHistoryOfMany(t *testing.T) {
	p := assay.Platform{Host: "aa", ID: "11"}
	historyFile(t, p, "ssh:a")
	var all sync.WaitGroup
	for i := range 100 {
		all.Go(func() {
			if err := KeepFloor(floorAt(p, "ssh:a", i)); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if got := Floors(p, "ssh:a"); len(got) != 100 {
		t.Errorf("%d floors of 100", len(got))
	}
}

func TestHistoryHostile(t *testing.T) {
	p := assay.Platform{Host: "aa", ID: "11"}
	file := historyFile(t, p, "ssh:a")
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	long := make([]byte, 3*mostLine)
	text := string(long) + "\nnull\n[]\n{\"floor\":1e999}\n{\"host\":\"aa\",\"platform\":\"11\",\"floor\":-1}\n{\"host\":\"aa\",\"platform\":\"11\",\"floor\":1e9}\n" +
		"{\"host\":\"aa\",\"platform\":\"22\",\"floor\":0.1}\n{\"host\":\"aa\",\"platform\":\"11\",\"floor\":0.1,\"smallest\":[-1]}\n" +
		"{\"host\":\"aa\",\"platform\":\"11\",\"floor\":0.1,\"label\":\"\\u001b[2Jx\\ny\",\"study\":\"s\"}\n{\"host\":\"aa\",\"platform\":\"11\",\"flo"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := KeepFloor(floorAt(p, "ssh:a", 1)); err != nil { // behind a torn line
		t.Fatal(err)
	}
	got := Floors(p, "ssh:a")
	if len(got) != 2 || got[0].Label != "x y" || got[1].Floor != 0.002 {
		t.Errorf("got %+v", got)
	}
	if err := KeepFloor(Floor{Platform: "11"}); err != nil || len(Floors(p, "ssh:a")) != 2 {
		t.Errorf("an unknown floor was kept: %v", err)
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(file, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := KeepFloor(floorAt(p, "ssh:a", 1)); err == nil || Floors(p, "ssh:a") != nil {
		t.Errorf("a folder in place of the file: %v", err)
	}
	if err := os.WriteFile(filepath.Join(filepath.Dir(file), "x"+historySuffix), fmt.Append(nil, text), 0o600); err != nil {
		t.Fatal(err)
	}
	FloorsAt("ssh:a")
}
