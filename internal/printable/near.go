package printable

import (
	"cmp"
	"slices"
	"strings"
)

// maxNames is the maximum number of names that NearestNames returns.
const maxNames = 3

// NearestNames returns up to three known names that word may mean, nearest first: those
// within an edit distance of a third of its length, rounded to the nearest number, and
// those that contain it or are contained in it, ignoring case. It returns none if a guess
// would only mislead: two letters of four make another word.
func NearestNames(word string, known []string) []string {
	type candidate struct {
		name     string
		distance int
	}
	word = strings.ToLower(word)
	limit := (len(word) + 1) / 3
	var found []candidate
	for _, k := range known {
		name := strings.ToLower(k)
		// Less than the difference of the lengths it cannot be, and where one is in
		// the other it is just that.
		d := max(len(name)-len(word), len(word)-len(name))
		switch {
		case overlaps(word, name):
		case d > limit:
			continue
		default:
			// Names with nothing in common are never close, however short.
			if d = distance(word, name); d > limit || d >= len(word) {
				continue
			}
		}
		found = append(found, candidate{k, d})
	}
	slices.SortStableFunc(found, func(a, b candidate) int { return cmp.Compare(a.distance, b.distance) })
	var out []string
	for _, c := range found[:min(len(found), maxNames)] {
		out = append(out, c.name)
	}
	return out
}

// NearestName returns the nearest of the known names, "" where none is near.
func NearestName(word string, known []string) string {
	if names := NearestNames(word, known); len(names) > 0 {
		return names[0]
	}
	return ""
}

// overlaps reports whether one name contains enough of the other to mean something:
// "sizespec" in "sizespecializedmalloc".
func overlaps(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	return len(a) >= 4 && strings.Contains(b, a)
}

// distance is the number of bytes to insert, delete, replace or swap with their neighbour
// to turn a into b: the optimal string alignment distance (Boytsov 2011, "Indexing
// methods for approximate dictionary searching").
func distance(a, b string) int {
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			replace := rows[i-1][j-1]
			if a[i-1] != b[j-1] {
				replace++
			}
			rows[i][j] = min(replace, rows[i-1][j]+1, rows[i][j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
		}
	}
	return rows[len(a)][len(b)]
}
