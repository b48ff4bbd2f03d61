package page

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis/sample"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/sheet"
)

// An Embed says how much beside the results a page holds.
type Embed string

// How much a page holds. The zero value is EmbedFive.
const (
	EmbedFive Embed = "five" // flame graphs and listings of the five largest changes
	EmbedAll  Embed = "all"  // all of them, and files of any size
	EmbedNone Embed = "none" // none, and neither series, replays nor files
)

// Limits of a page: the bytes of all of it, which a browser opens without delay, and of a
// file in it; the changes that keep flame graphs and listings; and the comparisons up to
// which the page also has its tables as CSV.
const (
	maxPage       = 20 << 20
	maxFile       = 2 << 20
	maxTrees      = 5
	maxTableLines = 500
)

// embedded returns a page with what e keeps of it.
func (p *Page) embedded(e Embed) *Page {
	out := *p
	out.Method = slices.Clone(p.Method)
	if e == EmbedNone {
		out.Series, out.Replays, out.Files = []sample.Series{}, nil, []File{}
	} else {
		out.Files = append(slices.Clone(p.Files), out.tables(e)...)
	}
	if e != EmbedAll {
		out.dropFiles()
	}
	keep := map[Embed]int{EmbedAll: math.MaxInt, EmbedNone: 0}
	n, ok := keep[e]
	if !ok {
		n = maxTrees
	}
	out.results(func(_ int, r *assay.Result) { r.Explanations = trimmed(r.Explanations, n) })
	return &out
}

// tables returns the comparisons of each machine as [sheet.WriteCSV]. Where they are many, the
// method names the command that writes them instead.
func (p *Page) tables(e Embed) (out []File) {
	for i, m := range p.Machines {
		name, lines := "tables.csv", 0
		if len(p.Machines) > 1 {
			name = cmp.Or(m.Result.Run, m.Name) + "-tables.csv"
		}
		for _, t := range m.Result.Tables {
			lines += countRows(t) + countSteps(t)
		}
		if lines > maxTableLines && e != EmbedAll {
			p.Method = append(p.Method, fmt.Sprintf("%s is not in this page for its size: assay report %s -o %[1]s", name, cmp.Or(m.Result.Run, "RUN")))
			continue
		}
		var text strings.Builder
		if err := sheet.WriteCSV(&text, &m.Result); err == nil { // a Builder takes all that is written
			f := File{Name: name, Text: text.String()}
			if lines <= maxTableLines {
				f.Text, f.FiguresOf = withoutFigures(f.Text, &m.Result), i+1
			}
			out = append(out, f)
		}
	}
	return out
}

// withoutFigures returns the text of [sheet.WriteCSV] less the figures of its comparisons.
func withoutFigures(text string, r *assay.Result) string {
	lines := strings.Split(text, "\n")
	i := 1
	for _, t := range r.Tables {
		for _, c := range sheet.Comparisons(r, t) {
			if f := sheet.CSVFigures(c.Comparison); f[0] != "" && f[1] != "" && i < len(lines) {
				lines[i] = strings.Replace(lines[i], ","+strings.Join(f, ",")+",", ","+figuresHere+",", 1)
			}
			i++
		}
	}
	return strings.Join(lines, "\n")
}

// dropFiles leaves out files that are too large. The method names the command for each.
func (p *Page) dropFiles() {
	p.Files = slices.DeleteFunc(slices.Clone(p.Files), func(f File) bool {
		if len(f.Text) <= maxFile {
			return false
		}
		p.Method = append(p.Method, fmt.Sprintf("%s is not in this page for its size, %s: assay export %s > %s", f.Name, megabytes(len(f.Text)), p.Machines[0].Result.Run, f.Name))
		return true
	})
}

// trimmed returns explanations of which only the n with the largest changes keep their
// flame graphs and listings.
func trimmed(list []assay.Explanation, n int) []assay.Explanation {
	if n >= len(list) {
		return list
	}
	order := make([]int, len(list))
	for i := range order {
		order[i] = i
	}
	size := func(i int) float64 { return math.Abs(list[i].Comparison.Change.Log()) }
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(size(j), size(i)) })
	list = slices.Clone(list)
	for _, i := range order[n:] {
		list[i] = withoutTrees(list[i])
	}
	return list
}

func withoutTrees(e assay.Explanation) assay.Explanation {
	if e.CPU != nil {
		cpu := *e.CPU
		cpu.Flame = nil
		e.CPU = &cpu
	}
	if e.Code != nil {
		code := *e.Code
		code.Functions = slices.Clone(code.Functions)
		for i := range code.Functions {
			code.Functions[i].Listing = nil
		}
		e.Code = &code
	}
	return e
}

// tooLarge returns the error for a page of so many bytes. It names the largest parts.
func (p *Page) tooLarge(size int) error {
	parts := p.sizes()
	var facts []string
	for _, x := range parts[:min(3, len(parts))] {
		facts = append(facts, fmt.Sprintf("%s: %s", x.name, megabytes(x.size)))
	}
	return &assay.Error{Exit: assay.ExitRefused, Warning: assay.Warning{Code: assay.CodeReportSize,
		Text:  fmt.Sprintf("the page of %s would be %s; browsers are happy with %s at most", printable.Clean(p.Machines[0].Result.Study), megabytes(size), megabytes(maxPage)),
		Facts: facts, Advice: "--embed=none   (leaves out explanations' trees, series, replays and files)"}}
}

type part struct {
	name string
	size int
}

// sizes returns the parts of a page by the size of their JSON, the largest first.
func (p *Page) sizes() []part {
	out := []part{{"series", sizeOf(p.Series)}, {"replay", sizeOf(p.Replays)}, {"tables, packed", sizeOf(p.Packed)}}
	for _, f := range p.Files {
		out = append(out, part{f.Name, len(f.Text)})
	}
	for _, m := range p.Machines {
		r, on := m.Result, ""
		if len(p.Machines) > 1 {
			on = " of " + printable.Clean(m.Name)
		}
		out = append(out, part{"tables" + on, sizeOf(r.Tables)}, part{"explanations" + on, sizeOf(r.Explanations)},
			part{"latencies and cycles" + on, sizeOf(r.Latencies) + sizeOf(r.GCs)}, part{"steps" + on, sizeOf(r.Arc)})
	}
	slices.SortStableFunc(out, func(a, b part) int { return b.size - a.size })
	return out
}

func sizeOf(v any) int {
	text, err := marshal(v)
	if err != nil {
		return 0
	}
	return len(text)
}

func megabytes(n int) string {
	return strings.TrimSuffix(fmt.Sprintf("%.1f", float64(n)/1e6), ".0") + " MB"
}
