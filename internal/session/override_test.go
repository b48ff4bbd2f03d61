package session

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
)

// Each flag sets its own key, and leaves all others as they were.
func TestOverride(t *testing.T) {
	for _, c := range []struct {
		flag   string
		values []string
		want   func(*assay.Study)
	}{
		{"base", []string{"new"}, func(s *assay.Study) { s.Base = "new" }},
		{"name", []string{"codec"}, func(s *assay.Study) { s.Name = "codec" }},
		{"budget", []string{"90s"}, func(s *assay.Study) { s.Decide.Budget = 90 * time.Second }},
		{"min-effect", []string{"7%"}, func(s *assay.Study) { s.Decide.MinEffect = 0.07 }},
		{"gate", []string{"150%"}, func(s *assay.Study) { s.Decide.Gate = 1.5 }},
		{"confidence", []string{"95%"}, func(s *assay.Study) { s.Decide.Confidence = 0.95 }},
		{"blocks", []string{"8-20"}, func(s *assay.Study) { s.Decide.MinBlocks, s.Decide.MaxBlocks = 8, 20 }},
		{"blocks", []string{"8-"}, func(s *assay.Study) { s.Decide.MinBlocks, s.Decide.MaxBlocks = 8, 0 }},
		{"trial", []string{"20ms"}, func(s *assay.Study) { s.Measure.Trial = 20 * time.Millisecond }},
		{"timeout", []string{"1h"}, func(s *assay.Study) { s.Measure.Timeout = time.Hour }},
		{"gomaxprocs", []string{"3"}, func(s *assay.Study) { s.Measure.GOMAXPROCS = 3 }},
		{"goarch", []string{"386"}, func(s *assay.Study) { s.Measure.GOARCH = "386" }},
		{"layouts", []string{"1"}, func(s *assay.Study) { s.Measure.Layouts = 1 }},
		{"layouts", []string{"fresh"}, func(s *assay.Study) { s.Measure.Layouts = 0 }},
		{"collect", []string{"gc,cpu"}, func(s *assay.Study) { s.Measure.Collect = []string{"gc", "cpu"} }},
		{"seed", []string{"0x10"}, func(s *assay.Study) { s.Measure.Seed = 16 }},
		{"force", []string{"true"}, func(s *assay.Study) { s.Measure.Force = true }},
		{"remote-load", []string{"true"}, func(s *assay.Study) { s.Measure.RemoteLoad = true }},
		{"pass", []string{"A_TOKEN", "B_TOKEN"}, func(s *assay.Study) { s.Measure.Pass = []string{"A_TOKEN", "B_TOKEN"} }},
		{"name", []string{"first", "last"}, func(s *assay.Study) { s.Name = "last" }},
		{"store", []string{"elsewhere"}, func(*assay.Study) {}}, // no part of a study
	} {
		before := func() *assay.Study {
			return &assay.Study{Measure: assay.Measure{Layouts: 2}, Decide: assay.Decide{MinBlocks: 1, MaxBlocks: 2}}
		}
		got, want := before(), before()
		c.want(want)
		if err := Override(got, c.flag, c.values...); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("--%s %q: got %+v, %v, want %+v", c.flag, c.values, got, err, want)
		}
	}
}

// What cannot be the value of a flag is refused, and the error begins with the value as
// the user typed it, or as it was read.
func TestOverrideRefuses(t *testing.T) {
	for _, c := range []struct{ flag, value, want string }{
		{"budget", "0s", "0s is not above 0"},
		{"budget", "-1m", "-1m0s is not above 0"},
		{"budget", "soon", "time: invalid duration"},
		{"min-effect", "1", `1 needs a unit: "1%"`},
		{"gate", "x", "x is not a percentage"},
		{"blocks", "20-8", "20-8 ends before it begins"},
		{"gomaxprocs", "0", "0 is not above 0"},
		{"gomaxprocs", "many", "strconv.Atoi"},
		{"goarch", "x86_64", `x86_64 is not a GOARCH; write "amd64"`},
		{"layouts", "0", `0 is neither "fresh",`},
		{"collect", "", "names nothing"},
		{"collect", "all", "all"},
		{"seed", "0", "0 is not a number above 0 of 64 bits"},
		{"seed", "18446744073709551616", "18446744073709551616 is not a number above 0 of 64 bits"},
		{"on", "//there", `//there is no machine; write "ssh:there"`},
	} {
		err := Override(&assay.Study{}, c.flag, c.value)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("--%s %q: got %v, want %q", c.flag, c.value, err, c.want)
		}
	}
}

// The machines of --on become the hosts of the study, in their order, those of a pool with
// its labels; none may be named twice.
func TestOverrideHosts(t *testing.T) {
	s := &assay.Study{Hosts: []assay.Host{{Label: "old"}}}
	if err := Override(s, "on", "local", "ssh:me@bench1:2200", "pool:big,quiet"); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, h := range s.Hosts {
		got = append(got, h.Address)
	}
	if want := []string{"local", "ssh:me@bench1:2200", "pool:big,quiet"}; !reflect.DeepEqual(got, want) ||
		!reflect.DeepEqual(s.Hosts[2].Pool.Labels, []string{"big", "quiet"}) {
		t.Errorf("got %q, pool %+v, want %q", got, s.Hosts[2].Pool, want)
	}
	if err := Override(s, "on", "local", "local"); err == nil || err.Error() != "local is named twice" {
		t.Errorf("got %v, want that local is named twice", err)
	}
}
