package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay/internal/knobs"
	"github.com/seed-1318a441/assay/internal/terminal"
)

// PickKnobs returns the knobs of a toolchain whose names contain a word.
func PickKnobs(all knobs.Set, word string) knobs.Set {
	all.Knobs = slices.DeleteFunc(slices.Clone(all.Knobs), func(k knobs.Knob) bool { return !knobs.Matches(k.Name, word) })
	return all
}

// KnobLines returns what a toolchain accepts as text: a table for each kind, with
// descriptions cut to the width, or folded if all is set.
func KnobLines(set knobs.Set, width int, all bool) []string {
	lines := []string{fmt.Sprintf("%s on %s/%s: name, default, description", set.Go, set.GOOS, set.GOARCH)}
	for _, kind := range knobs.Kinds {
		var rows [][]string
		for _, k := range set.Of(kind) {
			rows = append(rows, []string{k.Name, k.Default, describeKnob(k)})
		}
		if len(rows) > 0 {
			lines = append(append(lines, "", kindHeadings[kind]), knobTable(rows, width, all)...)
		}
	}
	return lines
}

// kindHeadings say how to set each kind.
var kindHeadings = map[knobs.Kind]string{
	knobs.KindExperiment: "experiments: GOEXPERIMENT=name turns one on, GOEXPERIMENT=noname off",
	knobs.KindDebug:      "debug keys of the compiler: -gcflags=all=-d=name=value",
	knobs.KindLevel:      "architecture levels: NAME=value for the build",
	knobs.KindGODEBUG:    "GODEBUG settings, for the run; \"before\": the go line of go.mod",
}

// describeKnob returns one line about a knob.
func describeKnob(k knobs.Knob) string {
	switch {
	case k.Kind == knobs.KindLevel:
		return strings.Join(k.Accepted(), ", ")
	case k.Removed != "":
		return "gone in " + k.Removed + ": ignored"
	case k.Kind != knobs.KindGODEBUG:
		return k.Doc
	}
	words := cmp.Or(k.Doc, k.Package)
	if k.Changed != "" {
		words += fmt.Sprintf("; before %s: %s", k.Changed, k.Old)
	}
	return words
}

// knobTable lays rows out in columns, without those that are empty in every row.
func knobTable(rows [][]string, width int, all bool) (lines []string) {
	widths := make([]int, len(rows[0])-1)
	for _, r := range rows {
		for i := range widths {
			widths[i] = max(widths[i], len(r[i]))
		}
	}
	for _, r := range rows {
		lead := " "
		for i, w := range widths {
			if w > 0 {
				lead += fmt.Sprintf(" %-*s ", w, r[i])
			}
		}
		for i, line := range fitDescription(r[len(widths)], width-len(lead)-1, all) {
			if i > 0 {
				lead = strings.Repeat(" ", len(lead))
			}
			lines = append(lines, strings.TrimRight(lead+" "+line, " "))
		}
	}
	return lines
}

// fitDescription folds a description into lines, or cuts it to one.
func fitDescription(text string, width int, all bool) []string {
	text = strings.Join(strings.Fields(text), " ")
	lines := terminal.Wrap(text, width)
	if all || len(lines) == 1 {
		return lines
	}
	// Room for the three dots that the ellipsis is without UTF-8.
	return []string{strings.TrimRight(string([]rune(text)[:max(0, width-3)]), " ,;") + "…"}
}
