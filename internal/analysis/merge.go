package analysis

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
)

// A Part is the result of one machine for Merge.
type Part struct {
	// Name is the machine's name; "" for its label, or what distinguishes it.
	Name   string
	Result assay.Result
	// Plan and Blocks are those of the run; nil for a result without a record, of which
	// no difference to other machines is computed.
	Plan   *assay.Plan
	Blocks [][]assay.Trial
}

// Merge puts the results of one study on several machines side by side, in the order
// given, and answers for all of them. It averages nothing over machines. It compares the
// variants' changes on different machines, but the machines themselves by the base's
// medians only, without a verdict, since they cannot be interleaved.
//
// A run given twice counts once, with a warning. Errors are *assay.Error: results of
// different studies, two runs on one platform of one computer, or a name used twice.
func Merge(parts []Part) (*assay.Merged, error) {
	if len(parts) == 0 {
		return nil, mergeError(assay.CodeMergeRuns, "merge: no result was given", "the runs to merge, such as desktop=last laptop=laptop.json")
	}
	first := parts[0].Result
	m := &assay.Merged{Schema: assay.ResultSchema, Study: first.Study, StudyHash: first.StudyHash, Question: first.Question, Group: first.Group}
	var kept []Part
	for _, p := range parts {
		r := p.Result
		switch j := slices.IndexFunc(m.Machines, func(x assay.Machine) bool { return x.Result.Run == r.Run && x.Result.Created.Equal(r.Created) }); {
		case r.StudyHash != first.StudyHash:
			return nil, differentStudies(first, r)
		case j >= 0:
			m.Warnings = append(m.Warnings, assay.Warning{Code: assay.CodeMergeTwice, Text: fmt.Sprintf("run %s was given twice and is counted once", r.Run)})
			continue
		}
		for _, x := range m.Machines {
			if x.Result.Platform.Is(r.Platform) {
				return nil, samePlatform(x.Result, r)
			}
		}
		if r.Group != m.Group {
			m.Group = ""
		}
		m.Machines = append(m.Machines, assay.Machine{Name: cmp.Or(p.Name, r.Machine), Result: r})
		kept = append(kept, p)
	}
	nameMachines(m.Machines)
	if err := namesDiffer(m.Machines); err != nil {
		return nil, err
	}
	m.Across = across(m.Machines)
	confirm(m, kept)
	return m, nil
}

func mergeError(code assay.Code, text, try string, facts ...string) error {
	return assay.NewError(assay.ExitUsage, code, text, facts, try)
}

func differentStudies(a, b assay.Result) error {
	return mergeError(assay.CodeMergeStudies, fmt.Sprintf("merge: runs %s and %s are of different studies", a.Run, b.Run),
		"run the same study.toml on each machine",
		fmt.Sprintf("%s: study %s, %s", a.Run, a.Study, cmp.Or(a.StudyHash, "without a hash")),
		fmt.Sprintf("%s: study %s, %s", b.Run, b.Study, cmp.Or(b.StudyHash, "without a hash")))
}

// samePlatform refuses two runs on one machine. Side by side they would invite averaging
// by eye; a longer run has the blocks of both.
func samePlatform(a, b assay.Result) error {
	var facts []string
	if a.Platform.Host == "" || b.Platform.Host == "" {
		facts = []string{"an older assay measured one of them, and did not note which computer it was"}
	}
	return mergeError(assay.CodeMergePlatform, fmt.Sprintf("merge: runs %s and %s are of the same platform, %s", a.Run, b.Run, a.Platform),
		"merge one of them, and give it more blocks with --more", facts...)
}

// namesDiffer refuses two machines of one name.
func namesDiffer(machines []assay.Machine) error {
	for i, m := range machines {
		for _, o := range machines[:i] {
			if m.Name == o.Name {
				return mergeError(assay.CodeMergeNames, fmt.Sprintf("merge: two machines are called %q", m.Name), "give each a name of its own")
			}
		}
	}
	return nil
}

// platformFacts are what may distinguish platforms, the most common first.
var platformFacts = []func(assay.Platform) string{
	func(p assay.Platform) string { return p.GOOS + "/" + p.GOARCH },
	func(p assay.Platform) string { return p.CPU },
	func(p assay.Platform) string { return known("GOMAXPROCS=%d", p.Procs) },
	func(p assay.Platform) string { return known("on %s", p.Power) },
	func(p assay.Platform) string { return known("governor %s", p.Governor) },
	func(p assay.Platform) string { return known("profile %s", p.Profile) },
	func(p assay.Platform) string { return known("%d CPUs", p.CPUs) },
	func(p assay.Platform) string { return known("%d cores", p.Cores) },
	func(p assay.Platform) string { return p.Virtual },
	func(p assay.Platform) string { return known("emulated by %s", p.Emulated) },
}

// known formats a fact; "" if it is not known.
func known[T comparable](format string, fact T) string {
	if fact == *new(T) {
		return ""
	}
	return fmt.Sprintf(format, fact)
}

// nameMachines names machines by the first fact that differs for all, else by all facts
// that differ for some, else by the run.
func nameMachines(machines []assay.Machine) {
	short := distinctFact(machines)
	for i, m := range machines {
		if m.Name != "" {
			continue
		}
		name := short(m.Result.Platform)
		switch taken := slices.ContainsFunc(machines, func(o assay.Machine) bool { return o.Name == name }); {
		case name == "":
			name = "run " + m.Result.Run
		case taken:
			name += ", run " + m.Result.Run
		}
		machines[i].Name = name
	}
}

func distinctFact(machines []assay.Machine) func(assay.Platform) string {
	var differ []func(assay.Platform) string
	for _, fact := range platformFacts {
		seen := map[string]bool{}
		for _, m := range machines {
			seen[fact(m.Result.Platform)] = true
		}
		if len(seen) == len(machines) && !seen[""] {
			return fact
		}
		if len(seen) > 1 {
			differ = append(differ, fact)
		}
	}
	return func(p assay.Platform) string {
		var parts []string
		for _, fact := range differ {
			parts = append(parts, fact(p))
		}
		return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), ", ")
	}
}

// across puts the machines' medians of the base side by side, on the first deciding
// metric.
func across(machines []assay.Machine) (out []assay.Across) {
	if len(machines) < 2 || len(machines[0].Result.Tables) == 0 {
		return nil
	}
	metric := machines[0].Result.Tables[0].Metric.Name
	at := map[assay.Benchmark]int{}
	for i, m := range machines {
		for _, row := range rowsOf(m.Result, metric) {
			if row.Base == 0 {
				continue // the base was not measured
			}
			if _, ok := at[row.Benchmark]; !ok {
				at[row.Benchmark] = len(out)
				out = append(out, assay.Across{Benchmark: row.Benchmark, Metric: metric,
					Values: make([]assay.Value, len(machines)), Changes: make([]assay.Value, len(machines))})
			}
			out[at[row.Benchmark]].Values[i] = assay.Value{X: row.Base, OK: true}
		}
	}
	for _, a := range out {
		for i, v := range a.Values {
			if first := a.Values[0]; i > 0 && first.OK && v.OK && first.X > 0 {
				a.Changes[i] = assay.Value{X: v.X/first.X - 1, OK: true}
			}
		}
	}
	return out
}

func rowsOf(r assay.Result, metric string) []assay.Row {
	for _, tab := range r.Tables {
		if tab.Metric.Name == metric {
			return tab.Rows
		}
	}
	return nil
}
