package page

import (
	"math"
	"slices"
	"strconv"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/ruler"
	"github.com/seed-1318a441/assay/internal/sheet"
)

// Tables of more than packCells cells are packed on pages whose tables would be more than
// packPage bytes of JSON, at about cellJSON bytes a cell.
const (
	packCells = 2_000
	packPage  = 3 << 20
	cellJSON  = 220
)

// scaleLn is the number of units in 1 of ln(ratio): they are steps of 0.012 %, less than
// any benchmark can tell.
const scaleLn = 8192

// A Packed is the comparisons of a large table as columns: an object has 200 bytes a
// cell, and a column of numbers three. Cells are ordered by variant, then by benchmark.
// What the page does not show (e-values, intervals within layouts) is left out.
type Packed struct {
	Machine int `json:"machine"`
	Table   int `json:"table"`
	// What is "rows", "steps" or "noise".
	What     string   `json:"what"`
	Variants []string `json:"variants"`
	// Benchmarks are left out where they are those of the Packed before.
	Benchmarks []assay.Benchmark `json:"benchmarks,omitempty"`
	// Base has a value for each benchmark, and Value one for each cell. Steps have
	// neither: the rows have them.
	Base  []float64 `json:"base,omitempty"`
	Value []float64 `json:"value,omitempty"`
	// LN is ln(1+change)*8192; Below and Above are the distances of the interval's ends
	// from it, -1 without an interval.
	LN    []int `json:"ln"`
	Below []int `json:"below"`
	Above []int `json:"above"`
	N     []int `json:"n"`
	// Words are indices into the cells of [Words], Kind into Kinds. A cell of kind -1 is
	// not there.
	Words []int      `json:"words"`
	Kind  []int      `json:"kind"`
	Kinds []cellKind `json:"kinds"`
	// Odd has the changes that have no logarithm, by the index of their cell.
	Odd map[int]oddChange `json:"odd,omitempty"`
}

// An oddChange is a change, with its interval, that does not fit the columns.
type oddChange struct {
	Change   assay.Change    `json:"change"`
	Interval *assay.Interval `json:"interval,omitempty"`
}

// A cellKind is the part of a comparison that is one of a few.
type cellKind struct {
	Verdict assay.Verdict `json:"verdict"`
	Exact   bool          `json:"exact,omitempty"`
}

// packed is a page with its words, and with its tables of more than minCells cells packed
// where all of them would be more than minPage bytes. Small ones stay as they are: JSON
// is what anybody can read.
func (p *Page) packed(minCells, minPage int) *Page {
	cells := 0
	for _, m := range p.Machines {
		for _, t := range m.Result.Tables {
			cells += countRows(t) + countSteps(t)
		}
	}
	small := cells*cellJSON <= minPage
	out := *p
	out.Words = p.words()
	out.results(func(machine int, r *assay.Result) { out.rulers = append(out.rulers, p.ruler(machine, r)) })
	ruler.Align(out.rulers...)
	out.results(func(machine int, r *assay.Result) {
		whole := *r
		x := &packer{page: &out, machine: machine, sheet: sheet.New(&whole, true, false)}
		if !small {
			x.pack(r, minCells)
		}
		out.Words.machine(x.sheet, r)
		u := out.rulers[machine]
		w := ruler.WaterfallOf(&whole, u)
		out.waterfalls = append(out.waterfalls, w)
		out.Words.Machines[machine].Large = largeOf(u, w)
	})
	if !small {
		out.shareNames()
		out.Method = append(slices.Clone(p.Method), "large tables hold changes rounded to a hundredth of a percent; result.json has every digit")
	}
	out.Method = out.method()
	return &out
}

// A packer packs the tables of one machine's result.
type packer struct {
	page    *Page
	machine int
	sheet   *sheet.Sheet
}

func (x *packer) pack(r *assay.Result, minCells int) {
	r.Tables = slices.Clone(r.Tables)
	for i := range r.Tables {
		x.table(i, &r.Tables[i], minCells)
	}
	if n := r.Noise.Cells; len(n) > minCells {
		x.cells("noise", 0, sheet.Deciding(r).Metric, []string{r.Noise.Control}, benchmarksOf(n), nil, [][]assay.Comparison{n})
		r.Noise.Cells = nil
	}
}

func countRows(t assay.Table) (n int) {
	for _, r := range t.Rows {
		n += len(r.Cells)
	}
	return n
}

func countSteps(t assay.Table) (n int) {
	for _, s := range t.Steps {
		n += len(s.Cells)
	}
	return n
}

// table packs the rows and the steps of a table. Rows with spreads come from other tools,
// and their cells have other fields.
func (x *packer) table(i int, t *assay.Table, minCells int) {
	spread := slices.ContainsFunc(t.Rows, func(r assay.Row) bool { return r.Spread != nil })
	if countRows(*t) > minCells && !spread {
		x.rows(i, t)
		t.Rows = []assay.Row{}
	}
	if countSteps(*t) > minCells {
		x.steps(i, t)
		t.Steps = slices.Clone(t.Steps)
		for i := range t.Steps {
			t.Steps[i].Cells = nil
		}
	}
}

