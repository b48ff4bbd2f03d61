package knobs

import (
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
)

func TestDebugKeysOfThisToolchain(t *testing.T) {
	keys, err := DebugKeys(t.Context(), goroot(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"variablemakehash", "variablemakethreshold", "checkptr", "nil", "zerocopy", "pgoinline"} {
		if !has(keys, want) {
			t.Errorf("key %q is missing in %q", want, names(keys))
		}
	}
	for _, k := range keys {
		if strings.ContainsAny(k.Name, " \t/") || k.Doc == "" {
			t.Errorf("key %q, %q is no key", k.Name, k.Doc)
		}
	}
	if _, err := DebugKeys(t.Context(), t.TempDir()); err == nil {
		t.Error("an empty folder passed for a toolchain")
	}
}

// TestDebugKeysOfOldToolchain: variablemakehash came with go1.25.
func TestDebugKeysOfOldToolchain(t *testing.T) {
	keys, err := DebugKeys(t.Context(), fetched(t, "go1.24.9"))
	if err != nil {
		t.Fatal(err)
	}
	err = CheckDebugFlags(Asker{Variant: "no-stack-slices", Version: "go1.24.9"}, []string{"all=-d=variablemakehash=n"}, keys)
	if err == nil || !strings.Contains(err.Error(), `the compiler of go1.24.9 has no debug key "variablemakehash"`) {
		t.Errorf("got %v", err)
	}
}

func TestCheckDebugFlags(t *testing.T) {
	known := []Knob{{Name: "checkptr"}, {Name: "nil"}, {Name: "variablemakehash"}, {Name: "variablemakethreshold"}}
	for _, test := range []struct {
		name    string
		gcflags []string
		want    string
	}{
		{"none", []string{"-l", "all=-N -l"}, ""},
		{"known", []string{"all=-d=variablemakehash=n,nil", "-d checkptr=2", "./...=-d=ssa/check_bce/debug=1", "-d=help"}, ""},
		{"close", []string{"-l", "all=-d=nil,variablemakehsh=n"},
			`variant "b": the compiler of go1.26.8 has no debug key "variablemakehsh"   [unknown-debug-flag]
  close: variablemakehash
  try: -gcflags=all=-d=nil,variablemakehash=n`},
		{"separate", []string{"-l -d chekptr=1"},
			`variant "b": the compiler of go1.26.8 has no debug key "chekptr"   [unknown-debug-flag]
  close: checkptr
  try: '-gcflags=-l -d checkptr=1'`},
		{"nothing close", []string{"all=-d=nosuchdebug=1"},
			`variant "b": the compiler of go1.26.8 has no debug key "nosuchdebug"   [unknown-debug-flag]
  try: assay knobs go1.26.8`},
	} {
		t.Run(test.name, func(t *testing.T) {
			checkError(t, CheckDebugFlags(Asker{Variant: "b", Version: "go1.26.8"}, test.gcflags, known), test.want)
		})
	}
}

func TestGCFlagsScope(t *testing.T) {
	for _, test := range []struct {
		name           string
		gcflags        []string
		reached, total int
		want           string
	}{
		{"message 8", []string{"-d=variablemakehash=n"}, 2, 314,
			`variant "b": -gcflags=-d=… reaches only the packages named   [gcflags-scope]
  312 of 314 packages, the standard library too, are built as in the base
  try: -gcflags=all=-d=variablemakehash=n`},
		{"not counted, quoted", []string{"-l", "-l -d=nil"}, 0, 0,
			`variant "b": -gcflags=-d=… reaches only the packages named   [gcflags-scope]
  all others, the standard library too, are built as in the base
  try: '-gcflags=all=-l -d=nil'`},
		{"all", []string{"all=-d=variablemakehash=n"}, 2, 314, ""},
		{"a pattern is meant", []string{"./codec=-d=nil"}, 2, 314, ""},
		{"no debug flag", []string{"-l"}, 2, 314, ""},
		{"none", nil, 2, 314, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := GCFlagsScope(assay.Variant{Name: "b", GCFlags: test.gcflags}, test.reached, test.total)
			got := ""
			if w != nil {
				got = w.String()
			}
			if got != test.want {
				t.Errorf("got:\n%s\nwant:\n%s", got, test.want)
			}
		})
	}
}
