package page

import (
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
)

// Whoever reads a page is in the folder of the study, not in that of its author.
func TestPortable(t *testing.T) {
	for command, want := range map[string]string{
		"assay run --budget=20m0s studies/arc":                "assay run --budget=20m0s .",
		"assay run .":                                         "assay run .",
		"assay run /home/me/s/study.toml":                     "assay run .",
		"assay tune --budget=6m0s 'my studies/tune.toml'":     "assay tune --budget=6m0s tune.toml",
		`assay run C:\s\pgo.toml`:                             "assay run pgo.toml",
		"assay run --budget=1m0s":                             "assay run --budget=1m0s",
		"assay compare go1.25.7 go1.26.8 -- -bench=. ./codec": "assay compare go1.25.7 go1.26.8 -- -bench=. ./codec",
		"--gates=stop, to measure only what passes":           "--gates=stop, to measure only what passes",
		"": "",
	} {
		if got, _ := Portable(command); got != want {
			t.Errorf("%q: got %q, want %q", command, got, want)
		}
	}
}

// No path of the author's machine is in a page, and nothing to type that needs the run.
func TestPageHasNoPathOfItsAuthor(t *testing.T) {
	r := assay.Result{Schema: 1, Run: "7k2m", Ref: "/home/me/records/7k2m", Command: "assay run /home/me/study",
		Warnings: []assay.Warning{{Code: assay.CodeUndecided, Text: "1 of 2", Facts: []string{"widest: X", "--more adds to run 7k2m; nothing is measured again"}, Try: "assay run --more 11h /home/me/study"}},
		Explanations: []assay.Explanation{{CPU: &assay.CPUChange{Command: "go tool pprof -top -diff_base=/home/me/a /home/me/b"},
			Allocs: &assay.AllocChange{Command: "go tool pprof -top -diff_base=/home/me/a /home/me/b"}}}}
	p := New(&assay.Merged{Machines: []assay.Machine{{Result: r}}}, "assay")
	text, err := marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(text), "/home/me") || strings.Contains(string(text), "nothing is measured again") {
		t.Errorf("the page has a path of its author: %s", text)
	}
	w := p.Machines[0].Result.Warnings[0]
	if got, want := w.Facts[1], "--more 11h would add to run 7k2m, where it was measured"; got != want || w.Try != "" {
		t.Errorf("got %q, try %q; want %q and nothing to try", got, w.Try, want)
	}
	if r.Explanations[0].CPU.Command == "" || r.Warnings[0].Try == "" {
		t.Error("the result itself was changed")
	}
}
