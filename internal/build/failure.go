package build

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/disk"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/shell"
	"github.com/seed-1318a441/assay/internal/source"
)

const (
	// maxFacts is the number of compiler lines that an error quotes.
	maxFacts = 6
	// maxFact is the number of characters of one.
	maxFact = 400
)

// buildFailed returns the error of a build whose output is in the file log.
func buildFailed(j job, doing, log string, cause error) error {
	facts := firstLines(log)
	if len(facts) == 0 {
		facts = []string{printable.Short(cause.Error(), maxFact)}
	}
	chatter := head(log)
	where := "log: " + disk.Tilde(log)
	if e := collision(j, chatter, where); e != nil {
		return e
	}
	if e := newerGo(j, chatter, append(facts, where)); e != nil {
		return e
	}
	for _, l := range j.tree.Lacking {
		facts = append(facts, fmt.Sprintf("submodule %s is empty: its commit %.12s is not here", l.Path, l.Commit))
	}
	if j.tree.Overlay != nil && strings.Contains(chatter, "(-lang was set to ") {
		facts = append(facts, "an overlay is compiled in the language of the source's go.mod; it may hold a go.mod of its own, and the module of a source.suite keeps its own language")
	}
	text := fmt.Sprintf("variant %q: %s failed", j.Variant.Name, doing)
	return assay.NewError(assay.ExitBuild, assay.CodeBuildFailed, text, append(facts, where), remedy(j, facts))
}

// maxLog is how much of a log is read for what it says, in bytes.
const maxLog = 1 << 20

// head returns the beginning of a log.
func head(log string) string {
	f, err := os.Open(log)
	if err != nil {
		return ""
	}
	defer f.Close()
	data, _ := io.ReadAll(io.LimitReader(f, maxLog)) // what could be read is as good
	return string(data)
}

// firstLines returns the first lines of a build's log that say what is wrong.
func firstLines(log string) []string {
	var lines []string
	for l := range strings.Lines(head(log)) {
		if l = strings.TrimRight(l, " \r\n"); tells(l) {
			lines = append(lines, fact(strings.TrimPrefix(l, "go: ")))
		}
		if len(lines) == maxFacts {
			break
		}
	}
	return lines
}

// fact makes a compiler's line printable. Its indent means that it continues the line
// before.
func fact(line string) string {
	if strings.HasPrefix(line, "\t") {
		return "\t" + printable.Short(line, maxFact)
	}
	return printable.Short(line, maxFact)
}

// tells reports whether a line of a failed build is about the failure.
func tells(line string) bool {
	chatter := []string{"# ", "FAIL", "go: downloading ", "go: finding ", "WORK=", "usage: "}
	return line != "" && !slices.ContainsFunc(chatter, func(p string) bool { return strings.HasPrefix(line, p) })
}

// remedy returns the cure for failures that are not about the code.
func remedy(j job, facts []string) string {
	if len(j.tree.Lacking) > 0 {
		return j.tree.Lacking[0].Warning().Try
	}
	all := strings.Join(facts, "\n")
	if strings.Contains(all, "GOPROXY=off") || strings.Contains(all, "dial tcp") {
		return "go mod download   where the module proxy can be reached"
	}
	return ""
}

// missing returns the error of a pattern that names no package.
func (j job) missing(p listed) error {
	dir := source.ModuleDir(j.Study, j.Source)
	switch {
	case p.Error == nil:
		return nil
	case j.tree.Sum == "" && disk.FindUp(dir, "go.mod") == "": // a module version is a module, wherever one asks
		return j.outside(dir)
	case p.Dir == "" || len(p.files()) == 0 && len(p.testFiles()) == 0:
		return assay.NewError(assay.ExitUsage, assay.CodeNoPackage, fmt.Sprintf("variant %q has no package %s", j.Variant.Name, strings.Join(p.Match, " ")),
			[]string{printable.LastLine(p.Error.Err)}, "")
	}
	return nil
}

// outside is the error of a folder that is in no module.
func (j job) outside(dir string) error {
	what := "benchmarks"
	if j.Program {
		what = "program"
	}
	facts, try := []string{"there is no go.mod in it, nor in a folder above it"}, "the module that has the "+what
	switch below := source.ModulesBelow(dir); {
	case len(below) == 1:
		facts, try = append(facts, "there is one in "+below[0]), "cd "+shell.Quote(below[0])
	case len(below) > 1:
		facts = append(facts, "there are modules in "+printable.Few(below, 3))
	}
	return assay.NewError(assay.ExitUsage, assay.CodeOutsideModule, disk.Tilde(dir)+" is in no Go module", facts, try)
}
