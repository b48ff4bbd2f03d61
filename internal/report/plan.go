package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/schedule"
	"github.com/seed-1318a441/assay/internal/sheet"
	"github.com/seed-1318a441/assay/internal/terminal"
)

// orderBlocks is the number of blocks whose order a plan shows.
const orderBlocks = 3

// WritePlan prints what will run and what it costs. order returns, for a block counted from
// 1, one list of variants per benchmark in running order; WritePlan prints the first list. A
// nil order omits it.
func WritePlan(w io.Writer, p *assay.Plan, order func(block int) [][]string, s terminal.Style) error {
	t := &planner{plan: p, Writer: terminal.NewWriter(s, planIndent)}
	if p.Study.Question != "" {
		t.line("question", p.Study.Question)
	}
	t.line("factors", planFactors(p.Study))
	if p.Study.Steps != nil {
		t.steps()
	} else {
		t.table("variants", t.variantRows())
	}
	t.commands()
	t.schedule(order)
	t.line("study", strings.TrimPrefix(sheet.ShortHash(p.StudyHash)+" · seed "+fmt.Sprintf("%#x", p.Seed), " · "))
	t.Command("run", p.Command)
	for _, x := range p.Warnings {
		if !x.Minor() || s.All {
			t.Warning(x)
		}
	}
	_, err := io.WriteString(w, t.String())
	return err
}

// schedule prints what runs, when, and for how long, if there is anything to measure.
func (t *planner) schedule(order func(block int) [][]string) {
	if len(t.plan.Benchmarks) == 0 {
		t.line("benchmarks", "nothing is measured: see the notes")
		return
	}
	t.line("benchmarks", planBenchmarks(t.plan))
	t.line("measured in", sheet.PlannedGears(t.plan))
	t.line("decide", planRule(t.plan))
	f := schedule.Foresee(t.plan)
	t.line("blocks", planBlocks(t.plan, f))
	t.line("time", planTime(t.plan, f))
	t.line("certainty", planCertainty(t.plan, f))
	if order != nil {
		t.order(order)
	}
}

const planIndent = 13

// minText is the minimum width of a variant's description.
const minText = 10

// variantRows returns name, role and description of every variant.
func (t *planner) variantRows() (rows [][3]string) {
	for i, v := range t.plan.Variants {
		if i == sheet.MaxRows && !t.Style.All {
			rows = append(rows, [3]string{"…", "", printable.Int(len(t.plan.Variants)-i) + " more (--all shows them)"})
			break
		}
		rows = append(rows, [3]string{v.Name, t.role(v), t.describe(v)})
	}
	for _, x := range t.plan.Same {
		if !x.Control { // else listed above, in the control's place
			rows = append(rows, [3]string{x.Variant, "≡", "same code as " + x.As + ": not measured"})
		}
	}
	return rows
}

func (t *planner) role(v assay.Variant) string {
	switch {
	case v.Name == t.plan.Study.Base:
		return "base"
	case v.Control:
		return "control"
	}
	return ""
}

// describe returns what a user would type for a variant, with the toolchain and commit
// that this led to. For the control it says what the control is for.
func (t *planner) describe(v assay.Variant) string {
	for _, x := range t.plan.Same {
		if x.Variant == v.Name {
			return "same code as " + x.As + ", for the noise floor"
		}
	}
	if v.Control {
		return "the base again, to measure the noise floor"
	}
	var parts []string
	setting := v
	setting.Run = nil // it is quoted below
	if w := strings.Join(setting.Words(), " "); w != "" && w != v.Name {
		parts = append(parts, w)
	}
	if len(v.Run) > 0 {
		parts = append(parts, sheet.ShellLine(v.Run))
	}
	if v.Select != "" && v.Select != v.Name {
		parts = append(parts, v.Select)
	}
	for _, a := range t.plan.Artifacts {
		if a.Variant != v.Name {
			continue
		}
		if goVersion, _, _ := strings.Cut(a.GoVersion, " "); goVersion != "" && goVersion != v.Go && goVersion != v.Name {
			parts = append(parts, a.GoVersion)
		}
		if a.Commit != "" {
			parts = append(parts, "commit "+sheet.ShortHash(a.Commit))
		}
		if x := a.Profile; x != nil {
			parts = append(parts, "profile: "+sheet.ProfileMatch(*x)+" match")
		}
	}
	return strings.Join(parts, " · ")
}

