package runs

import (
	"os"
	"strings"
)

// SplitName splits NAME=RUN. A path that exists has no name.
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
