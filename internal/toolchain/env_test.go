package toolchain

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/disk/disktest"
)

func TestEnv(t *testing.T) {
	dir := t.TempDir()
	disktest.Write(t, dir, map[string]string{"env": "GOFLAGS=-tags=hidden\nGOAMD64=v2\nGOPROXY=file:///a\nCC=my-cc\n"})
	t.Setenv("GOENV", filepath.Join(dir, "env"))
	for k, v := range map[string]string{"GOEXPERIMENT": "nope", "GOFLAGS": "-mod=mod", "GOOS": "plan9", "GODEBUG": "x=1", "GOGC": "1", "GO_GCFLAGS": "-N",
		"GOPRIVATE": "example.com", "GOOGLE_KEY": "k", "CGO_CFLAGS": "-O1"} {
		t.Setenv(k, v)
	}
	v := assay.Variant{Experiment: []string{"a", "nob"}, Build: map[string]string{"GOAMD64": "v3"}, Env: map[string]string{"GOGC": "400"}}
	env := Toolchain{GOROOT: "/r", Version: "go1.26.8"}.BuildEnv("off", v)
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
		if slices.ContainsFunc(env, func(kv string) bool { return strings.HasPrefix(kv, not+"=") }) {
			t.Errorf("%s is in the environment", not)
		}
	}
	got := strings.Join(Significant(env), " ")
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
