package spec

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-1318a441/assay"
)

// Format writes the study file that means the same as s, with what differs
// from the defaults and nothing else: Parse(Format(s)) is s with its defaults
// filled in. Study.Dir is the folder that the file is to stand in. Variants that
// were crossed from factors are left to them, so that a study which also lists
// variants is to be formatted before it is crossed. In the same way the steps of
// a range are left to it, and those of a folder to its files.
func Format(s *assay.Study) []byte {
	var w tomlWriter
	w.comment("A study for assay: \"assay run FILE\" measures it, \"assay plan FILE\" tells what that costs.")
	w.section("", topRows(s)...)
	w.section("[source]", sourceRows(s.Source)...)
	writeVariants(&w, s)
	writeFactors(&w, s)
	if s.By != nil {
		w.comment("The variants are sub-benchmarks of one binary.")
		w.section("[by]", rows{}.str("key", s.By.Key).list("names", s.By.Names)...)
	}
	for _, wl := range s.Workloads {
		w.section("[[workload]]", workloadRows(wl)...)
	}
	def := DefaultsOf(s)
	writeDecide(&w, s.Decide, def.Decide)
	w.section("[measure]", measureRows(s.Measure, def.Measure)...)
	writeSteps(&w, s)
	w.section("[gates]", gatesRows(s.Gates)...)
	w.section("[report]", rows{}.prose("title", s.Report.Title).prose("intro", s.Report.Intro).list("caveats", s.Report.Caveats)...)
	w.section("[explain]", rows{}.list("functions", s.Explain.Functions).list("calls", s.Explain.Calls)...)
	return w.text()
}

func sourceRows(s assay.Source) rows {
	r := rows{}.str("dir", s.Dir).str("package", s.Package).str("go", s.Go)
	return r.str("overlay", s.Overlay).list("overlay", s.Folders).list("hide", s.Hide).str("benchmarks_from", s.BenchmarksFrom).str("suite", s.Suite)
}

