package survey

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/disk"
	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/shell"
)

// badMatch is the share of samples below which a profile belongs to other code.
const badMatch = 0.5

// profileWarnings warns about profiles of other code than the build's, or with few
// samples. Variants with the same text share a warning.
func profileWarnings(infos []assay.ArtifactInfo) (out []assay.Warning) {
	who := map[assay.ProfileInfo][]string{}
	var order []assay.ProfileInfo
	for _, a := range infos {
		if p := a.Profile; p != nil && (p.Match < badMatch || p.Samples < assay.EnoughSamples) {
			if who[*p] == nil {
				order = append(order, *p)
			}
			who[*p] = append(who[*p], a.Variant)
		}
	}
	for _, p := range order {
		out = append(out, profileWarning(p, who[p]))
	}
	return out
}

func profileWarning(p assay.ProfileInfo, variants []string) assay.Warning {
	who := fmt.Sprintf("variant %q", variants[0])
	var facts []string
	if len(variants) > 1 {
		who, facts = fmt.Sprintf("%d variants", len(variants)), []string{printable.Few(variants, someNames)}
	}
	name := "the profile " + p.Path
	if p.Path == assay.PGOAuto {
		name = "the profile collected on the base"
	}
	if p.Match < badMatch {
		return assay.Warning{Code: assay.CodeProfileMatch, Text: fmt.Sprintf("%s: %s is of other code", who, name),
			Facts:  append(facts, fmt.Sprintf("%.0f %% of its %d samples are in functions that the program has", 100*p.Match, p.Samples)),
			Advice: `pgo = "auto", which collects one on the base`}
	}
	return assay.Warning{Code: assay.CodeProfileMatch, Text: fmt.Sprintf("%s: %s has %d samples only", who, name, p.Samples),
		Facts: append(facts, fmt.Sprintf("hot calls that it did not see are compiled as without it; with %d samples it sees those with 1 %% of the time", assay.EnoughSamples)), Advice: "a workload that runs longer"}
}

// unusedProfiles warns of a default.pgo that go build would use and assay does not, if it is
// not the same as the base's. Variants with the same one share a warning.
func unusedProfiles(study *assay.Study, changes []lab.ProfileChange, command string) (out []assay.Warning) {
	who := map[[2]lab.Profile][]string{}
	var order []lab.ProfileChange
	for _, c := range changes {
		key := [2]lab.Profile{c.Base, c.Of}
		if who[key] == nil {
			order = append(order, c)
		}
		who[key] = append(who[key], assay.Quoted(c.Variant))
	}
	for _, c := range order {
		name, how := c.Of.Name, "differs"
		switch {
		case c.Base.Name == "":
			how = "is new"
		case name == "":
			name, how = c.Base.Name, "is missing"
		}
		w := assay.Warning{Code: assay.CodeDefaultPGO,
			Text:  fmt.Sprintf("%s %s in %s: go build would use it, assay does not", printable.Files([]string{name}), how, printable.Few(who[[2]lab.Profile{c.Base, c.Of}], someNames)),
			Facts: []string{"assay builds without a profile unless a variant asks for one"}}
		if w.Try = withProfile(study, c, command); w.Try == "" {
			w.Advice = "-pgo=auto among the build flags of the workload, where it is that of go build"
		}
		out = append(out, w)
	}
	return out
}

// withProfile returns the command with the variant built with its default.pgo, if only that
// has one and it is in the working tree; else with every variant built as go build does.
// It is "" for a command that cannot say that.
func withProfile(study *assay.Study, c lab.ProfileChange, command string) string {
	line, ok := shell.ParseCommand(command)
	if !ok || line.Verb != "compare" {
		return ""
	}
	at := slices.IndexFunc(line.Words, func(word string) bool { return word == c.Variant || strings.HasPrefix(word, c.Variant+":") })
	digest, err := disk.Digest(study.Path(c.Of.Name))
	switch {
	case c.Base.Name == "" && err == nil && digest == c.Of.SHA256 && at >= 0 && !strings.ContainsAny(c.Of.Name, " \t'\""):
		line.Words = slices.Clone(line.Words)
		line.Words[at] += " -pgo=" + c.Of.Name
	case line.Test != nil:
		line.Test = slices.Insert(slices.Clone(line.Test), 0, "-pgo=auto")
	default:
		return ""
	}
	return line.String()
}
