package sample

import (
	"slices"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
)

// A failed trial excludes its benchmark for all variants, with a warning that has its end
// and the way to its output. The first failure is the one that counts.
func TestExclude(t *testing.T) {
	for _, test := range []struct {
		kind              assay.Kind
		status            assay.Status
		reason            string
		failed, text      string
		code              assay.Code
		firstFact, advice string
	}{
		{assay.KindGoTest, assay.StatusFailed, "exit status 2", "failed: exit status 2", `BenchmarkX failed in "b", block 7`, assay.CodeBenchFailed, "exit status 2", ""},
		{assay.KindGoTest, assay.StatusTimeout, "", "timeout", `BenchmarkX hung in "b", block 7`, assay.CodeBenchFailed, "excluded", ""},
		{assay.KindGoTest, assay.StatusNoResult, "", "no-result", `BenchmarkX printed no result in "b", block 7`, assay.CodeBenchFailed, "excluded", ""},
		{assay.KindCommand, assay.StatusWrong, "a hash", "answered differently: a hash", `X answered differently in "b", block 7`,
			assay.CodeWrongOutput, "a hash", "--expect any"},
		{assay.KindGoTest, assay.StatusOK, "", "", "", "", "", ""},
		{assay.KindGoTest, assay.StatusSkipped, "", "", "", "", "", ""},
	} {
		p := planOf([]string{"X", "Y"}, "a", "b")
		p.Study.Workloads[0].Kind = test.kind
		set := NewSet(p)
		tr := took("b", "X", 1)
		tr.ID, tr.Block, tr.Status, tr.Reason = 31, 7, test.status, test.reason
		later := tr
		later.Status, later.Reason = assay.StatusFailed, "later"
		set.Benchmarks[0].exclude(tr)
		if test.failed != "" {
			set.Benchmarks[0].exclude(later)
		}
		if got := set.Benchmarks[0].Failed; got != test.failed || set.Benchmarks[1].Failed != "" {
			t.Errorf("%s: excluded by %q, want %q", test.status, got, test.failed)
		}
		if test.failed == "" {
			if len(set.Warnings) > 0 {
				t.Errorf("%s: got %v", test.status, set.Warnings)
			}
			continue
		}
		w := set.Warnings[0]
		if len(set.Warnings) != 1 || w.Code != test.code || w.Text != test.text || !strings.HasPrefix(w.Facts[0], test.firstFact) || !strings.HasPrefix(w.Advice, test.advice) {
			t.Errorf("%s: got %v, want %s: %s", test.status, set.Warnings, test.code, test.text)
		}
		if got, want := w.Facts[len(w.Facts)-1], "excluded from the comparison for every variant; its output: assay show k2vf --log 31"; got != want {
			t.Errorf("%s: got %q, want %q", test.status, got, want)
		}
	}
}

// What a command prints is compared once the base has printed the same twice. The reason
// has both hashes and the trials to look at.
func TestDifferentOutput(t *testing.T) {
	p := planOf([]string{"X"}, "a", "b")
	p.Study.Workloads[0].Kind = assay.KindCommand
	set := NewSet(p)
	printed := func(id int, variant, output string) assay.Trial {
		tr := took(variant, "X", 1)
		tr.ID, tr.Output = id, strings.Repeat(output, 64)
		return tr
	}
	set.Add([]assay.Trial{printed(1, "a", "0"), printed(2, "b", "1")})
	if b := set.Benchmarks[0]; b.Failed != "" {
		t.Errorf("excluded by one output of the base: %s", b.Failed)
	}
	set.Add([]assay.Trial{printed(3, "b", "0"), printed(4, "a", "0")})
	if got, want := set.Benchmarks[0].Failed, `answered differently: its output has SHA-256 11111111, that of "a" 00000000: compare trials 2 and 1`; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	set = NewSet(p)
	set.Add([]assay.Trial{printed(1, "a", "0"), printed(2, "b", "1")})
	set.Add([]assay.Trial{printed(3, "b", "1"), printed(4, "a", "2")})
	if b := set.Benchmarks[0]; b.Failed != "" || len(set.Warnings) != 1 || set.Warnings[0].Code != assay.CodeOutputVaries {
		t.Fatalf("excluded by %q, with %v, want a warning that outputs vary", b.Failed, set.Warnings)
	}
	if got, want := set.Warnings[0].Facts, []string{`"a" did not print in trial 4 what it did in trial 1: assay show k2vf --log 4`}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	set.Add([]assay.Trial{printed(5, "a", "0"), printed(6, "b", "1")})
	if s := set.Sample(bench("X"), assay.MetricTime, "b"); len(s.D) != 3 || len(set.Warnings) != 1 {
		t.Errorf("got %d blocks and %d warnings, want 3 and 1", len(s.D), len(set.Warnings))
	}
}

