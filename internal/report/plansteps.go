package report

import (
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/sheet"
	"github.com/seed-1318a441/assay/internal/sheet/chain"
	"github.com/seed-1318a441/assay/internal/terminal"
)

// steps prints a chain: the source of its steps, the base, the steps, the frozen suite,
// and the gates.
func (t *planner) steps() {
	s := t.plan.Study
	t.line("range", planRange(*s.Steps))
	var phases []string
	for _, p := range s.Steps.Phases {
		phases = append(phases, strings.TrimSuffix("★"+p.ID+" "+p.Name, " "))
	}
	t.line("phases", strings.Join(phases, " · "))
	var base [][3]string
	for _, v := range t.plan.Variants {
		if v.Name == s.Base || v.Control {
			base = append(base, [3]string{v.Name, t.role(v), t.describe(v)})
		}
	}
	t.table("base", base)
	t.table("steps", t.stepRows())
	t.line("suite", planSuite(s.Source)+t.suiteHash())
	t.gates()
	if e := t.plan.Earlier; e != "" {
		t.line("continues", "run "+e+": its blocks are not measured again")
	}
}

// planRange returns text such as "v2.3.0..v2.4.0 of module x, one of 3, those that touch y".
func planRange(s assay.Steps) string {
	if s.Range == "" {
		return ""
	}
	text := s.Range
	if s.Module != "" {
		text += " of module " + s.Module
	}
	if s.Every > 1 {
		text += ", one of " + printable.Int(s.Every)
	}
	if s.Touching != "" {
		text += ", those that touch " + s.Touching
	}
	return text
}

// stepRows returns number and phase, name and description of every step.
func (t *planner) stepRows() (rows [][3]string) {
	list := t.plan.Study.Steps.List
	for i, s := range list {
		if i == sheet.MaxRows && !t.Style.All {
			return append(rows, [3]string{"", "… " + printable.Int(len(list)-i) + " more", "(--all shows them)"})
		}
		lead := terminal.Pad(printable.Int(i+1), terminal.Width(printable.Int(len(list))), true)
		if s.Phase != "" && (i == 0 || list[i-1].Phase != s.Phase) {
			lead += " ★" + s.Phase
		}
		rows = append(rows, [3]string{lead, s.Variant, t.stepText(s.Variant)})
	}
	return rows
}

// stepText returns what a step is, or why it is not measured.
func (t *planner) stepText(name string) string {
	for _, g := range t.plan.Gaps {
		if g.Variant == name {
			return "a gap: " + chain.GapText(g)
		}
	}
	for _, x := range t.plan.Same {
		if x.Variant == name && !x.Control {
			return "same code as " + x.As + ": not measured"
		}
	}
	var parts []string
	if v, ok := t.plan.Variant(name); ok {
		parts = append(parts, t.revision(v))
	}
	missing := 0
	for _, b := range t.plan.Benchmarks {
		if slices.Contains(b.Missing, name) {
			missing++
		}
	}
	if missing > 0 {
		parts = append(parts, printable.Count(missing, "benchmark")+" missing")
	}
	parts = append(parts, chain.GateRemarks(t.gatesOf(name))...)
	return strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p == "" }), " · ")
}

// revision returns what a step is built from: only its revision if nothing else differs
// from the base.
func (t *planner) revision(v assay.Variant) string {
	of := func(name string) assay.ArtifactInfo {
		i := slices.IndexFunc(t.plan.Artifacts, func(a assay.ArtifactInfo) bool { return a.Variant == name })
		if i < 0 {
			return assay.ArtifactInfo{}
		}
		return t.plan.Artifacts[i]
	}
	mine := of(v.Name)
	words := strings.Join(v.Words(), " ")
	if mine.Profile != nil || mine.GoVersion != of(t.plan.Study.Base).GoVersion {
		return t.describe(v)
	}
	if v.Rev == "" && v.Module == "" && len(v.Run) == 0 {
		words = strings.TrimSpace(chain.AsItIs + " " + words)
	}
	if words == v.Name || words != "" && strings.HasPrefix(mine.Commit, words) {
		words = ""
	}
	if mine.Commit == "" {
		return words
	}
	return strings.TrimPrefix(words+" · commit "+sheet.ShortHash(mine.Commit), " · ")
}

func (t *planner) gatesOf(name string) (out []assay.GateResult) {
	for _, g := range t.plan.Gates {
		if g.Variant == name {
			out = append(out, g)
		}
	}
	return out
}

// suiteHash returns the hash of a suite that is a tree, to follow its name.
func (t *planner) suiteHash() string {
	for _, a := range t.plan.Artifacts {
		if i := strings.LastIndex(a.Suite, " "); i >= 0 {
			return " · " + a.Suite[i+1:]
		}
	}
	return ""
}

// planSuite returns which benchmarks every step runs, "" for its own.
func planSuite(s assay.Source) string {
	_, tree := s.SuiteTree()
	switch {
	case tree && len(s.Folders) > 0:
		return strings.Join(s.Folders, ", ") + " of " + s.Suite + ", copied over every step"
	case tree:
		return "the benchmarks of " + s.Suite + ", copied over every step"
	case s.Suite != "":
		return "the benchmarks of the module " + s.Suite + ", built against every step"
	case s.BenchmarksFrom != "":
		return "the benchmarks of " + assay.InWords(s.BenchmarksFrom) + ", copied over every step"
	case s.Overlay == "":
		return ""
	case len(s.Hide) > 0:
		return "the files of " + s.Overlay + ", copied over every step in place of " + strings.Join(s.Hide, ", ")
	}
	return "the files of " + s.Overlay + ", copied over every step"
}

// gates prints the gates of every step, and how many checks have failed so far.
func (t *planner) gates() {
	asked := chain.GatesText(t.plan.Study.Gates)
	if asked == "" {
		return
	}
	t.line("gates", asked)
	var failed, unknown int
	for _, g := range t.plan.Gates {
		switch g.Status {
		case assay.GateFailed:
			failed++
		case assay.GateUnknown:
			unknown++
		}
	}
	if n := len(t.plan.Gates); n > 0 {
		text := printable.Int(n) + " checked, " + printable.Int(failed) + " failed"
		if unknown > 0 {
			text += ", " + printable.Int(unknown) + " unknown"
		}
		t.line("", text)
	}
}
