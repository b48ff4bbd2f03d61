package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay/internal/knobs"
	"github.com/seed-1318a441/assay/internal/terminal"
)

// A KnobList is what one toolchain accepts, or how two differ.
type KnobList struct {
	// JSON is the list as --json prints it.
	JSON any
	// head is the line above the tables. The rows of a table end with a description.
	head string
	rows map[knobs.Kind][][]string
}

// PickKnobs returns what a toolchain accepts, or the difference of two sets, for knobs whose
// names contain a word.
func PickKnobs(sets []knobs.Set, word string) *KnobList {
	from, rows := sets[0], map[knobs.Kind][][]string{}
	if len(sets) == 1 {
		from.Knobs = slices.DeleteFunc(slices.Clone(from.Knobs), func(k knobs.Knob) bool { return !knobs.Matches(k.Name, word) })
		for _, k := range from.Knobs {
			rows[k.Kind] = append(rows[k.Kind], []string{k.Name, k.Default, describeKnob(k)})
		}
		return &KnobList{from, fmt.Sprintf("%s on %s/%s: name, default, description", from.Go, from.GOOS, from.GOARCH), rows}
	}
	to := sets[1]
	changes := slices.DeleteFunc(knobs.Diff(from, to), func(d knobs.Change) bool { return !knobs.Matches(d.Name, word) })
	for _, d := range changes {
		rows[d.Kind] = append(rows[d.Kind], changeRow(d))
	}
	head := fmt.Sprintf("from %s to %s on %s/%s: name, default, description", from.Go, to.Go, from.GOOS, from.GOARCH)
	if len(changes) == 0 {
		head += "\nnothing appeared, vanished or changed its default"
	}
	return &KnobList{struct {
		Old     string         `json:"old"`
		New     string         `json:"new"`
		GOOS    string         `json:"goos"`
		GOARCH  string         `json:"goarch"`
		Changes []knobs.Change `json:"changes"`
	}{from.Go, to.Go, from.GOOS, from.GOARCH, append([]knobs.Change{}, changes...)}, head, rows}
}

// Lines returns the list as text: a table for each kind, with descriptions cut to the
// width, or folded if all is set.
func (l *KnobList) Lines(width int, all bool) []string {
	lines := strings.Split(l.head, "\n")
	for _, kind := range knobs.Kinds {
		if len(l.rows[kind]) > 0 {
			lines = append(append(lines, "", kindHeadings[kind]), knobTable(l.rows[kind], width, all)...)
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

func changeRow(d knobs.Change) []string {
	k := cmp.Or(d.New, d.Old)
	def := k.Default
	if d.What == knobs.Changed && d.Old.Default != d.New.Default {
		def = cmp.Or(d.Old.Default, "none") + " -> " + cmp.Or(d.New.Default, "none")
	}
	return []string{d.What, d.Name, def, describeKnob(*k)}
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
