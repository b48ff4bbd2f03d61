package record

import (
	"strings"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
)

// Runs are in the order in which they were made, though the clock went back, and how a
// name begins is enough where only one begins so.
func TestOrderAndPrefix(t *testing.T) {
	store := t.TempDir()
	for i, id := range []string{"abcdefgh", "abcdzzzz", "qqqqqqqq"} {
		p := testPlan()
		p.Run, p.Number, p.Created = id, i+1, p.Created.Add(-time.Duration(i)*time.Hour)
		r, err := Create(store, p, assay.Platform{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Close()
	}
	for name, want := range map[string]string{"last": "qqqqqqqq", "last~1": "abcdzzzz", "q": "qqqqqqqq", "abcde": "abcdefgh", "abcdz": "abcdzzzz", "abcd": "", "x": ""} {
		e, err := Find(store, name)
		if e.Run != want || (err != nil) != (want == "") {
			t.Errorf("Find(%q) = %q, %v; want %q", name, e.Run, err, want)
		}
	}
	if _, err := Find(store, "abcd"); err == nil || !strings.Contains(err.Error(), `2 runs in `) || !strings.Contains(err.Error(), "abcdefgh, abcdzzzz") {
		t.Errorf("a name that two begin with: %v", err)
	}
	id, number, err := Next(store)
	if err != nil || number != 4 || len(id) != 8 {
		t.Errorf("the next run is %q, number %d, %v; want eight characters and 4", id, number, err)
	}
}
