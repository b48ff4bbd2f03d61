package knobs

import (
	"slices"
	"strings"
	"testing"
)

// What a study or a toolchain says in flags and settings is taken apart or refused;
// nothing is taken out of it that it does not say.
func FuzzSettings(f *testing.F) {
	f.Add("all=-l -d=checkptr=2,nil")
	f.Add("madvdontneed=1,,gctrace")
	f.Add("GOAMD64\n\tFor GOARCH=amd64, the microarchitecture level for which to compile.\n\tValid values are v1 (default), v2, v3, v4.\n")
	f.Add("rv{20,22}u64")
	f.Add("v8.{,-\xff}")
	f.Fuzz(func(t *testing.T, text string) {
		for _, s := range Settings(text) {
			if !strings.Contains(text, s.Name) || !strings.Contains(text, s.Value) {
				t.Errorf("%q has %v", text, s)
			}
		}
		for _, d := range DebugItems(text) {
			if !strings.Contains(text, d.Key) {
				t.Errorf("%q has %v", text, d)
			}
		}
		debugKeys(text)
		GCFlags(strings.Fields(text))
		if words := expand(text); !strings.ContainsAny(text, "{}") && !slices.Equal(words, []string{text}) {
			t.Errorf("%q is %q", text, words)
		}
		for _, k := range parseLevels(text) {
			k.accepts(text)
			Ranges(k.Accepted())
		}
		for _, name := range RunVariables() {
			_ = CheckRunVariable(name, text)
		}
	})
}
