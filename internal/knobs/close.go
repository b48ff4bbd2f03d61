package knobs

import (
	"cmp"
	"slices"
	"strings"
)

// maxClose is how many near names are worth reading in an error message.
const maxClose = 3

// Close returns up to three of the known names that somebody who wrote name
// may have meant, nearest first: those within an edit distance of a third of
// its length, then those that contain it or are contained in it. It is empty
// where a guess would only mislead.
func Close(name string, known []string) []string {
	type candidate struct {
		name     string
		distance int
	}
	limit := (len(name) + 2) / 3
	var found []candidate
	for _, k := range known {
		d := distance(strings.ToLower(name), strings.ToLower(k))
		// Names with nothing in common are never close, however short.
		if (d > limit || d >= len(name)) && !overlaps(name, k) {
			continue
		}
		found = append(found, candidate{k, d})
	}
	slices.SortStableFunc(found, func(a, b candidate) int { return cmp.Compare(a.distance, b.distance) })
	var out []string
	for _, c := range found[:min(len(found), maxClose)] {
		out = append(out, c.name)
	}
	return out
}

// overlaps reports whether one name holds the other, and enough of it to mean
// something: "sizespec" in "sizespecializedmalloc".
func overlaps(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	return len(a) >= 4 && strings.Contains(strings.ToLower(b), strings.ToLower(a))
}

// distance is the number of bytes to insert, delete, replace or swap with
// their neighbour to make b of a: the optimal string alignment distance
// (Boytsov 2011, "Indexing methods for approximate dictionary searching").
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

// listed returns words after lead, folded into lines of at most 90 bytes.
func listed(lead string, words []string) []string {
	var lines []string
	line := lead
	for i, w := range words {
		if i < len(words)-1 {
			w += ", "
		}
		if len(line)+len(w) > 90 {
			lines = append(lines, strings.TrimRight(line, " "))
			line = "  "
		}
		line += w
	}
	return append(lines, line)
}
