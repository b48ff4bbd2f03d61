package code

import (
	"maps"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay/internal/funcname"
	"github.com/seed-1318a441/assay/internal/near"
)

// maxClose is how many near names are worth reading.
const maxClose = 3

// closeNames returns the names of symbols that the user may have meant by word; the
// package may be left out.
func closeNames(word string, symbols []string) []string {
	called := func(symbol string) string {
		if strings.Contains(word, ".") {
			return symbol
		}
		return funcname.WithinPackage(symbol)
	}
	known := map[string][]string{}
	for _, s := range symbols {
		known[called(s)] = append(known[called(s)], funcname.Readable(s))
	}
	var out []string
	for _, name := range near.Names(word, slices.Sorted(maps.Keys(known))) {
		slices.Sort(known[name])
		out = append(out, slices.Compact(known[name])...)
	}
	return out[:min(len(out), maxClose)]
}