// A server that does not start costs its block, and more than one block in ten the whole
// benchmark. The warning counts the starts of each variant, the worst first.
func TestFailedStarts(t *testing.T) {
	for _, test := range []struct {
		name     string
		fails    []int // blocks in which b fails
		blocks   int
		excluded string
		code     assay.Code
		text     string
		facts    []string
	}{
		{"one", []int{3}, 5, "", assay.CodeStartFailed, `X: 1 of 5 starts of "b" failed, 0 of 5 of "a"`,
			[]string{`block 3, "b": failed: never ready`, "its output: assay show k2vf --log 31", "assay leaves block 3 out of every comparison; the others count"}},
		{"two of twenty", []int{15, 20}, 20, "", assay.CodeStartFailed, `X: 2 of 20 starts of "b" failed, 0 of 20 of "a"`,
			[]string{`block 15, "b": failed: never ready`, "its output: assay show k2vf --log 151",
				"assay leaves blocks 15 and 20 out of every comparison; the others count"}},
		{"more than one in ten", []int{18, 19}, 19, "2 of 19 blocks failed: never ready", assay.CodeBenchFailed, `X: 2 of 19 starts of "b" failed, 0 of 19 of "a"`,
			[]string{`block 18, "b": failed: never ready`, "its output: assay show k2vf --log 181",
				"excluded from the comparison for every variant: more than 1 in 10 blocks (2 of 19)"}},
	} {
		p := planOf([]string{"X"}, "a", "b")
		p.Study.Workloads[0].Kind = assay.KindService
		set, faults := NewSet(p), NewFaults(p)
		for block := 1; block <= test.blocks; block++ {
			a, b := took("a", "X", 1), took("b", "X", 2)
			a.Block, b.Block, a.ID, b.ID = block, block, 10*block, 10*block+1
			if slices.Contains(test.fails, block) {
				b.Status, b.Reason, b.Observations = assay.StatusFailed, "never ready", nil
			}
			set.Add([]assay.Trial{b, a})
			faults.Add([]assay.Trial{b, a})
			if got := faults.Spoiled(bench("X")); got != slices.Contains(test.fails, block) {
				t.Errorf("%s: block %d is spoiled: %v", test.name, block, got)
			}
		}
		if got := set.Benchmarks[0].Failed; got != test.excluded || faults.Excluded(bench("X")) != (test.excluded != "") {
			t.Errorf("%s: excluded by %q, want %q", test.name, got, test.excluded)
		}
		if s := set.Sample(bench("X"), assay.MetricTime, "b"); test.excluded == "" && len(s.D) != test.blocks-len(test.fails) {
			t.Errorf("%s: got %d blocks, want the others", test.name, len(s.D))
		}
		ws := set.LostBlocks()
		if len(ws) != 1 || ws[0].Code != test.code || ws[0].Text != test.text || !slices.Equal(ws[0].Facts, test.facts) {
			t.Errorf("%s: got %+v, want %s: %s\n%q", test.name, ws, test.code, test.text, test.facts)
		}
	}
}

// Exit status 1 may be the answer "no"; anything else that a command says is its failure.
func TestNameStatus(t *testing.T) {
	const line = "assay compare '--cmd-a=grep -c x f' '--cmd-b=grep -cF x f'"
	for _, c := range []struct{ reason, command, fact, try, advice string }{
		{"exit status 1", line, "counts as a failure", "'grep -cF x f || true'", "the shell's own start"},
		{"exit status 1", "assay run a.toml", "counts as a failure", "", "COMMAND || true"},
		{"exit status 2", line, "counts as a failure", "", ""},
		{"no such file or directory", line, "", "", ""},
		{"signal: killed", line, "", "", ""},
	} {
		w := assay.Warning{Facts: []string{c.reason}}
		NameStatus(&w, c.reason, c.command)
		if !strings.Contains(strings.Join(w.Facts, "\n"), c.fact) || (len(w.Facts) > 1) != (c.fact != "") || !strings.Contains(w.Try, c.try) || (w.Try == "") != (c.try == "") ||
			!strings.Contains(w.Advice, c.advice) || (w.Advice == "") != (c.advice == "") {
			t.Errorf("%s of %s: got %+v", c.reason, c.command, w)
		}
	}
}
