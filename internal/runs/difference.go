package runs

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-1318a441/assay"
)

// closeEnough is the relative difference up to which two numbers count as equal. Other
// processors fuse and round the same sums differently in the last of 16 digits.
const closeEnough = 1e-9

// differenceOf returns where a stored result first differs from the computed one, as a
// path into its JSON with both values; "" if nowhere. The version that computed it does
// not count.
func differenceOf(stored, computed *assay.Result) (string, error) {
	a, b := *stored, *computed
	a.Assay, b.Assay = "", ""
	x, err := jsonValue(a)
	if err != nil {
		return "", err
	}
	y, err := jsonValue(b)
	if err != nil {
		return "", err
	}
	path, p, q, differ := firstDifference("", x, y)
	if !differ {
		return "", nil
	}
	return fmt.Sprintf("%s is %s, and its trials mean %s", strings.TrimPrefix(path, "."), shortJSON(p), shortJSON(q)), nil
}

// jsonValue returns the value of v's JSON, with numbers as written.
func jsonValue(v any) (out any, err error) {
	data, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	return out, d.Decode(&out)
}

// SameJSON reports whether two values have the same JSON.
func SameJSON(a, b any) bool {
	x, errA := json.Marshal(a)
	y, errB := json.Marshal(b)
	return errA == nil && errB == nil && bytes.Equal(x, y)
}

// missingMember stands for a missing member.
type missingMember struct{}

// firstDifference walks two JSON values, members in the order of their names.
func firstDifference(path string, a, b any) (at string, x, y any, differ bool) {
	switch a := a.(type) {
	case map[string]any:
		if b, ok := b.(map[string]any); ok {
			return differentMember(path, a, b)
		}
	case []any:
		if b, ok := b.([]any); ok {
			return differentElement(path, a, b)
		}
	case json.Number:
		if b, ok := b.(json.Number); ok && sameNumber(a, b) {
			return "", nil, nil, false
		}
	}
	return path, a, b, !sameScalar(a, b)
}

func differentMember(path string, a, b map[string]any) (at string, x, y any, differ bool) {
	names := slices.Collect(maps.Keys(a))
	for name := range b {
		if _, ok := a[name]; !ok {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		if at, x, y, differ = firstDifference(path+"."+name, member(a, name), member(b, name)); differ {
			return at, x, y, true
		}
	}
	return "", nil, nil, false
}

func member(m map[string]any, name string) any {
	if v, ok := m[name]; ok {
		return v
	}
	return missingMember{}
}

func differentElement(path string, a, b []any) (at string, x, y any, differ bool) {
	for i := range max(len(a), len(b)) {
		p, q := any(missingMember{}), any(missingMember{})
		if i < len(a) {
			p = a[i]
		}
		if i < len(b) {
			q = b[i]
		}
		if at, x, y, differ = firstDifference(fmt.Sprintf("%s[%d]", path, i), p, q); differ {
			return at, x, y, true
		}
	}
	return "", nil, nil, false
}

// sameScalar compares values that are neither objects nor lists.
func sameScalar(a, b any) bool {
	switch a.(type) {
	case map[string]any, []any:
		return false
	}
	switch b.(type) {
	case map[string]any, []any:
		return false
	}
	return a == b
}

func sameNumber(a, b json.Number) bool {
	if a == b {
		return true
	}
	x, errX := strconv.ParseFloat(a.String(), 64)
	y, errY := strconv.ParseFloat(b.String(), 64)
	whole := !strings.ContainsAny(a.String()+b.String(), ".eE")
	return errX == nil && errY == nil && !whole && math.Abs(x-y) <= closeEnough*max(math.Abs(x), math.Abs(y))
}

// longestShown is the maximum number of characters of a value in a message.
const longestShown = 120

func shortJSON(v any) string {
	if _, ok := v.(missingMember); ok {
		return "nothing"
	}
	data, err := json.Marshal(v)
	if err != nil {
		return "?"
	}
	text := []rune(string(data))
	if len(text) > longestShown {
		return string(text[:longestShown]) + "…"
	}
	return string(text)
}
