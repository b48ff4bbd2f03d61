package binary

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
)

// printFormat changes when prints of the same file would change, so that prints cached by
// another version of this package never count as equal.
const printFormat = 1

// A Hash is the first 64 bits of a SHA-256. As text it is 16 hex digits, which survives
// JSON readers that keep numbers as floats.
type Hash uint64

// MarshalText writes 16 hex digits.
func (h Hash) MarshalText() ([]byte, error) { return fmt.Appendf(nil, "%016x", uint64(h)), nil }

// UnmarshalText reads what MarshalText wrote.
func (h *Hash) UnmarshalText(text []byte) error {
	n, err := strconv.ParseUint(string(text), 16, 64)
	if err != nil {
		return fmt.Errorf("read hash %q: want 16 hex digits", text)
	}
	*h = Hash(n)
	return nil
}

// A Print is the fingerprint of one binary. It may be stored as JSON beside the artifact.
type Print struct {
	// Format is the version of the hashing rules.
	Format int `json:"format"`
	// Platform is the file format and architecture, such as "elf/amd64".
	Platform string `json:"platform"`
	// Funcs maps each function to the hash of its instructions.
	Funcs map[string]Hash `json:"funcs"`
	// Data maps each data symbol, type descriptor ("type:...") and piece of unnamed data
	// ("after SYMBOL") to the hash of its initial content.
	Data map[string]Hash `json:"data"`
}

// Sum returns the hash of the fingerprint, 32 hex digits: equal for the same code,
// wherever it was built. It is "" for nil.
func (p *Print) Sum() string {
	if p == nil {
		return ""
	}
	data, err := json.Marshal(p) // with sorted keys
	if err != nil {
		panic("binary: a fingerprint always marshals: " + err.Error())
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:16])
}

// A Difference is the result of Compare for two prints, a and b. All lists are sorted.
// The zero Difference is not Same, because nothing was compared.
type Difference struct {
	// Functions is the number of functions in either binary.
	Functions int `json:"functions"`
	// OnlyA and OnlyB name functions that only one binary has.
	OnlyA []string `json:"only_a,omitempty"`
	OnlyB []string `json:"only_b,omitempty"`
	// Changed names functions that both have and whose instructions, or what these refer
	// to, differ.
	Changed []string `json:"changed,omitempty"`
	// Data names data that differs, or that only one binary has.
	Data []string `json:"data,omitempty"`
}

// Same reports whether the two binaries are the same code: they have the same functions
// and the same initial data, and at least one function.
func (d Difference) Same() bool {
	return d.Functions > 0 && len(d.OnlyA)+len(d.OnlyB)+len(d.Changed)+len(d.Data) == 0
}

// Compare compares two prints. Prints of different formats or platforms, and a nil print,
// differ from everything.
func Compare(a, b *Print) Difference {
	if a == nil || b == nil {
		return Difference{Data: []string{"fingerprint missing"}}
	}
	var d Difference
	if a.Format != b.Format {
		d.Data = append(d.Data, "fingerprint format")
	}
	if a.Platform != b.Platform {
		d.Data = append(d.Data, "platform")
	}
	d.OnlyA, d.OnlyB, d.Changed = diffMaps(a.Funcs, b.Funcs)
	d.Functions = len(a.Funcs) + len(d.OnlyB)
	onlyA, onlyB, changed := diffMaps(a.Data, b.Data)
	d.Data = slices.Concat(d.Data, onlyA, onlyB, changed)
	slices.Sort(d.Data)
	return d
}

func diffMaps[K cmp.Ordered, V comparable](a, b map[K]V) (onlyA, onlyB, changed []K) {
	for _, k := range slices.Sorted(maps.Keys(a)) {
		switch v, ok := b[k]; {
		case !ok:
			onlyA = append(onlyA, k)
		case v != a[k]:
			changed = append(changed, k)
		}
	}
	for _, k := range slices.Sorted(maps.Keys(b)) {
		if _, ok := a[k]; !ok {
			onlyB = append(onlyB, k)
		}
	}
	return onlyA, onlyB, changed
}
