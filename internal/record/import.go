package record

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchproc"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/benchfile"
	"github.com/seed-1318a441/assay/internal/collect"
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

// A LabelledFile is a file of Go benchmark output. Its results are those of the variant Label;
// "" is for what they say themselves, else the file. Folder is the one that it was found in, ""
// if the user named the file itself: beside results a folder may hold anything.
type LabelledFile struct{ Name, Label, Folder string }

// Files are result files without labels.
func Files(names ...string) (out []LabelledFile) {
	for _, n := range names {
		out = append(out, LabelledFile{Name: n})
	}
	return out
}

// Import reads Go benchmark output into samples. A file without a result is an error.
func Import(fsys fs.FS, files []LabelledFile, sel Selection) (*assay.Samples, error) {
	im := &importer{index: map[sampleKey]int{}, better: map[string]assay.Better{}, fileOf: map[string]string{}, blocked: true, by: sel.By}
	var err error
	if im.filter, err = benchproc.NewFilter(cmp.Or(sel.Filter, "*")); err != nil {
		return nil, fmt.Errorf("filter %q: %w", sel.Filter, err)
	}
	if im.split, err = splitter(sel.By); err != nil {
		return nil, err
	}
	for _, f := range files {
		if err := im.file(fsys, f); benchfile.IsOther(err) && f.Folder != "" {
			im.unread = append(im.unread, f.Name)
		} else if err != nil {
			return nil, err
		} else if name := cmp.Or(f.Folder, f.Name); !slices.Contains(im.s.Names, name) {
			im.s.Names = append(im.s.Names, name)
		}
	}
	for _, f := range files {
		if f.Folder != "" && !slices.Contains(im.s.Names, f.Folder) {
			return nil, fmt.Errorf("read %s: no file of this folder has a benchmark result", f.Folder)
		}
	}
	return im.samples()
}

// An importer gathers samples over files.
type importer struct {
	filter *benchproc.Filter
	split  func(r *benchfmt.Result) (variant string, name []byte, err error)
	by     string

	skips  []skip
	unread []string // files beside results

	results int
	index   map[sampleKey]int
	keys    []sampleKey // of im.s.Samples
	s       assay.Samples
	better  map[string]assay.Better // by metric
	seen    map[string][]string     // values of configuration
	fileOf  map[string]string       // of each run of assay
	blocked bool                    // every result so far names its block
}

