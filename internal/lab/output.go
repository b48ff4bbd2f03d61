package lab

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"strings"

	"github.com/seed-1318a441/assay"
)

// WantedOutput returns the hash of a benchmark's output that the study requires, "" for
// none.
func WantedOutput(s *assay.Study, workload int, name string) (string, error) {
	file, ok := strings.CutPrefix(s.Workloads[workload].Expect, "file:")
	if !ok {
		return "", nil
	}
	data, err := os.ReadFile(s.Path(strings.ReplaceAll(file, assay.PlaceName, name)))
	if err != nil {
		return "", assay.NewError(assay.ExitUsage, assay.CodeNoOutput, fmt.Sprintf("cannot read the output that %s should have", name),
			[]string{err.Error()}, "expect = \"same\", which compares the variants' outputs with each other")
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:]), nil
}

// checkFiles checks, before anything is built, that the files exist that commands read or
// are compared with.
func checkFiles(s *assay.Study) error {
	for i, w := range s.Workloads {
		for _, name := range w.Names {
			if _, err := WantedOutput(s, i, name); err != nil {
				return err
			}
			if w.Stdin == "" {
				continue
			}
			if _, err := os.Stat(s.Path(strings.ReplaceAll(w.Stdin, assay.PlaceName, name))); err != nil {
				return assay.NewError(assay.ExitUsage, assay.CodeNoInput, fmt.Sprintf("there is no standard input for %s", name),
					[]string{err.Error()}, "stdin = a file, its path from the study's folder")
			}
		}
	}
	return nil
}
