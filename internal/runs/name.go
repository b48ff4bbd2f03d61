package runs

import (
	"os"
	"strings"
)

// SplitName splits NAME=RUN; a path that exists is no name.
func SplitName(a string) (name, run string) {
	name, run, ok := strings.Cut(a, "=")
	if !ok || name == "" {
		return "", a
	}
	if _, err := os.Stat(a); err == nil {
		return "", a
	}
	return name, run
}
