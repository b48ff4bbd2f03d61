package cmdline

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/spec"
)

// A label is one word of a variant, in full and as in a name.
type label struct {
	full, short string
	// source is true for the word that says where the code comes from.
	source bool
}

func (p *variantParser) label(full, short string) {
	p.labels = append(p.labels, label{full: full, short: short})
}

// nameVariants gives variants without a name the shortest one that distinguishes them:
// the words that not all have, or all words if that is nothing or not enough.
func nameVariants(vs []assay.Variant, labels [][]label) {
	taken := map[string]bool{assay.ControlName: true}
	for _, v := range vs {
		taken[v.Name] = true
	}
	for i := range vs {
		if vs[i].Name == "" {
			vs[i].Name = firstFree(taken, names(labels, i))
			taken[vs[i].Name] = true
		}
	}
}

// names returns the names for the i-th variant, the best first.
func names(labels [][]label, i int) []string {
	var differing, all []string
	var full []string
	for _, l := range labels[i] {
		all, full = append(all, l.short), append(full, l.full)
		if !shared(labels, l) {
			differing = append(differing, l.short)
		}
	}
	var out []string
	for _, words := range [][]string{differing, all, full} {
		if len(words) > 0 {
			out = append(out, strings.Join(words, " "))
		}
	}
	if len(out) == 0 {
		out = []string{spec.WorkingTree}
	}
	return out
}

// shared reports whether all variants have the label.
func shared(labels [][]label, l label) bool {
	for _, list := range labels {
		if !slices.Contains(list, l) {
			return false
		}
	}
	return true
}

// firstFree returns the first free name, or a numbered one if variants are identical.
func firstFree(taken map[string]bool, names []string) string {
	for _, n := range names {
		if !taken[n] {
			return n
		}
	}
	for i := 2; ; i++ {
		if n := fmt.Sprintf("%s #%d", names[0], i); !taken[n] {
			return n
		}
	}
}
