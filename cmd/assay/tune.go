package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/seed-1318a441/assay"
)

func newTune(c *console) *cobra.Command {
	return studyCommand(c, &cobra.Command{
		Use:   "tune [flags] [STUDY.toml]",
		Short: "Race the variants of a study: which one is the best?",
		Long: "Race the variants of a study, such as those that its factors make. A variant leaves\n" +
			"when it is proved worse than the best one by more than --min-effect; the race ends\n" +
			"with the winner when none of the others can be better than it by more than that.\n" +
			"It takes less time than \"assay run\", which finds out how much every variant differs.",
		Example: "  assay tune studies/interpreters/tune.toml",
	}, func(s *assay.Study, name string) error {
		s.Decide.Race = true
		return raceable(s, name)
	})
}

// raceable returns an error for a study that a race cannot answer.
func raceable(s *assay.Study, name string) error {
	switch {
	case s.By != nil:
		return assay.UsageError(assay.CodeTune, "tune races variants, and those of [by] are found out later", "assay run "+name)
	case len(s.Variants) < 3:
		return assay.UsageError(assay.CodeTune, fmt.Sprintf("a race needs three variants or more, and %s has %d", name, len(s.Variants)), "assay run "+name)
	case s.Decide.Gate > 0:
		return assay.UsageError(assay.CodeTune, "a gate must check every variant, but a race drops the losers", "assay run "+name)
	}
	return nil
}
