package record

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchproc"

	"github.com/seed-1318a441/assay"
)

// A Selection says which results are read, and what distinguishes variants.
type Selection struct {
	// Filter is benchproc's filter expression; "" selects everything.
	Filter string
	// By is benchproc's key, such as "/format" or "goos", or a regular expression whose
	// one group is cut out of the name, such as "/func_(.+)". "" is variant, else the
	// file.
	By string
}

// Import reads Go benchmark output into samples. A file without a result is an error.
func Import(fsys fs.FS, names []string, sel Selection) (*assay.Samples, error) {
	im := &importer{index: map[sampleKey]int{}, better: map[string]assay.Better{}, blocked: true}
	var err error
	if im.filter, err = benchproc.NewFilter(cmp.Or(sel.Filter, "*")); err != nil {
		return nil, fmt.Errorf("filter %q: %w", sel.Filter, err)
	}
	if im.split, err = splitter(sel.By); err != nil {
		return nil, err
	}
	for _, name := range names {
		before := im.results
		if err := im.file(fsys, name); err != nil {
			return nil, err
		}
		if im.results == before {
			return nil, fmt.Errorf("read %s: no benchmark result that the filter lets pass", name)
		}
	}
	return im.samples(names)
}

// An importer gathers samples over files.
type importer struct {
	filter *benchproc.Filter
	split  func(r *benchfmt.Result) (variant string, name []byte, err error)

	results int
	index   map[sampleKey]int
	s       assay.Samples
	better  map[string]assay.Better // by metric
	cpus    []string
	blocked bool // every result so far names its block
}

type sampleKey struct {
	pkg, name, variant, metric string
}

// splitter returns the function that splits a result into its variant and its name.
func splitter(by string) (func(*benchfmt.Result) (string, []byte, error), error) {
	if by == "" {
		return func(r *benchfmt.Result) (string, []byte, error) {
			return r.GetConfig("variant"), r.Name.Full(), nil
		}, nil
	}
	if strings.Contains(by, "(") {
		return splitName(by)
	}
	var p benchproc.ProjectionParser
	key, err := p.Parse(by, nil)
	if err != nil {
		return nil, fmt.Errorf("key %q: %w", by, err)
	}
	rest, err := p.Parse(".fullname", nil)
	if err != nil {
		return nil, fmt.Errorf("key %q: %w", by, err)
	}
	return func(r *benchfmt.Result) (string, []byte, error) {
		return key.Project(r).StringValues(), []byte(rest.Project(r).StringValues()), nil
	}, nil
}

func splitName(by string) (func(*benchfmt.Result) (string, []byte, error), error) {
	re, err := regexp.Compile(by)
	if err != nil || re.NumSubexp() != 1 {
		return nil, fmt.Errorf("key %q is not a key or a regular expression with one (group)", by)
	}
	return func(r *benchfmt.Result) (string, []byte, error) {
		m := re.FindSubmatchIndex(r.Name)
		if m == nil {
			return "", nil, errSkip
		}
		return string(r.Name[m[2]:m[3]]), slices.Concat(r.Name[:m[0]], r.Name[m[1]:]), nil
	}, nil
}

// errSkip is the error for a result without a variant, which is ignored.
var errSkip = errors.New("no variant")

func (im *importer) file(fsys fs.FS, name string) error {
	f, err := fsys.Open(name)
	if err != nil {
		return fmt.Errorf("read results: %w", err)
	}
	defer f.Close()
	r := benchfmt.NewReader(uncomment(f), name)
	for r.Scan() {
		switch rec := r.Result().(type) {
		case *benchfmt.Result:
			if err := im.result(rec); err != nil {
				return err
			}
		case *benchfmt.UnitMetadata:
			if rec.Key == "better" {
				metric, _ := untidied(benchfmt.Value{Unit: rec.Unit, OrigUnit: rec.OrigUnit})
				im.metric(metric)
				var better assay.Better
				if err := better.UnmarshalText([]byte(rec.Value)); err != nil {
					return at(rec, err)
				}
				im.better[metric] = better
			}
		}
	}
	if err := r.Err(); err != nil {
		return fmt.Errorf("read %s: %w", name, err)
	}
	return nil
}

// at adds file and line to an error.
func at(rec benchfmt.Record, err error) error {
	file, line := rec.Pos()
	return fmt.Errorf("%s:%d: %w", file, line, err)
}

// metric adds a metric unless it is known.
func (im *importer) metric(name string) {
	if _, known := im.better[name]; !known {
		im.better[name] = assay.KnownBetter(name)
		im.s.Metrics = append(im.s.Metrics, assay.Metric{Name: name})
	}
}

