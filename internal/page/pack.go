package page

import (
	"encoding/base64"
	"encoding/binary"
	"math"
	"slices"
	"strconv"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/sheet"
)

// Tables of more than packCells cells are packed on pages whose tables would be
// more than packPage bytes of JSON, at about cellJSON a cell.
const (
	packCells = 2_000
	packPage  = 3 << 20
	cellJSON  = 220
)

// scaleLn is the number of units in 1 of ln(ratio): an int16 reaches from 1/54
// to 54 in steps of 0.012 %, less than any benchmark can tell.
const scaleLn = 8192

// Marks of a packed cell: it has no interval; it is not there at all.
const (
	noInterval = math.MaxUint16
	noCell     = math.MaxUint8
)

// A Packed is the comparisons of a large table as columns: JSON has 200 bytes a
// cell, this has five. A column is base64 of little-endian numbers, the first
// bytes of all in front, then the second ones. Cells are ordered by variant, then
// by benchmark. What the page does not show (e-values, intervals within layouts)
// is left out.
type Packed struct {
	Machine int `json:"machine"`
	Table   int `json:"table"`
	// What is "rows", "steps" or "noise".
	What     string   `json:"what"`
	Variants []string `json:"variants"`
	// Benchmarks are left out where they are those of the Packed before.
	Benchmarks []assay.Benchmark `json:"benchmarks,omitempty"`
	// LN is int16 of ln(1+change)*8192, Below and Above uint16 distances of the
	// interval's ends from it, 65535 for no interval.
	LN    string `json:"ln"`
	Below string `json:"below"`
	Above string `json:"above"`
	// Base is float64, one a benchmark; Value is float32. Steps have neither: the
	// rows have them.
	Base  string `json:"base,omitempty"`
	Value string `json:"value,omitempty"`
	// N is uint16, Words is uint32, an index into the cells of [Words].
	N     string `json:"n"`
	Words string `json:"words"`
	// Kinds are what many cells have in common, Kind is the uint8 index into them;
	// 255 is a cell that is not there.
	Kinds []cellKind `json:"kinds"`
	Kind  string     `json:"kind"`
	// Rest has the fields of the few cells that do not fit.
	Rest map[string]map[string]any `json:"rest,omitempty"`
}

// A cellKind is the part of a comparison that is one of a few.
type cellKind struct {
	Verdict assay.Verdict `json:"verdict"`
	Exact   bool          `json:"exact,omitempty"`
}

// pack is a page with its words, and with its large tables packed. Small ones stay
// as they are: JSON is what anybody can read.
func (p *Page) pack() *Page { return p.packOver(packCells, packPage) }

func (p *Page) packOver(minCells, minPage int) *Page {
	cells := 0
	for _, m := range p.Machines {
		for _, t := range m.Result.Tables {
			cells += countRows(t) + countSteps(t)
		}
	}
	small := cells*cellJSON <= minPage
	out := *p
	out.Words = p.words()
	out.results(func(machine int, r *assay.Result) {
		whole := *r
		x := &packer{page: &out, machine: machine, sheet: sheet.New(&whole, true, false)}
		if !small {
			x.pack(r, minCells)
		}
		out.Words.machine(x.sheet, r)
	})
	if !small {
		out.shareNames()
		out.Method = append(slices.Clone(p.Method), "large tables hold changes rounded to a hundredth of a percent; result.json has every digit")
	}
	out.Method = out.method()
	return &out
}

// A packer packs the tables of one machine.
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

// table packs the rows and the steps of a table. Rows with spreads are results of
// others, whose cells have other fields.
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

// cells packs cells[variant], which hold a cell a benchmark at most, in any order.
// base has the values of the benchmarks, or is nil where they are not known.
func (x *packer) cells(what string, table int, m assay.Metric, variants []string, benchmarks []assay.Benchmark, base []float64, cells [][]assay.Comparison) {
	at := make(map[assay.Benchmark]int, len(benchmarks))
	for i, b := range benchmarks {
		at[b] = i
	}
	c := newCellColumns(len(variants) * len(benchmarks))
	for v, list := range cells {
		for _, y := range list {
			j, of := at[y.Benchmark], math.NaN()
			if base != nil {
				of = base[j]
			}
			i := v*len(benchmarks) + j
			c.put(i, y, base != nil, base != nil && of != 0)
			c.words[i] = uint32(x.page.Words.say(x.sheet, m, of, y))
		}
	}
	p := Packed{Machine: x.machine, Table: table, What: what, Variants: variants, Benchmarks: benchmarks,
		LN: packColumn(c.ln), Below: packColumn(c.below), Above: packColumn(c.above), N: packColumn(c.n),
		Words: packColumn(c.words), Kinds: c.kinds, Kind: packColumn(c.kind), Rest: c.rest}
	if what != "steps" {
		p.Value = packColumn(c.value)
	}
	if base != nil {
		p.Base = packColumn(base)
	}
	x.page.Packed = append(x.page.Packed, p)
}