func (x *packer) rows(table int, t *assay.Table) {
	var variants []string
	at := map[string]int{}
	benchmarks, base := make([]assay.Benchmark, len(t.Rows)), make([]float64, len(t.Rows))
	var cells [][]assay.Comparison
	for i, r := range t.Rows {
		benchmarks[i], base[i] = r.Benchmark, r.Base
		for _, c := range r.Cells {
			if _, ok := at[c.Variant]; !ok {
				at[c.Variant] = len(variants)
				variants, cells = append(variants, c.Variant), append(cells, nil)
			}
			cells[at[c.Variant]] = append(cells[at[c.Variant]], c)
		}
	}
	x.cells("rows", table, t.Metric, variants, benchmarks, base, cells)
}

func (x *packer) steps(table int, t *assay.Table) {
	var variants []string
	var cells [][]assay.Comparison
	var benchmarks []assay.Benchmark
	seen := map[assay.Benchmark]bool{}
	for _, s := range t.Steps {
		variants, cells = append(variants, s.Variant), append(cells, s.Cells)
		for _, c := range s.Cells {
			if !seen[c.Benchmark] {
				seen[c.Benchmark] = true
				benchmarks = append(benchmarks, c.Benchmark)
			}
		}
	}
	x.cells("steps", table, t.Metric, variants, benchmarks, nil, cells)
}

func benchmarksOf(cells []assay.Comparison) []assay.Benchmark {
	out := make([]assay.Benchmark, len(cells))
	for i, c := range cells {
		out[i] = c.Benchmark
	}
	return out
}

// cells packs cells[variant], which have at most one cell a benchmark, in any order. base
// has the values of the benchmarks, or is nil where they are unknown.
func (x *packer) cells(what string, table int, m assay.Metric, variants []string, benchmarks []assay.Benchmark, base []float64, cells [][]assay.Comparison) {
	at := make(map[assay.Benchmark]int, len(benchmarks))
	for i, b := range benchmarks {
		at[b] = i
	}
	n := len(variants) * len(benchmarks)
	p := Packed{Machine: x.machine, Table: table, What: what, Variants: variants, Benchmarks: benchmarks, Base: base,
		LN: make([]int, n), Below: make([]int, n), Above: make([]int, n), N: make([]int, n), Words: make([]int, n), Kind: slices.Repeat([]int{-1}, n),
		Odd: map[int]oddChange{}}
	if what != "steps" {
		p.Value = make([]float64, n)
	}
	for v, list := range cells {
		for _, c := range list {
			j, of := at[c.Benchmark], math.NaN()
			if base != nil {
				of = base[j]
			}
			i := v*len(benchmarks) + j
			p.put(i, c)
			p.Words[i] = x.page.Words.say(x.sheet, m, of, c)
		}
	}
	x.page.Packed = append(x.page.Packed, p)
}

// put fills in a cell.
func (p *Packed) put(i int, c assay.Comparison) {
	k := cellKind{Verdict: c.Verdict, Exact: c.Exact}
	if p.Kind[i] = slices.Index(p.Kinds, k); p.Kind[i] < 0 {
		p.Kind[i], p.Kinds = len(p.Kinds), append(p.Kinds, k)
	}
	p.N[i] = c.N
	if p.Value != nil {
		p.Value[i] = c.Value
		if !c.Exact && c.Value != math.Trunc(c.Value) {
			p.Value[i] = coarse(c.Value)
		}
	}
	p.Below[i], p.Above[i] = -1, -1
	switch {
	case c.Change <= -1, c.Interval != nil && (c.Interval.Lo <= -1 || c.Change < c.Interval.Lo || c.Interval.Hi < c.Change):
		p.Odd[i] = oddChange{c.Change, c.Interval}
	case c.Interval != nil:
		p.Below[i], p.Above[i] = units(c.Change)-units(c.Interval.Lo), units(c.Interval.Hi)-units(c.Change)
		fallthrough
	default:
		p.LN[i] = units(c.Change)
	}
}

func units(c assay.Change) int { return int(math.Round(c.Log() * scaleLn)) }

// coarse rounds a number to six digits.
func coarse(x float64) float64 {
	r, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 6, 64), 64)
	return r
}

// shareNames leaves out the benchmarks of a Packed that are those of the one before:
// 5,000 names are 300 kB.
func (p *Page) shareNames() {
	var last []assay.Benchmark
	for i := range p.Packed {
		if x := &p.Packed[i]; slices.Equal(x.Benchmarks, last) {
			x.Benchmarks = nil
		} else {
			last = x.Benchmarks
		}
	}
}