// commands prints what runs for commands and services.
func (t *planner) commands() {
	for _, w := range t.plan.Study.Workloads {
		if w.Kind == assay.KindService && w.Service != nil {
			name := ""
			if len(t.plan.Study.Workloads) > 1 {
				name = strings.Join(w.Names, ", ")
			}
			t.service(name, *w.Service)
		}
		if w.Kind != assay.KindCommand {
			continue
		}
		run := sheet.ShellLine(w.Run)
		if w.Stdin != "" {
			run += " < " + w.Stdin
		}
		t.line("prepare", sheet.ShellLine(w.Prepare))
		t.line("command", strings.TrimSpace(run))
		t.line("clean up", sheet.ShellLine(w.Cleanup))
	}
}

// planFactors returns text such as "gc (greentea, classic) × slices (stack, heap) = 4
// variants".
func planFactors(s assay.Study) string {
	if len(s.Factors) == 0 {
		return ""
	}
	var parts []string
	product := 1
	add := func(name string, levels []string) {
		parts = append(parts, name+" ("+strings.Join(levels, ", ")+")")
		product *= len(levels)
	}
	if listed := listedLevels(s); len(listed) > 0 {
		add("variant", listed)
	}
	for _, f := range s.Factors {
		var levels []string
		for _, l := range f.Levels {
			levels = append(levels, l.Name)
		}
		add(f.Name, levels)
	}
	return strings.Join(parts, " × ") + " = " + printable.Count(product, "variant")
}

// listedLevels returns the variants that a study crosses with its factors.
func listedLevels(s assay.Study) []string {
	var names []string
	for _, v := range s.Variants {
		if name, ok := v.Levels["variant"]; ok && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if slices.ContainsFunc(s.Factors, func(f assay.Factor) bool { return f.Name == "variant" }) {
		return nil
	}
	return names
}

func planBenchmarks(p *assay.Plan) string {
	pkgs := map[string]bool{}
	for _, b := range p.Benchmarks {
		pkgs[b.Package] = true
	}
	text := printable.Int(len(p.Benchmarks))
	if len(pkgs) > 1 {
		text += " in " + printable.Count(len(pkgs), "package")
	}
	const some = 4
	var names []string
	for i, b := range p.Benchmarks {
		if i == some {
			names = append(names, "…")
			break
		}
		names = append(names, b.Name)
	}
	if len(names) == 0 {
		return text
	}
	return text + ": " + strings.Join(names, ", ")
}

func planRule(p *assay.Plan) string {
	d := p.Study.Decide
	text := strings.Join(d.Metrics, ", ") + " · changes within ±" + printable.Percent(d.MinEffect) + " are same · " +
		printable.Level(d.Confidence) + " intervals"
	if d.Gate > 0 {
		text += " · gate: at most " + printable.Percent(d.Gate) + " worse"
	}
	return text
}

// order prints the order of the first benchmark in the first blocks.
func (t *planner) order(of func(block int) [][]string) {
	label := "order"
	for b := 1; b <= orderBlocks; b++ {
		lists := of(b)
		if len(lists) == 0 {
			return
		}
		t.line(label, fmt.Sprintf("block %d: %s", b, strings.Join(lists[0], " ")))
		label = ""
	}
	if n := len(t.plan.Benchmarks); n > 1 {
		t.line("", "… for "+t.plan.Benchmarks[0].Name+"; drawn afresh for every benchmark and block")
	}
}