// cellColumns are the columns while they are filled.
type cellColumns struct {
	ln              []int16
	below, above, n []uint16
	words           []uint32
	value           []float32
	kind            []uint8
	kinds           []cellKind
	rest            map[string]map[string]any
}

func newCellColumns(n int) *cellColumns {
	c := &cellColumns{ln: make([]int16, n), below: make([]uint16, n), above: make([]uint16, n), n: make([]uint16, n),
		words: make([]uint32, n), value: make([]float32, n), kind: make([]uint8, n), rest: map[string]map[string]any{}}
	for i := range n {
		c.kind[i] = noCell
	}
	return c
}

// put fills in a cell. valued says that the value counts, based that the change
// of an exact cell follows from it.
func (c *cellColumns) put(i int, x assay.Comparison, valued, based bool) {
	k := cellKind{Verdict: x.Verdict, Exact: x.Exact}
	at := slices.Index(c.kinds, k)
	if at < 0 {
		at, c.kinds = len(c.kinds), append(c.kinds, k)
	}
	c.kind[i] = uint8(at)
	c.n[i] = uint16(min(x.N, math.MaxUint16))
	c.value[i] = coarse(x.Value)
	if x.Value == math.Trunc(x.Value) {
		c.value[i] = float32(x.Value)
	}
	if valued && x.Exact && float64(c.value[i]) != x.Value {
		c.set(i, "value", x.Value)
	}
	if !(x.Exact && based) {
		c.putChange(i, x)
	} else if c.below[i] = noInterval; x.Interval != nil {
		c.set(i, "interval", x.Interval)
	}
}

// putChange packs the change with its interval, or keeps both aside where they do
// not fit.
func (c *cellColumns) putChange(i int, x assay.Comparison) {
	c.below[i], c.above[i] = noInterval, noInterval
	ln, ok := units(x.Change.Log())
	if !ok || ln > math.MaxInt16 || ln < math.MinInt16 {
		c.set(i, "change", x.Change)
		if x.Interval != nil {
			c.set(i, "interval", x.Interval)
		}
		return
	}
	c.ln[i] = int16(ln)
	if x.Interval == nil {
		return
	}
	lo, okLo := units(x.Interval.Lo.Log())
	hi, okHi := units(x.Interval.Hi.Log())
	if !okLo || !okHi || ln < lo || hi < ln || ln-lo >= noInterval || hi-ln >= noInterval {
		c.set(i, "interval", x.Interval)
		return
	}
	c.below[i], c.above[i] = uint16(ln-lo), uint16(hi-ln)
}

func units(ln float64) (n int, ok bool) {
	if sheet.NotFinite(ln) {
		return 0, false
	}
	return int(math.Round(ln * scaleLn)), true
}

func (c *cellColumns) set(i int, field string, v any) {
	key := strconv.Itoa(i)
	if c.rest[key] == nil {
		c.rest[key] = map[string]any{}
	}
	c.rest[key][field] = v
}

// coarse rounds a number to 18 bits, which is five digits: the bits that are zero
// then pack well.
func coarse(x float64) float32 {
	const dropped = 6 // of the 24 bits that a float32 has
	bits := math.Float32bits(float32(x))
	return math.Float32frombits((bits + 1<<(dropped-1)) &^ (1<<dropped - 1))
}

// packColumn is a column as text: the bytes of all numbers by their place.
func packColumn[T int16 | uint16 | uint32 | uint8 | float32 | float64](x []T) string {
	raw, err := binary.Append(nil, binary.LittleEndian, x)
	if err != nil || len(x) == 0 {
		return "" // no type of the list above fails
	}
	size := len(raw) / len(x)
	out := make([]byte, len(raw))
	for i := range x {
		for j := range size {
			out[j*len(x)+i] = raw[i*size+j]
		}
	}
	return base64.StdEncoding.EncodeToString(out)
}

// shareNames leaves out the benchmarks of a Packed that are those of the one
// before: 5,000 names are 300 kB.
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
