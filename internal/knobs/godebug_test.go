package knobs

import (
	"slices"
	"testing"
)

func TestCheckGODEBUG(t *testing.T) {
	known := []Knob{
		{Kind: KindGODEBUG, Name: "gctrace", Default: "0"}, {Kind: KindGODEBUG, Name: "madvdontneed", Default: "1"},
		{Kind: KindGODEBUG, Name: "asynctimerchan", Removed: "go1.27"}, {Kind: KindGODEBUG, Name: "panicnil", Default: "0", Changed: "go1.21", Old: "1"},
		{Kind: KindGODEBUG, Name: "netdns"},
	}
	root := t.TempDir()
	write(t, root, "src/os/exec/exec.go", `package exec; var execwait = godebug.New("#execwait")`)
	write(t, root, "src/cmd/go/x.go", `package main; var x = godebug.New("#gofsystrace")`)
	for _, test := range []struct{ godebug, want string }{
		{"", ""},
		{"gctrace=1,madvdontneed=0", ""},
		{"gctrace=1,,netdns=go+1", ""},
		{"cpu.avx2=off", ""},
		{"execwait=1", ""}, // in the source, in no table
		{"gctrac=1,panicnil=0", `variant "b": go1.27.2 has no GODEBUG setting "gctrac", and its programs would ignore it   [unknown-godebug]
  close: gctrace
  try: GODEBUG=gctrace=1,panicnil=0`},
		{"gofsystrace=1", `variant "b": go1.27.2 has no GODEBUG setting "gofsystrace", and its programs would ignore it   [unknown-godebug]
  try: assay knobs go1.27.2`},
		{"asynctimerchan=1", `variant "b": go1.27.2 ignores GODEBUG=asynctimerchan   [unknown-godebug]
  gone in go1.27`},
		{"gctrace", `variant "b": GODEBUG has "gctrace" without a value, and programs ignore that   [unknown-godebug]
  try: GODEBUG=gctrace=1`},
		{"=1", `variant "b": go1.27.2 has no GODEBUG setting "", and its programs would ignore it   [unknown-godebug]
  try: assay knobs go1.27.2`},
	} {
		checkError(t, CheckGODEBUG(Asker{Variant: "b", Version: "go1.27.2"}, root, test.godebug, known), test.want)
	}
	got := GODEBUGPlacebos("gctrace=0,madvdontneed=1,panicnil=0,netdns=go,gctrace=1", known)
	if want := []Setting{{"gctrace", "0"}, {"madvdontneed", "1"}}; !slices.Equal(got, want) {
		t.Errorf("placebos %v, want %v", got, want)
	}
	if !SetsOther("a=1,madvdontneed=0", Setting{"madvdontneed", "1"}) || SetsOther("madvdontneed=1", Setting{"madvdontneed", "1"}) || SetsOther("", Setting{"a", "1"}) {
		t.Error("SetsOther")
	}
}

// The settings that the tables leave out, in real source.
func TestHiddenGODEBUG(t *testing.T) {
	root := goroot(t)
	if !hidden(root, "execwait") {
		t.Error("execwait of os/exec is not found")
	}
	if hidden(root, "gctrace") || hidden(root, "toolchaintrace") {
		t.Error("a listed setting, or one of the go command, is taken for hidden")
	}
}

func TestGCFlags(t *testing.T) {
	got := GCFlags([]string{"-race", "-gcflags=all=-d=foo", "--gcflags", "-N -l", "-tags=gcflags", "-gcflags"})
	if want := []string{"all=-d=foo", "-N -l"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if !HasDebugKeys(got) || HasDebugKeys(got[1:]) {
		t.Error("HasDebugKeys")
	}
}
