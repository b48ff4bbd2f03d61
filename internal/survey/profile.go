package survey

import (
	"fmt"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
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
