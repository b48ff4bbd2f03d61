package spec

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/spec/document"
)

// Format writes the study file that means the same as s, with what differs
// from the defaults and nothing else: Parse(Format(s)) is s with its defaults
// filled in. Study.Dir is the folder that the file is to stand in. Variants that
// were crossed from factors are left to them, so that a study which also lists
// variants is to be formatted before it is crossed. In the same way the steps of
// a range are left to it, and those of a folder to its files.
func Format(s *assay.Study) []byte {
	var w document.Writer
	w.Comment("A study for assay: \"assay run FILE\" measures it, \"assay plan FILE\" shows the cost.")
	w.Section("", topRows(s)...)
	w.Section("[source]", sourceRows(s.Source)...)
	writeVariants(&w, s)
	writeFactors(&w, s)
	if s.By != nil {
		w.Comment("The variants are sub-benchmarks of one binary.")
		w.Section("[by]", document.Rows{}.Str("key", s.By.Key).List("names", s.By.Names)...)
	}
	for _, wl := range s.Workloads {
		w.Section("[[workload]]", workloadRows(wl)...)
	}
	def := DefaultsOf(s)
	writeDecide(&w, s.Decide, def.Decide)
	w.Section("[measure]", measureRows(s.Measure, def.Measure)...)
	writeSteps(&w, s)
	w.Section("[gates]", gatesRows(s.Gates)...)
	w.Section("[report]", document.Rows{}.Prose("title", s.Report.Title).Prose("intro", s.Report.Intro).List("caveats", s.Report.Caveats)...)
	w.Section("[explain]", document.Rows{}.List("functions", s.Explain.Functions).List("calls", s.Explain.Calls)...)
	return w.Bytes()
}

func sourceRows(s assay.Source) document.Rows {
	r := document.Rows{}.Str("dir", s.Dir).Str("package", s.Package).Str("go", s.Go)
	return r.Str("overlay", s.Overlay).List("overlay", s.Folders).List("hide", s.Hide).Str("benchmarks_from", s.BenchmarksFrom).Str("suite", s.Suite)
}

// writeVariants writes the variants that are listed.
func writeVariants(w *document.Writer, s *assay.Study) {
	for _, v := range s.Variants {
		crossed := len(s.Factors) > 0 && v.Levels != nil
		if !crossed && s.Steps == nil && (s.By == nil || !isBuildOnly(v)) {
			w.Section("[[variant]]", variantRows(v, v.Name == s.Base)...)
		}
	}
}

// DefaultsOf returns a study of the same workloads with all else at its default.
func DefaultsOf(s *assay.Study) *assay.Study {
	def := &assay.Study{Workloads: s.Workloads, Steps: s.Steps}
	def.SetDefaults()
	return def
}

// isBuildOnly reports whether v is what Parse puts in where there is no
// [[variant]].
func isBuildOnly(v assay.Variant) bool {
	return v.Name == WorkingTree && v.SameBuild(assay.Variant{}) && v.SameRun(assay.Variant{})
}

func topRows(s *assay.Study) document.Rows {
	r := document.Rows{}.Str("name", s.Name).Str("question", s.Question).Str("base", s.Base).Str("only", s.Only)
	switch seed := s.Measure.Seed; {
	case seed > 1<<63-1:
		r = r.Str("seed", fmt.Sprintf("%#x", seed))
	case seed > 0:
		r = r.Add("seed", strconv.FormatUint(seed, 10), "")
	}
	return r
}

func variantRows(v assay.Variant, base bool) document.Rows {
	r := document.Rows{}.Str("name", v.Name)
	if base {
		r[0].Comment = "the others are compared with this one"
	}
	r = r.Str("go", v.Go).Str("rev", v.Rev).Str("module", v.Module)
	r = r.List("experiment", v.Experiment).List("gcflags", v.GCFlags).List("ldflags", v.LDFlags).List("tags", v.Tags)
	return r.Str("pgo", v.PGO).Pairs("build", v.Build).Pairs("env", v.Env).List("run", v.Run).Str("select", v.Select)
}

func writeFactors(w *document.Writer, s *assay.Study) {
	switch {
	case len(s.Factors) > 1 && s.Only == "":
		w.Comment("Every level of a factor runs with every level of the others.")
	case len(s.Factors) > 1:
		w.Comment("A fraction of all combinations of levels runs.")
	}
	for _, f := range s.Factors {
		w.Section("[[factor]]", factorRows(f)...)
	}
}

func factorRows(f assay.Factor) document.Rows {
	r := document.Rows{}.Str("name", f.Name)
	if kind, name := variableOf(f); name != "" {
		if kind != "env" || name != f.Name || !slices.Contains(sweeps, name) {
			r = r.Str(kind, name)
		}
		var values []string
		for _, l := range f.Levels {
			if isCanonical(l.Name) {
				values = append(values, l.Name)
			} else {
				values = append(values, document.Quote(l.Name))
			}
		}
		return r.Add("levels", "["+strings.Join(values, ", ")+"]", "")
	}
	var text strings.Builder
	text.WriteString("[")
	for _, l := range f.Levels {
		v := l.Setting
		v.Name = l.Name
		var pairs []string
		for _, row := range variantRows(v, false) {
			pairs = append(pairs, row.Key+" = "+row.Value)
		}
		text.WriteString("\n  { " + strings.Join(pairs, ", ") + " },")
	}
	return r.Add("levels", text.String()+"\n]", "")
}