// writeVariants writes the variants that are listed.
func writeVariants(w *tomlWriter, s *assay.Study) {
	for _, v := range s.Variants {
		crossed := len(s.Factors) > 0 && v.Levels != nil
		if !crossed && s.Steps == nil && (s.By == nil || !isBuildOnly(v)) {
			w.section("[[variant]]", variantRows(v, v.Name == s.Base)...)
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

func topRows(s *assay.Study) rows {
	r := rows{}.str("name", s.Name).str("question", s.Question).str("base", s.Base).str("only", s.Only)
	switch seed := s.Measure.Seed; {
	case seed > 1<<63-1:
		r = r.str("seed", fmt.Sprintf("%#x", seed))
	case seed > 0:
		r = r.add("seed", strconv.FormatUint(seed, 10), "")
	}
	return r
}

func variantRows(v assay.Variant, base bool) rows {
	r := rows{}.str("name", v.Name)
	if base {
		r[0].comment = "the others are compared with this one"
	}
	r = r.str("go", v.Go).str("rev", v.Rev).str("module", v.Module)
	r = r.list("experiment", v.Experiment).list("gcflags", v.GCFlags).list("ldflags", v.LDFlags).list("tags", v.Tags)
	return r.str("pgo", v.PGO).pairs("build", v.Build).pairs("env", v.Env).list("run", v.Run).str("select", v.Select)
}

func writeFactors(w *tomlWriter, s *assay.Study) {
	switch {
	case len(s.Factors) > 1 && s.Only == "":
		w.comment("Every level of a factor runs with every level of the others.")
	case len(s.Factors) > 1:
		w.comment("A fraction of all combinations of levels runs.")
	}
	for _, f := range s.Factors {
		w.section("[[factor]]", factorRows(f)...)
	}
}

func factorRows(f assay.Factor) rows {
	r := rows{}.str("name", f.Name)
	if kind, name := variableOf(f); name != "" {
		if kind != "env" || name != f.Name || !slices.Contains(sweeps, name) {
			r = r.str(kind, name)
		}
		var values []string
		for _, l := range f.Levels {
			if isCanonical(l.Name) {
				values = append(values, l.Name)
			} else {
				values = append(values, tomlString(l.Name))
			}
		}
		return r.add("levels", "["+strings.Join(values, ", ")+"]", "")
	}
	var text strings.Builder
	text.WriteString("[")
	for _, l := range f.Levels {
		v := l.Setting
		v.Name = l.Name
		var pairs []string
		for _, row := range variantRows(v, false) {
			pairs = append(pairs, row.key+" = "+row.value)
		}
		text.WriteString("\n  { " + strings.Join(pairs, ", ") + " },")
	}
	return r.add("levels", text.String()+"\n]", "")
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

func workloadRows(w assay.Workload) rows {
	r := rows{}.str("name", w.Name).str("kind", string(w.Kind)).list("packages", w.Packages).str("bench", w.Bench)
	switch {
	case w.Kind == assay.KindService:
		return append(r, serviceRows(w)...)
	case w.BenchIters > 0:
		r = r.str("benchtime", strconv.Itoa(w.BenchIters)+"x")
		r[len(r)-1].comment = "iterations of every trial"
	case w.BenchTime > 0:
		r = r.str("benchtime", formatDuration(w.BenchTime))
	}
	r = r.str("package", w.Package).list("names", w.Names).list("run", w.Run).list("prepare", w.Prepare).list("cleanup", w.Cleanup)
	r = r.str("stdin", w.Stdin).str("expect", w.Expect).pairs("env", w.Env)
	return r.list("build_flags", w.BuildFlags).list("test_flags", w.TestFlags).list("args", w.Args)
}

// writeDecide writes the decision rule, or says what it is by default.
func writeDecide(w *tomlWriter, d, def assay.Decide) {
	r := decideRows(d, def)
	if len(r) == 0 {
		w.comment(fmt.Sprintf("Decided by default on %s: changes below %s are the same; %s intervals; %s at most.",
			strings.Join(def.Metrics, ", "), formatPercent(def.MinEffect), formatPercent(def.Confidence), formatDuration(def.Budget)))
		return
	}
	w.section("[decide]", r...)
}

func decideRows(d, def assay.Decide) rows {
	var r rows
	switch {
	case slices.Equal(d.Metrics, def.Metrics):
	case len(d.Metrics) == 1:
		r = r.str("metric", d.Metrics[0])
	default:
		r = r.list("metric", d.Metrics)
	}
	r = append(r, minEffectRows(d)...)
	if d.Confidence != 0 && d.Confidence != def.Confidence {
		r = r.str("confidence", formatPercent(d.Confidence))
	}
	if d.MinBlocks > 0 || d.MaxBlocks > 0 {
		r = r.str("blocks", formatBlocks(max(d.MinBlocks, 1), d.MaxBlocks))
	}
	r = r.duration("budget", d.Budget, def.Budget)
	if d.Gate > 0 {
		r = r.str("gate", formatPercent(d.Gate))
	}
	if d.Compare != def.Compare {
		r = r.str("compare", d.Compare)
	}
	return r.list("tradeoff", d.Tradeoff)
}

func minEffectRows(d assay.Decide) rows {
	isDefault := d.MinEffect == 0 || d.MinEffect == assay.DefaultMinEffect
	switch {
	case len(d.MinEffects) == 0 && isDefault:
		return nil
	case len(d.MinEffects) == 0:
		return rows{}.str("min_effect", formatPercent(d.MinEffect))
	}
	by := map[string]string{}
	for m, f := range d.MinEffects {
		by[m] = formatPercent(f)
	}
	if !isDefault {
		by[defaultEffect] = formatPercent(d.MinEffect)
	}
	return rows{}.pairs("min_effect", by)
}

func measureRows(m, def assay.Measure) rows {
	r := rows{}.duration("trial", m.Trial, def.Trial).number("layouts", m.Layouts).number("inner", m.Inner)
	if m.NoControl {
		r = r.add("control", "false", "no A/A noise floor")
	}
	r = r.number("gomaxprocs", m.GOMAXPROCS).str("goarch", m.GOARCH).duration("timeout", m.Timeout, def.Timeout)
	r = r.list("collect", m.Collect)
	if m.Force {
		r = r.add("force", "true", "measure also what is the same code")
	}
	return r.str("pair", string(m.Pair)).list("pass", m.Pass)
}

// isCanonical reports whether a text is a whole number as TOML writes it.
func isCanonical(s string) bool {
	n, err := strconv.ParseInt(s, 10, 64)
	return err == nil && strconv.FormatInt(n, 10) == s
}