func (im *importer) result(r *benchfmt.Result) error {
	if ok, err := im.filter.Apply(r); err != nil || !ok {
		return nil // a result that the filter cannot evaluate does not pass it
	}
	variant, name, err := im.split(r)
	if errors.Is(err, errSkip) {
		return nil
	}
	if err != nil {
		return err
	}
	if variant == "" {
		variant, _ = r.Pos()
	}
	im.results++
	im.platform(r)
	block, err := strconv.Atoi(r.GetConfig("block"))
	if err != nil {
		block, im.blocked = 0, false
	}
	key := sampleKey{pkg: r.GetConfig("pkg"), name: string(name), variant: variant}
	for _, v := range r.Values {
		metric, value := untidied(v)
		if math.IsNaN(value) || math.IsInf(value, 0) {
			return at(r, fmt.Errorf("%g %s is no number that can be compared", value, metric))
		}
		key.metric = metric
		im.add(key, block, value)
	}
	return nil
}

// untidied returns the metric and value as package collect reads them: seconds and bytes
// per second for ns/op and MB/s, every other unit as printed. benchfmt makes p99-sec of
// p99-ns and multiplies by 1e-9, which is inexact; dividing by 1e9 keeps the digits.
func untidied(v benchfmt.Value) (metric string, value float64) {
	switch v.OrigUnit {
	case "":
		return v.Unit, v.Value
	case "ns/op":
		return v.Unit, v.OrigValue / 1e9
	case "MB/s":
		return v.Unit, v.OrigValue * 1e6
	}
	return v.OrigUnit, v.OrigValue
}

func (im *importer) add(key sampleKey, block int, value float64) {
	i, ok := im.index[key]
	if !ok {
		i = len(im.s.Samples)
		im.index[key] = i
		im.metric(key.metric)
		if !slices.Contains(im.s.Variants, key.variant) {
			im.s.Variants = append(im.s.Variants, key.variant)
		}
		im.s.Samples = append(im.s.Samples, assay.Sample{
			Benchmark: assay.Benchmark{Package: key.pkg, Name: key.name}, Variant: key.variant, Metric: key.metric})
	}
	s := &im.s.Samples[i]
	s.Values = append(s.Values, value)
	s.Blocks = append(s.Blocks, block)
}

func (im *importer) platform(r *benchfmt.Result) {
	p := &im.s.Platform
	p.GOOS, p.GOARCH = cmp.Or(p.GOOS, r.GetConfig("goos")), cmp.Or(p.GOARCH, r.GetConfig("goarch"))
	im.s.Base, im.s.Control = cmp.Or(im.s.Base, r.GetConfig("base")), cmp.Or(im.s.Control, r.GetConfig("control"))
	if k, err := strconv.Atoi(r.GetConfig("layouts")); err == nil && k > 1 {
		im.s.Layouts = k
	}
	if cpu := r.GetConfig("cpu"); cpu != "" && !slices.Contains(im.cpus, cpu) {
		im.cpus = append(im.cpus, cpu)
		p.CPU = im.cpus[0]
	}
}

// samples ends the import and returns its samples.
func (im *importer) samples(names []string) (*assay.Samples, error) {
	s := &im.s
	s.Names = names
	if len(s.Variants) < 2 {
		return nil, fmt.Errorf("read results: only one variant, %q: give two files, or separate the variants with --by", s.Variants[0])
	}
	for i, m := range s.Metrics {
		s.Metrics[i].Better = im.better[m.Name]
	}
	if im.blocked {
		return s, nil
	}
	for i := range s.Samples {
		s.Samples[i].Blocks = nil
	}
	s.Mixed = append(s.Mixed, "the results do not say which runs belong together")
	if len(im.cpus) > 1 {
		s.Mixed = append(s.Mixed, "cpu: "+quoted(im.cpus))
	}
	return s, nil
}

// quoted returns `"a" and "b"`.
func quoted(names []string) string {
	var out []string
	for _, n := range names {
		out = append(out, strconv.Quote(n))
	}
	return strings.Join(out, " and ")
}

// maxLine is the longest line that can be a result; benchfmt's scanner stops at 64 KiB.
const maxLine = 60 << 10

// uncomment makes "# block: 3" of our exports configuration, and drops overlong lines.
func uncomment(r io.Reader) io.Reader {
	pr, pw := io.Pipe()
	go func() {
		in, out := bufio.NewReaderSize(r, maxLine), bufio.NewWriterSize(pw, 1<<16)
		var err error
		for err == nil {
			var line []byte
			line, err = in.ReadSlice('\n')
			for errors.Is(err, bufio.ErrBufferFull) {
				_, err = in.ReadSlice('\n')
				line = nil
			}
			if ours.Match(line) {
				line = line[len("# "):]
			}
			if _, werr := out.Write(line); werr != nil {
				return // the reader has been closed
			}
		}
		if errors.Is(err, io.EOF) {
			err = nil
		}
		pw.CloseWithError(errors.Join(err, out.Flush()))
	}()
	return pr
}

// ours matches the lines of our own exports that Import understands.
var ours = regexp.MustCompile(`^# (block|base|control|layouts): `)
