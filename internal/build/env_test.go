package build

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/disk/disktest"
)

func TestEnv(t *testing.T) {
	dir := tinyModule(t)
	disktest.Write(t, dir, map[string]string{"env": "GOFLAGS=-tags=hidden\nGOAMD64=v2\nGOPROXY=file:///a\nCC=my-cc\n"})
	t.Setenv("GOENV", filepath.Join(dir, "env"))
	for k, v := range map[string]string{"GOEXPERIMENT": "nope", "GOFLAGS": "-mod=mod", "GOOS": "plan9", "GODEBUG": "x=1", "GOGC": "1", "GO_GCFLAGS": "-N",
		"GOPRIVATE": "example.com", "GOOGLE_KEY": "k", "CGO_CFLAGS": "-O1"} {
		t.Setenv(k, v)
	}
	b := New(t.TempDir())
	r := Request{Study: dir, Variant: assay.Variant{Name: "v", Go: "path:" + filepath.Join(dir, "goroot"), Experiment: []string{"a", "nob"}, Build: map[string]string{"GOAMD64": "v3"}, Env: map[string]string{"GOGC": "400"}}}
	b.toolchains.Do(r.Variant.Go, func() (Toolchain, error) { return Toolchain{GOROOT: "/r", Version: "go1.26.8"}, nil })
	env, err := b.Env(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.IsSorted(env) {
		t.Error("not sorted")
	}
	for _, want := range []string{"GOTOOLCHAIN=local", "GOFLAGS=", "GOENV=off", "GOWORK=off", "GOROOT=/r", "GOEXPERIMENT=a,nob", "GOAMD64=v3",
		"GOPROXY=file:///a", "GOPRIVATE=example.com", "CC=my-cc", "CGO_CFLAGS=-O1", "GOOGLE_KEY=k"} {
		if !slices.Contains(env, want) {
			t.Errorf("%s is not in the environment", want)
		}
	}
	for _, not := range []string{"GOOS", "GODEBUG", "GOGC", "GO_GCFLAGS"} {
		if lookup(env, not) != "" {
			t.Errorf("%s=%s is in the environment", not, lookup(env, not))
		}
	}
	got := strings.Join(matters(env), " ")
	if want := "CC=my-cc CGO_CFLAGS=-O1 GO111MODULE=on GOAMD64=v3 GOENV=off GOEXPERIMENT=a,nob GOFLAGS= GOROOT=/r GOTOOLCHAIN=local GOWORK=off"; got != want {
		t.Errorf("what matters:\ngot  %s\nwant %s", got, want)
	}
	if got := UserSettings()["GOAMD64"]; got != "v2" {
		t.Errorf("GOAMD64 of \"go env -w\": got %q, want v2", got)
	}
	t.Setenv("GOFLAGS", "") // the go command reads the file then
	if got := UserSettings()["GOFLAGS"]; got != "-tags=hidden" {
		t.Errorf("GOFLAGS: got %q, want that of the file", got)
	}
}

func TestWorkspace(t *testing.T) {
	dir := repository(t, map[string]string{"go.work": "go 1.23\n\nuse (\n\t./app\n\t./lib\n)\n",
		"lib/go.mod": "module example.com/lib\n\ngo 1.23\n", "lib/lib.go": "package lib\n\nconst N = 1\n",
		"app/go.mod": "module example.com/app\n\ngo 1.23\n", "app/app.go": "package app\n",
		"app/app_test.go": "package app\n\nimport (\n\t\"testing\"\n\n\t\"example.com/lib\"\n)\n\nfunc BenchmarkN(b *testing.B) { _ = lib.N }\n"})
	b := New(t.TempDir())
	build := func(rev string) Artifact {
		t.Helper()
		return mustBuild(t, New(b.Cache.Dir), Request{Study: dir, Source: assay.Source{Dir: "app"}, Variant: assay.Variant{Name: rev, Rev: rev}, Package: "."})
	}
	here, head := build(""), build("HEAD")
	if here.Package != "example.com/app" || head.Package != here.Package || head.Dir == here.Dir {
		t.Errorf("got %+v and %+v", here, head)
	}
	// A package of another module of the workspace is part of the key.
	disktest.Write(t, dir, map[string]string{"lib/lib.go": "package lib\n\nconst N = 2\n"})
	if edited := build(""); edited.ID == here.ID {
		t.Error("an edit in the workspace does not change the ID")
	}
	if same := build("HEAD"); same.ID != head.ID || !same.Cached {
		t.Error("an edit of the working tree reached the commit")
	}
}

func TestFindWork(t *testing.T) {
	dir := t.TempDir()
	disktest.Write(t, dir, map[string]string{"go.work": "", "a/b/x": ""})
	in := filepath.Join(dir, "a", "b")
	if got, want := findWork(in, ""), filepath.Join(dir, "go.work"); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got := findWork(in, filepath.Join(dir, "a")); got != "off" {
		t.Errorf("above the root: got %s, want off", got)
	}
}

func TestFlags(t *testing.T) {
	j := job{tc: Toolchain{Version: "go1.26.8"}, Request: Request{Study: "/s",
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
