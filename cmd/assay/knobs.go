package main

import (
	"encoding/json"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/knobs"
	"github.com/seed-1318a441/assay/internal/knobset"
)

// knobsFlags say which knobs, and how to print them.
type knobsFlags struct {
	goos, goarch string
	json         bool
}

func newKnobs(c *console) *cobra.Command {
	var f knobsFlags
	cmd := &cobra.Command{
		Use:   "knobs [flags] [TOOLCHAIN [TOOLCHAIN]] [WORD]",
		Short: "What a toolchain accepts, and its defaults; of two, the difference",
		Long: "List what a toolchain accepts and what it does by default: experiments, debug\nkeys of its compiler, architecture levels and GODEBUG settings. With two\n" +
			"toolchains, print what appeared, vanished or changed its default from the first\nto the second. With a word that names no toolchain, print only what contains it.",
		Example:               "  assay knobs go1.26.8\n  assay knobs go1.25.7 go1.27.2\n  assay knobs go1.26.8 malloc",
		DisableFlagsInUseLine: true,
		Args:                  atMost(3),
	}
	cmd.Flags().StringVar(&f.goos, "goos", runtime.GOOS, "defaults for this `GOOS`")
	cmd.Flags().StringVar(&f.goarch, "goarch", runtime.GOARCH, "defaults for this `GOARCH`")
	cmd.Flags().BoolVar(&f.json, "json", false, "print the list as JSON")
	cmd.Flags().BoolVar(&c.all, "all", false, "print descriptions in full, on several lines where needed")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		toolchains, filter, err := knobsArgs(args)
		if err != nil {
			return err
		}
		sets, err := knobset.Read(cmd.Context(), toolchains, f.goos, f.goarch, func(name string) {
			if !c.quiet {
				fmt.Fprintf(c.stderr, "assay: %s is not here yet: asking for it\n", c.err().Text(name))
			}
		})
		if err != nil {
			return err
		}
		if filter != "" {
			if err := knobset.CheckWord(cmd.Context(), filter, sets); err != nil {
				return err
			}
			c.all = true // few lines, with room for whole descriptions
		}
		if len(sets) == 2 {
			return printDiff(c, f, sets, filter)
		}
		return printSet(c, f, sets[0].Set, filter)
	}
	return cmd
}

// knobsArgs tells toolchains from the word to look for. No toolchain is the one
// in use.
func knobsArgs(args []string) (toolchains []string, filter string, err error) {
	for _, a := range args {
		switch {
		case knobset.ToolchainName.MatchString(a):
			toolchains = append(toolchains, a)
		case filter != "":
			return nil, "", assay.UsageError(assay.CodeFlags, fmt.Sprintf("%q and %q: there is one word to look for", filter, a), "assay knobs --help")
		default:
			filter = a
		}
	}
	switch len(toolchains) {
	case 0:
		toolchains = []string{""}
	case 3:
		return nil, "", assay.UsageError(assay.CodeFlags, fmt.Sprintf("%q is one toolchain too many for assay knobs", toolchains[2]), "assay knobs --help")
	}
	return toolchains, filter, nil
}

// kindHeadings say how each kind is set.
var kindHeadings = map[knobs.Kind]string{
	knobs.KindExperiment: "experiments: GOEXPERIMENT=name turns one on, GOEXPERIMENT=noname off",
	knobs.KindDebug:      "debug keys of the compiler: -gcflags=all=-d=name=value",
	knobs.KindLevel:      "architecture levels: NAME=value for the build",
	knobs.KindGODEBUG:    "GODEBUG settings, for the run; \"before\": the go line of go.mod",
}

