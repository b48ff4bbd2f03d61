package queue

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode"
)

// FuzzState reads what an agent says of itself: its texts can be printed.
func FuzzState(f *testing.F) {
	data, err := json.Marshal(State{Protocol: Protocol, Name: "m4", Instance: "i", Version: "v1", Labels: []string{"quiet"}, Serving: "t"})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(data))
	f.Add(`{"labels":["\u001b[31m"],"version":"\u0000","platform":{"cpu":"a\nb"}}`)
	f.Fuzz(func(t *testing.T, text string) {
		var s State
		if json.Unmarshal([]byte(text), &s) != nil {
			return
		}
		s = s.clean()
		for _, said := range append([]string{s.Instance, s.Version, s.Serving, s.Platform.CPU, s.Platform.Kernel}, append(s.Labels, s.Tools...)...) {
			if strings.ContainsFunc(said, unicode.IsControl) {
				t.Errorf("%q cannot be printed", said)
			}
		}
	})
}
