package main

import (
	"os"

	"github.com/seed-1318a441/assay/internal/session"
)

// areBinaries tells two files to compare from a run and a benchmark.
func areBinaries(args []string) bool {
	if len(args) != 2 {
		return false
	}
	for _, a := range args {
		if info, err := os.Stat(a); err != nil || !info.Mode().IsRegular() {
			return false
		}
	}
	return true
}

// explainFiles prints how the code of two Go binaries differs.
func explainFiles(c *console, f *explainFlags, args []string) error {
	r, err := session.ExplainFiles(args[0], args[1], f.Named)
	if err != nil {
		return err
	}
	return printExplanations(c, f, r, r.Explanations)
}