func printSet(c *console, f knobsFlags, s knobs.Set, word string) error {
	s.Knobs = slices.DeleteFunc(s.Knobs, func(k knobs.Knob) bool { return !knobset.Matches(k.Name, word) })
	if f.json {
		return printJSON(c, s)
	}
	c.print(fmt.Sprintf("%s on %s/%s: name, default, description", s.Go, s.GOOS, s.GOARCH))
	for _, kind := range knobs.Kinds {
		var rows [][]string
		for _, k := range s.Of(kind) {
			rows = append(rows, []string{k.Name, k.Default, describeKnob(k)})
		}
		c.printKnobs(kind, rows)
	}
	return nil
}

func printDiff(c *console, f knobsFlags, sets []knobset.Set, word string) error {
	from, to := sets[0].Set, sets[1].Set
	changes := slices.DeleteFunc(knobs.Diff(from, to), func(d knobs.Change) bool { return !knobset.Matches(d.Name, word) })
	if f.json {
		return printJSON(c, struct {
			Old     string         `json:"old"`
			New     string         `json:"new"`
			GOOS    string         `json:"goos"`
			GOARCH  string         `json:"goarch"`
			Changes []knobs.Change `json:"changes"`
		}{from.Go, to.Go, from.GOOS, from.GOARCH, append([]knobs.Change{}, changes...)})
	}
	c.print(fmt.Sprintf("from %s to %s on %s/%s: name, default, description", from.Go, to.Go, from.GOOS, from.GOARCH))
	if len(changes) == 0 {
		c.print("nothing appeared, vanished or changed its default")
	}
	for _, kind := range knobs.Kinds {
		var rows [][]string
		for _, d := range changes {
			if d.Kind == kind {
				rows = append(rows, changeRow(d))
			}
		}
		c.printKnobs(kind, rows)
	}
	return nil
}

func changeRow(d knobs.Change) []string {
	k := d.New
	if k == nil {
		k = d.Old
	}
	def := k.Default
	if d.What == knobs.Changed && d.Old.Default != d.New.Default {
		def = orNone(d.Old.Default) + " -> " + orNone(d.New.Default)
	}
	return []string{d.What, d.Name, def, describeKnob(*k)}
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}

// describeKnob is one line about a knob.
func describeKnob(k knobs.Knob) string {
	switch {
	case k.Kind == knobs.KindLevel:
		return strings.Join(k.Accepted(), ", ")
	case k.Removed != "":
		return "gone in " + k.Removed + ": ignored"
	case k.Kind != knobs.KindGODEBUG:
		return k.Doc
	}
	words := k.Package
	if k.Doc != "" {
		words = k.Doc
	}
	if k.Changed != "" {
		words += fmt.Sprintf("; before %s: %s", k.Changed, k.Old)
	}
	return words
}

// printKnobs prints the rows of a kind below its heading: columns, and behind
// them a description cut to the line, or folded with --all.
func (c *console) printKnobs(kind knobs.Kind, rows [][]string) {
	if len(rows) == 0 {
		return
	}
	c.print("")
	c.print(kindHeadings[kind])
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
		for i, line := range c.fit(r[len(widths)], c.out().Width-len(lead)-1) {
			if i > 0 {
				lead = strings.Repeat(" ", len(lead))
			}
			c.print(strings.TrimRight(lead+" "+line, " "))
		}
	}
}

// fit folds a description into lines, or cuts it to one.
func (c *console) fit(text string, width int) []string {
	words := strings.Fields(text)
	lines := []string{""}
	for _, w := range words {
		last := &lines[len(lines)-1]
		switch {
		case *last == "":
			*last = w
		case utf8.RuneCountInString(*last)+1+utf8.RuneCountInString(w) <= width:
			*last += " " + w
		default:
			lines = append(lines, w)
		}
	}
	if c.all || len(lines) == 1 {
		return lines
	}
	// Room for the three dots that the ellipsis is without UTF-8.
	one := []rune(strings.Join(words, " "))
	return []string{strings.TrimRight(string(one[:max(0, width-3)]), " ,;") + "…"}
}

// printJSON prints a value of our own making.
func printJSON(c *console, v any) error {
	b, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.stdout, "%s\n", b)
	return err
}
