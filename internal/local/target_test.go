package local

import (
	"errors"
	"maps"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/host"
	"github.com/seed-1318a441/assay/internal/lab"
)

// What a variant is built for: its own platform, else the study's, else the machine's.
// Without any of them its environment stays as it is, and so does the artifact's ID.
func TestTarget(t *testing.T) {
	mac := Target{"darwin", "arm64"}
	for _, c := range []struct {
		name    string
		machine Target
		study   string
		own     map[string]string
		want    map[string]string
	}{
		{name: "this computer"},
		{name: "this computer by name", machine: thisComputer},
		{name: "the study's", study: "s390x", want: map[string]string{"GOARCH": "s390x"}},
		{name: "another machine", machine: Target{"plan9", "s390x"}, want: map[string]string{"GOOS": "plan9", "GOARCH": "s390x"}},
		{name: "the study's, there", machine: Target{"plan9", "s390x"}, study: "386", want: map[string]string{"GOOS": "plan9", "GOARCH": "386"}},
		{name: "its own", machine: mac, study: "386", own: map[string]string{"GOOS": "plan9", "GOARCH": "arm", "GOARM": "7"},
			want: map[string]string{"GOOS": "plan9", "GOARCH": "arm", "GOARM": "7"}},
	} {
		v := assay.Variant{Name: "v", Build: c.own}
		w := &Workshop{Target: c.machine}
		if got := w.forTarget(&assay.Study{Measure: assay.Measure{GOARCH: c.study}}, v).Build; !maps.Equal(got, c.want) {
			t.Errorf("%s: got %v, want %v", c.name, got, c.want)
		}
		if !maps.Equal(v.Build, c.own) {
			t.Errorf("%s: it changes the study's own variant", c.name)
		}
	}
}

// A study is emulated if any of its trials runs a build that the machine cannot run.
func TestEmulator(t *testing.T) {
	p := assay.Platform{GOOS: "linux", GOARCH: "amd64"}
	arm := assay.Variant{Name: "arm", Build: map[string]string{"GOARCH": "arm64"}}
	size := assay.Workload{Kind: assay.KindCommand, Run: []string{"wc", "-c", "{bin}"}}
	for _, c := range []struct {
		name  string
		study assay.Study
		want  string
	}{
		{"its own", assay.Study{Variants: []assay.Variant{{Name: "a"}}}, ""},
		{"386", assay.Study{Variants: []assay.Variant{{Name: "a"}}, Measure: assay.Measure{GOARCH: "386"}}, ""},
		{"all", assay.Study{Variants: []assay.Variant{{Name: "a"}}, Measure: assay.Measure{GOARCH: "arm64"}}, "qemu-aarch64"},
		{"one", assay.Study{Variants: []assay.Variant{{Name: "a"}, arm}}, "qemu-aarch64"},
		{"not started", assay.Study{Variants: []assay.Variant{{Name: "a"}, arm}, Workloads: []assay.Workload{size}}, ""},
	} {
		if got := Emulator(p, &c.study); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

// Without an emulator the study is refused before anything is built, with what to install.
func TestNoEmulator(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("QEMU emulates programs on Linux only")
	}
	t.Setenv("PATH", t.TempDir())
	arch := foreign()
	name := host.Emulator(runtime.GOOS, runtime.GOARCH, arch)
	if _, ok := host.FindEmulator(name); ok {
		t.Skip("the kernel runs these programs: binfmt_misc")
	}
	s := &assay.Study{Variants: []assay.Variant{{Name: "b"}}, Measure: assay.Measure{GOARCH: arch}}
	err := checkRuns(s, s.Variants[0])
	e, _ := errors.AsType[*assay.Error](err)
	if e == nil || e.Code != assay.CodeCannotRun || !strings.Contains(e.Error(), name+" would run it") || !strings.Contains(e.Advice, "apt install qemu-user") {
		t.Errorf("got %v", err)
	}
	if path, err := emulatorFor(lab.RunRequest{Study: s, Variant: s.Variants[0]}); err == nil {
		t.Errorf("got the emulator %q", path)
	}
	if path, err := emulatorFor(lab.RunRequest{Study: s, Variant: s.Variants[0], Artifact: lab.Artifact{Given: true}}); path != "" || err != nil {
		t.Errorf("of a given program: got %q, %v", path, err)
	}
}

// foreign is an architecture that this computer does not run.
func foreign() string {
	if runtime.GOARCH == "arm64" {
		return "amd64"
	}
	return "arm64"
}

// Command lines that begin with what was built begin with its emulator.
func TestFiller(t *testing.T) {
	f := filler{strings.NewReplacer(assay.PlaceBin, "/x/b", assay.PlaceName, "n"), "/x/b", "/usr/bin/qemu"}
	for line, want := range map[string]string{"{bin} {name}": "/usr/bin/qemu /x/b n", "env {bin}": "env /x/b", "{bin}x": "/x/bx"} {
		if got := f.line(strings.Fields(line)); !slices.Equal(got, strings.Fields(want)) {
			t.Errorf("%s: got %q, want %s", line, got, want)
		}
	}
	f.emulator = ""
	if got := f.line([]string{"{bin}"}); !slices.Equal(got, []string{"/x/b"}) {
		t.Errorf("got %q", got)
	}
	if got := f.line(nil); len(got) > 0 {
		t.Errorf("got %q", got)
	}
}