type sampleKey struct {
	pkg, name, variant, metric string
	// section is the configuration that the results stand under, run the run of assay that
	// they are exported from.
	section, run string
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

// mostUnread is the number of files that are named.
const mostUnread = 5

// errSkip is the error for a result without a variant, which is ignored.
var errSkip = errors.New("no variant")

func (im *importer) file(fsys fs.FS, f LabelledFile) error {
	in, err := fsys.Open(f.Name)
	if err != nil {
		return fmt.Errorf("read results: %w", err)
	}
	defer in.Close()
	before := im.results
	report, err := benchfile.Read(in, func(p benchfile.Part) benchfile.Visitor { return im.visitor(f, p) })
	for _, name := range report.Unread {
		im.unread = append(im.unread, path.Join(f.Name, name))
	}
	for _, l := range report.Lost {
		text := fmt.Sprintf("%s:%d: %s", path.Join(f.Name, l.Member), l.Line, l.Text)
		if l.Failed {
			im.s.Failed = append(im.s.Failed, text)
		} else {
			im.s.Lost = append(im.s.Lost, text)
		}
	}
	if err != nil {
		return fmt.Errorf("read %s: %w", f.Name, err)
	}
	if im.results == before {
		return fmt.Errorf("read %s: %w that the filter lets pass", f.Name, benchfile.ErrNothing)
	}
	return nil
}

// visitor returns what reads a part of a file, whose configuration is its own.
func (im *importer) visitor(f LabelledFile, part benchfile.Part) benchfile.Visitor {
	rec := &benchfmt.Result{}
	if part.Package != "" {
		rec.SetConfig("pkg", part.Package)
	}
	return benchfile.Visitor{
		Config: func(key, value string, ours bool) {
			if !ours && (key == "run" || key == "procs") { // another tool's
				key += " "
			}
			rec.SetConfig(key, value)
		},
		Unit:   im.unit,
		Result: func(_ int, r collect.Reading) error { return im.result(f, rec, r) },
		Skip: func(name, why string) {
			im.skips = append(im.skips, skip{cmp.Or(f.Label, rec.GetConfig("variant"), f.Folder, f.Name), name, why})
		},
	}
}

// unit reads a line "Unit name better=higher".
func (im *importer) unit(_ int, name, key, value string) error {
	if key != "better" {
		return nil
	}
	_, metric, err := collect.Tidy("0", name)
	if err != nil {
		return nil
	}
	im.metric(metric)
	var better assay.Better
	if err := better.UnmarshalText([]byte(value)); err != nil {
		return err
	}
	im.better[metric] = better
	return nil
}

// metric adds a metric unless it is known.
func (im *importer) metric(name string) {
	if _, known := im.better[name]; !known {
		im.better[name] = assay.KnownBetter(name)
		im.s.Metrics = append(im.s.Metrics, assay.Metric{Name: name})
	}
}

func (im *importer) result(f LabelledFile, r *benchfmt.Result, reading collect.Reading) error {
	if n := r.GetConfig("procs"); n != "" && n != "1" { // of an export, which says what it has added
		reading.Name = strings.TrimSuffix(reading.Name, "-"+n)
	}
	r.Name, r.Iters, r.Values = benchfmt.Name(reading.Name), reading.N, r.Values[:0]
	for _, metric := range slices.SortedFunc(maps.Keys(reading.Values), timeFirst) {
		v := benchfmt.Value{Value: reading.Values[metric], Unit: metric}
		switch metric { // filters know both units
		case assay.MetricTime:
			v.OrigValue, v.OrigUnit = 1e9*v.Value, "ns/op"
		case assay.MetricRate:
			v.OrigValue, v.OrigUnit = 1e-6*v.Value, "MB/s"
		}
		r.Values = append(r.Values, v)
	}
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
	if len(r.Values) == 0 {
		return nil // none was a number: it is among the losses
	}
	im.results++
	run := r.GetConfig("run")
	if old := cmp.Or(im.fileOf[run], f.Name); run != "" && old != f.Name {
		return fmt.Errorf("run %s is in %s already: an export is read once", run, old)
	}
	im.fileOf[run] = f.Name
	im.platform(r)
	block, err := strconv.Atoi(r.GetConfig("block"))
	if err != nil {
		block, im.blocked = 0, false
	}
	key := sampleKey{pkg: r.GetConfig("pkg"), name: string(name), variant: cmp.Or(f.Label, variant, f.Folder, f.Name), section: im.section(r), run: run}
	for _, v := range r.Values {
		key.metric = v.Unit
		im.add(key, block, v.Value)
	}
	return nil
}

// sectionKeys are the configuration lines that make another experiment of what follows.
var sectionKeys = regexp.MustCompile(`^(cpu|go[a-z0-9]*|toolchain|commit|revision|branch)$`)

// section returns the configuration of a result, as far as it makes another experiment of
// it, in lines "cpu: X".
func (im *importer) section(r *benchfmt.Result) string {
	var lines []string
	for _, c := range r.Config {
		if sectionKeys.MatchString(c.Key) && c.Key != im.by {
			lines = append(lines, c.Key+": "+string(c.Value))
		}
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

func (im *importer) add(key sampleKey, block int, value float64) {
	i, ok := im.index[key]
	if !ok {
		i = len(im.s.Samples)
		im.index[key] = i
		im.keys = append(im.keys, key)
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

// platform notes where a result was measured, and in which run of assay.
func (im *importer) platform(r *benchfmt.Result) {
	p := &im.s.Platform
	p.GOOS, p.GOARCH, p.CPU = cmp.Or(p.GOOS, r.GetConfig("goos")), cmp.Or(p.GOARCH, r.GetConfig("goarch")), cmp.Or(p.CPU, r.GetConfig("cpu"))
	im.s.Base, im.s.Control = cmp.Or(im.s.Base, r.GetConfig("base")), cmp.Or(im.s.Control, r.GetConfig("control"))
	if im.seen == nil {
		im.seen = map[string][]string{}
	}
	for _, key := range []string{"cpu", "run"} {
		if v := r.GetConfig(key); v != "" && !slices.Contains(im.seen[key], v) {
			im.seen[key] = append(im.seen[key], v)
		}
	}
}

// samples ends the import and returns its samples.
func (im *importer) samples() (*assay.Samples, error) {
	s := &im.s
	if len(im.seen["run"]) > 1 {
		im.byRun()
	}
	if len(s.Variants) < 2 {
		return nil, fmt.Errorf("read results: only one variant, %q: give two files, or separate the variants with --by", s.Variants[0])
	}
	for i, m := range s.Metrics {
		s.Metrics[i].Better = im.better[m.Name]
	}
	im.sections()
	if im.blocked && len(im.seen["run"]) < 2 {
		return s, nil
	}
	for i := range s.Samples {
		s.Samples[i].Blocks = nil
	}
	s.Mixed = append(s.Mixed, "the results do not say which runs belong together")
	if runs := im.seen["run"]; im.blocked && len(runs) > 1 {
		s.Mixed = []string{"run: " + quoted(runs)}
	}
	if cpus := im.seen["cpu"]; len(cpus) > 1 {
		s.Mixed = append(s.Mixed, "cpu: "+quoted(cpus))
	}
	if len(im.unread) > 0 {
		s.Mixed = append(s.Mixed, "without results, so not read: "+strings.Join(im.unread[:min(len(im.unread), mostUnread)], ", "))
	}
	im.procs()
	im.packages()
	im.skipped()
	return s, nil
}

// byRun makes variants of their own of those of each run: nothing of two runs was measured
// together. Their controls belong to no other run, and are left out.
func (im *importer) byRun() {
	var keys []sampleKey
	var samples []assay.Sample
	im.s.Variants = nil
	for i, k := range im.keys {
		if k.variant == im.s.Control {
			continue
		}
		if k.run != "" {
			k.variant = fmt.Sprintf("%s of %s", k.variant, im.fileOf[k.run])
		}
		x := im.s.Samples[i]
		x.Variant = k.variant
		keys, samples = append(keys, k), append(samples, x)
		if !slices.Contains(im.s.Variants, k.variant) {
			im.s.Variants = append(im.s.Variants, k.variant)
		}
	}
	im.keys, im.s.Samples, im.s.Base, im.s.Control = keys, samples, "", ""
}

// sections keeps results apart that one variant has under several configurations: two CPUs,
// or two settings of GOGC. The name of each benchmark says which it is, so that equal ones
// are compared.
func (im *importer) sections() {
	apart := map[string]bool{}
	values := map[[2]string]string{} // by variant and key
	for _, k := range im.keys {
		for line := range strings.SplitSeq(k.section, "\n") {
			key, _, _ := strings.Cut(line, ": ")
			at := [2]string{k.variant, key}
			if old, ok := values[at]; ok && old != line {
				apart[key] = true
			}
			values[at] = line
		}
	}
	if len(apart) == 0 {
		im.join(func(k sampleKey) string { return k.name })
		return
	}
	im.join(func(k sampleKey) string {
		var name strings.Builder
		name.WriteString(k.name)
		for line := range strings.SplitSeq(k.section, "\n") {
			if key, value, _ := strings.Cut(line, ": "); apart[key] {
				name.WriteString(" [" + key + "=" + value + "]")
			}
		}
		return name.String()
	})
}

// join joins samples that are equal but for their section, and names them anew.
func (im *importer) join(nameOf func(sampleKey) string) {
	var samples []assay.Sample
	at := map[sampleKey]int{}
	for i, k := range im.keys {
		x := im.s.Samples[i]
		x.Benchmark.Name = nameOf(k)
		k.name, k.section, k.run = x.Benchmark.Name, "", ""
		if j, ok := at[k]; ok {
			samples[j].Values = append(samples[j].Values, x.Values...)
			samples[j].Blocks = append(samples[j].Blocks, x.Blocks...)
			continue
		}
		at[k] = len(samples)
		samples = append(samples, x)
	}
	im.s.Samples = samples
}

// quoted returns `"a" and "b"`.
func quoted(names []string) string {
	var out []string
	for _, n := range names {
		out = append(out, strconv.Quote(n))
	}
	return strings.Join(out, " and ")
}
