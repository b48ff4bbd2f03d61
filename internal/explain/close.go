package explain

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// maxClose is how many near names are worth reading.
const maxClose = 3

// closeNames returns the names that are within a third of a word's length of it by edit
// distance, or hold it, without regard to case; the package may be left out.
func closeNames(word string, symbols []string) []string {
	word = strings.ToLower(cut(word, 100))
	limit := (len(word) + 2) / 3
	found := map[string]int{}
	for _, s := range symbols {
		name := strings.ToLower(baseName(s))
		if strings.Contains(word, ".") {
			name = strings.ToLower(s)
		}
		if len(name) > len(word)+limit && !strings.Contains(name, word) {
			continue
		}
		if d := distance(word, cut(name, 2*len(word))); d <= limit && d < len(word) || len(word) >= 4 && strings.Contains(name, word) {
			found[Readable(s)] = d
		}
	}
	names := slices.SortedFunc(maps.Keys(found), func(a, b string) int { return cmp.Or(cmp.Compare(found[a], found[b]), cmp.Compare(a, b)) })
	return names[:min(len(names), maxClose)]
}

// distance is the number of bytes to insert, delete or replace to make b of a
// (Levenshtein 1966).
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replace := diagonal
			if a[i] != b[j] {
				replace++
			}
			diagonal = row[j+1]
			row[j+1] = min(replace, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}
