package cache

import (
	"strings"
	"testing"

	"github.com/seed-1318a441/assay/internal/disk/disktest"
)

func TestStore(t *testing.T) {
	c := New(t.TempDir())
	type calibration struct{ N map[string]int }
	want := calibration{map[string]int{"Sum/small#01": 4096}}
	var got calibration
	if c.Load("0a1b", "calibration", &got) {
		t.Error("a value was there before it was stored")
	}
	for range 2 {
		if err := c.Store("0a1b", "calibration", want); err != nil {
			t.Fatal(err)
		}
	}
	if !c.Load("0a1b", "calibration", &got) || got.N["Sum/small#01"] != 4096 {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if c.Load("0a1b", "print", &got) || c.Load("ffff", "calibration", &got) {
		t.Error("a value was found under another name")
	}
	disktest.Write(t, c.Dir, map[string]string{"value/0a1b/calibration.json": "{torn"})
	if c.Load("0a1b", "calibration", &got) {
		t.Error("a damaged value was loaded")
	}
	for _, bad := range []string{"", "../x", "a/b", ".hidden", strings.Repeat("x", 200)} {
		if c.Store(bad, "n", 1) == nil || c.Store("0a1b", bad, 1) == nil {
			t.Errorf("the name %q was taken", bad)
		}
	}
	if err := c.Store("0a1b", "f", func() {}); err == nil {
		t.Error("a function was stored")
	}
}
