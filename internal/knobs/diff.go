package knobs

import (
	"slices"
)

// A Change is a difference in a knob between two toolchains.
type Change struct {
	// What is "appeared", "vanished" or "changed": another default, or other accepted
	// values.
	What string `json:"what"`
	Kind Kind   `json:"kind"`
	Name string `json:"name"`
	// Old and New are the knob in each; nil if it does not exist.
	Old *Knob `json:"old,omitempty"`
	New *Knob `json:"new,omitempty"`
}

// The values of Change.What.
const (
	Appeared = "appeared"
	Vanished = "vanished"
	Changed  = "changed"
)

// Diff returns what appeared, vanished or changed, by kind, in that order. A removed
// GODEBUG setting counts as absent.
func Diff(from, to Set) []Change {
	var out []Change
	for _, kind := range Kinds {
		older, newer := live(from.Of(kind)), live(to.Of(kind))
		for _, k := range newer {
			if !has(older, k.Name) {
				out = append(out, Change{Appeared, kind, k.Name, nil, &k})
			}
		}
		for _, k := range older {
			if !has(newer, k.Name) {
				out = append(out, Change{Vanished, kind, k.Name, &k, nil})
			}
		}
		for _, k := range newer {
			if o, ok := find(older, k.Name); ok && differ(o, k) {
				out = append(out, Change{Changed, kind, k.Name, &o, &k})
			}
		}
	}
	return out
}

func differ(a, b Knob) bool {
	return a.Default != b.Default || a.Changed != b.Changed || !slices.Equal(a.Values, b.Values) || !slices.Equal(a.Options, b.Options)
}
