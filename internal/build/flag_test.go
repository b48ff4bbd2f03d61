package build

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/toolchain"
)

func TestFlags(t *testing.T) {
	j := job{tc: toolchain.Toolchain{Version: "go1.26.8"}, Request: Request{Study: "/s",
		BuildFlags: joinFlags([]string{"--race", "-tags", "a,b", "-ldflags", "-s", "-overlay=o.json"}),
		Variant:    assay.Variant{Tags: []string{"c"}, GCFlags: []string{"-l", "all=-N"}, LDFlags: []string{"-w"}, PGO: "cpu.pprof"}}}
	if filepath.Separator != '/' {
		t.Skip("the paths below are written with slashes")
	}
	flags := j.flags()
	got := strings.Join(flags, " ")
	if want := "-buildvcs=false -pgo=off -race -ldflags=-s -overlay=/s/o.json -tags=a,b,c -gcflags=-l -gcflags=all=-N -ldflags=-w -pgo=/s/cpu.pprof"; got != want {
		t.Errorf("flags:\ngot  %s\nwant %s", got, want)
	}
	// go build heeds the last -ldflags that matches: the seed is in each.
	got = strings.Join(withLayout(flags, 7), " ")
	if strings.Count(got, "-randlayout=7") != 3 || !strings.HasPrefix(got, "-ldflags=-randlayout=7 ") || !strings.Contains(got, "-ldflags=-w -randlayout=7") {
		t.Errorf("withLayout: got %s", got)
	}
	if got, want := strings.Join(listFlags(flags), " "), "-race -overlay=/s/o.json -tags=a,b,c"; got != want {
		t.Errorf("listFlags: got %s, want %s", got, want)
	}
	// Only what reaches the standard library keeps builds apart.
	if got, want := j.sharedPart(), "\x00-buildvcs=false\x00-pgo=off\x00-race\x00-gcflags=all=-N\x00-pgo=/s/cpu.pprof"; got != want {
		t.Errorf("sharedPart: got %q, want %q", got, want)
	}
	j.Variant, j.BuildFlags, j.tc.Version = assay.Variant{PGO: "auto"}, []string{"-pgo=auto"}, "go1.19.13"
	if got, want := strings.Join(j.flags(), " "), "-buildvcs=false -pgo=auto -pgo=/s/auto"; got != want {
		t.Errorf("old toolchain: got %s, want %s", got, want)
	}
}
