package runs

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"reflect"
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
	d := firstDifference("", x, y)
	if d == nil {
		return "", nil
	}
	return fmt.Sprintf("%s is %s, and its trials mean %s", strings.TrimPrefix(d.path, "."), shortJSON(d.a), shortJSON(d.b)), nil
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

// missing stands for a value that is not there.
type missing struct{}

// A difference is where two JSON values differ, and their values there.
type difference struct {
	path string
	a, b any
}

// firstDifference walks two JSON values, members in the order of their names.
func firstDifference(path string, a, b any) *difference {
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		if !ok {
			break
		}
		all := maps.Clone(a)
		maps.Copy(all, b)
		for _, name := range slices.Sorted(maps.Keys(all)) {
			if d := firstDifference(path+"."+name, member(a, name), member(b, name)); d != nil {
				return d
			}
		}
		return nil
	case []any:
		b, ok := b.([]any)
		if !ok {
			break
		}
		for i := range max(len(a), len(b)) {
			if d := firstDifference(fmt.Sprintf("%s[%d]", path, i), element(a, i), element(b, i)); d != nil {
				return d
			}
		}
		return nil
	case json.Number:
		if b, ok := b.(json.Number); ok && sameNumber(a, b) {
			return nil
		}
	}
	if reflect.DeepEqual(a, b) {
		return nil
	}
	return &difference{path, a, b}
}

func member(m map[string]any, name string) any {
	if v, ok := m[name]; ok {
		return v
	}
	return missing{}
}

func element(list []any, i int) any {
	if i < len(list) {
		return list[i]
	}
	return missing{}
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
	if _, ok := v.(missing); ok {
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
