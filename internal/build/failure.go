package build

import (
	"bufio"
	"fmt"
	"os"
	"strings"

	"github.com/seed-1318a441/assay"
)

// maxFacts is the number of compiler lines that an error quotes.
const maxFacts = 6

func failure(exit int, code, text string, facts []string, try string) *assay.Error {
	return &assay.Error{Exit: exit, Warning: assay.Warning{Code: code, Text: text, Facts: facts, Try: try}}
}

// buildFailed is the error of a build whose chatter is in the file log.
func buildFailed(j job, doing, log string, cause error) error {
	facts := firstLines(log)
	if len(facts) == 0 {
		facts = []string{cause.Error()}
	}
	text := fmt.Sprintf("variant %q: %s failed", j.Variant.Name, doing)
	return failure(assay.ExitBuild, "build-failed", text, append(facts, "log: "+home(log)), remedy(facts))
}

// firstLines returns the first lines of a build's log that say what is wrong.
func firstLines(log string) []string {
	f, err := os.Open(log)
	if err != nil {
		return nil
	}
	defer f.Close()
	var lines []string
	for sc := bufio.NewScanner(f); sc.Scan() && len(lines) < maxFacts; {
		if l := strings.TrimRight(sc.Text(), " \r"); tells(l) {
			lines = append(lines, strings.TrimPrefix(l, "go: "))
		}
	}
	return lines
}

// tells reports whether a line of a failed build is about the failure.
func tells(line string) bool {
	for _, p := range []string{"# ", "FAIL", "go: downloading ", "WORK=", "usage: "} {
		if strings.HasPrefix(line, p) {
			return false
		}
	}
	return line != ""
}

// remedy knows what helps against the failures that are not about the code.
func remedy(facts []string) string {
	all := strings.Join(facts, "\n")
	if _, after, ok := strings.Cut(all, "requires go >= "); ok {
		v, _, _ := strings.Cut(after, " ")
		return "go" + v + " or later for this variant"
	}
	if strings.Contains(all, "GOPROXY=off") || strings.Contains(all, "dial tcp") {
		return "go mod download, where the module proxy can be reached"
	}
	return ""
}
