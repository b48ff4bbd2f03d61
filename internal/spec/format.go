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

// Format writes a study file that means the same as s, without defaults: Parse(Format(s))
// is s with its defaults filled in. The file belongs into Study.Dir. It names factors
// instead of the variants crossed from them, so format a study that also lists variants
// before crossing it. It names a range instead of its steps, and a folder instead of the
// steps in its files.
func Format(s *assay.Study) []byte {
	var w document.Writer
	w.Comment("A study for assay: \"assay run FILE\" measures it, \"assay plan FILE\" shows the cost.")
	w.Section("", studyKeys(s, nil).Rows())
	w.Section("[source]", sourceKeys(&s.Source).Rows())
	writeVariants(&w, s)
	writeFactors(&w, s)
	if s.By != nil {
		w.Comment("The variants are sub-benchmarks of one binary.")
		w.Section("[by]", byKeys(s.By).Rows())
	}
	for _, wl := range s.Workloads {
		w.Section("[[workload]]", keysOfKind(&wl).Rows())
	}
	for _, h := range s.Hosts {
		_, keys := machineKeys(&h, nil)
		w.Section("[[machine]]", keys.Rows())
	}
	def := DefaultsOf(s)
	writeDecide(&w, &s.Decide, &def.Decide)
	w.Section("[measure]", differing(measureKeys(&s.Measure), measureKeys(&def.Measure)))
	writeSteps(&w, s)
	w.Section("[gates]", gatesKeys(&s.Gates).Rows())
	w.Section("[report]", reportKeys(&s.Report).Rows())
	w.Section("[explain]", explainKeys(&s.Explain).Rows())
	return w.Bytes()
}

// differing returns the rows that are not those of the defaults.
func differing(keys, defaults document.Schema) document.Rows {
	def := defaults.Rows()
	return slices.DeleteFunc(keys.Rows(), func(r document.Row) bool { return slices.Contains(def, r) })
}

// writeVariants writes the variants that are listed.
func writeVariants(w *document.Writer, s *assay.Study) {
	for _, v := range s.Variants {
		crossed := len(s.Factors) > 0 && v.Levels != nil
		if !crossed && s.Steps == nil && (s.By == nil || !isBuildOnly(v)) {
			rows := variantKeys(&v).Rows()
			if v.Name == s.Base {
				rows[0].Value += "  # the others are compared with this one"
			}
			w.Section("[[variant]]", rows)
		}
	}
}

// DefaultsOf returns a study of the same workloads with all else at its default.
func DefaultsOf(s *assay.Study) *assay.Study {
	def := &assay.Study{Workloads: s.Workloads, Steps: s.Steps, Asks: s.Asks}
	def.SetDefaults()
	return def
}

// isBuildOnly reports whether v is the variant that Parse adds without [[variant]].
func isBuildOnly(v assay.Variant) bool {
	return v.Name == WorkingTree && v.SameBuild(assay.Variant{}) && v.SameRun(assay.Variant{})
}

func writeFactors(w *document.Writer, s *assay.Study) {
	if len(s.Factors) > 1 {
		w.Comment("Every level of a factor runs with every level of the others.")
	}
	for _, f := range s.Factors {
		w.Section("[[factor]]", factorKeys(&f, nil).Rows())
	}
}

func formatLevels(f assay.Factor) string {
	if _, name := variableOf(f); name != "" {
		var values []string
		for _, l := range f.Levels {
			if n, err := strconv.ParseInt(l.Name, 10, 64); err == nil && strconv.FormatInt(n, 10) == l.Name {
				values = append(values, l.Name)
			} else {
				values = append(values, document.Quote(l.Name))
			}
		}
		return "[" + strings.Join(values, ", ") + "]"
	}
	var text strings.Builder
	for _, l := range f.Levels {
		v := l.Setting
		v.Name = l.Name
		text.WriteString("\n  " + variantKeys(&v).Rows().Inline() + ",")
	}
	return "[" + text.String() + "\n]"
}

// variableOf returns the variable that all levels of a factor set, and its kind, or "".
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

// writeDecide writes the decision rule, or a comment with the default.
func writeDecide(w *document.Writer, d, def *assay.Decide) {
	rows := differing(decideKeys(d), decideKeys(def))
	if len(rows) == 0 {
		w.Comment(fmt.Sprintf("Decided by default on %s: changes below %s are the same; %s intervals; %s at most.",
			strings.Join(def.Metrics, ", "), formatPercent(def.MinEffect), formatPercent(def.Confidence), document.FormatDuration(def.Budget)))
		return
	}
	w.Section("[decide]", rows)
}