// variableOf returns the variable that all levels of a factor are plain values
// of, and where it is set; the name is empty where there is none.
func variableOf(f assay.Factor) (kind, name string) {
	for i, l := range f.Levels {
		k, m := "env", l.Setting.Env
		if m == nil {
			k, m = "build", l.Setting.Build
		}
		keys := slices.Collect(maps.Keys(m))
		if len(keys) != 1 || m[keys[0]] != l.Name || len(settings(l.Setting)) != 1 || i > 0 && (k != kind || keys[0] != name) {
			return "", ""
		}
		kind, name = k, keys[0]
	}
	return kind, name
}

func workloadRows(w assay.Workload) document.Rows {
	r := document.Rows{}.Str("name", w.Name).Str("kind", string(w.Kind)).List("packages", w.Packages).Str("bench", w.Bench)
	switch {
	case w.Kind == assay.KindService:
		return append(r, serviceRows(w)...)
	case w.BenchIters > 0:
		r = r.Str("benchtime", strconv.Itoa(w.BenchIters)+"x")
		r[len(r)-1].Comment = "iterations of every trial"
	case w.BenchTime > 0:
		r = r.Str("benchtime", document.FormatDuration(w.BenchTime))
	}
	r = r.Str("package", w.Package).List("names", w.Names).List("run", w.Run).List("prepare", w.Prepare).List("cleanup", w.Cleanup)
	r = r.Str("stdin", w.Stdin).Str("expect", w.Expect).Pairs("env", w.Env)
	return r.List("build_flags", w.BuildFlags).List("test_flags", w.TestFlags).List("args", w.Args)
}

// writeDecide writes the decision rule, or says what it is by default.
func writeDecide(w *document.Writer, d, def assay.Decide) {
	r := decideRows(d, def)
	if len(r) == 0 {
		w.Comment(fmt.Sprintf("Decided by default on %s: changes below %s are the same; %s intervals; %s at most.",
			strings.Join(def.Metrics, ", "), formatPercent(def.MinEffect), formatPercent(def.Confidence), document.FormatDuration(def.Budget)))
		return
	}
	w.Section("[decide]", r...)
}

func decideRows(d, def assay.Decide) document.Rows {
	var r document.Rows
	switch {
	case slices.Equal(d.Metrics, def.Metrics):
	case len(d.Metrics) == 1:
		r = r.Str("metric", d.Metrics[0])
	default:
		r = r.List("metric", d.Metrics)
	}
	r = append(r, minEffectRows(d)...)
	if d.Confidence != 0 && d.Confidence != def.Confidence {
		r = r.Str("confidence", formatPercent(d.Confidence))
	}
	if d.MinBlocks > 0 || d.MaxBlocks > 0 {
		r = r.Str("blocks", formatBlocks(max(d.MinBlocks, 1), d.MaxBlocks))
	}
	r = r.Duration("budget", d.Budget, def.Budget)
	if d.Gate > 0 {
		r = r.Str("gate", formatPercent(d.Gate))
	}
	if d.Compare != def.Compare {
		r = r.Str("compare", d.Compare)
	}
	return r.List("tradeoff", d.Tradeoff)
}

func minEffectRows(d assay.Decide) document.Rows {
	isDefault := d.MinEffect == 0 || d.MinEffect == assay.DefaultMinEffect
	switch {
	case len(d.MinEffects) == 0 && isDefault:
		return nil
	case len(d.MinEffects) == 0:
		return document.Rows{}.Str("min_effect", formatPercent(d.MinEffect))
	}
	by := map[string]string{}
	for m, f := range d.MinEffects {
		by[m] = formatPercent(f)
	}
	if !isDefault {
		by[defaultEffect] = formatPercent(d.MinEffect)
	}
	return document.Rows{}.Pairs("min_effect", by)
}

func measureRows(m, def assay.Measure) document.Rows {
	r := document.Rows{}.Duration("trial", m.Trial, def.Trial).Number("layouts", m.Layouts).Number("inner", m.Inner)
	if m.NoControl {
		r = r.Add("control", "false", "no A/A noise floor")
	}
	r = r.Number("gomaxprocs", m.GOMAXPROCS).Str("goarch", m.GOARCH).Duration("timeout", m.Timeout, def.Timeout)
	r = r.List("collect", m.Collect)
	if m.Force {
		r = r.Add("force", "true", "also measure variants with the same code")
	}
	return r.Str("pair", string(m.Pair)).List("pass", m.Pass)
}

// isCanonical reports whether a text is a whole number as TOML writes it.
func isCanonical(s string) bool {
	n, err := strconv.ParseInt(s, 10, 64)
	return err == nil && strconv.FormatInt(n, 10) == s
}
