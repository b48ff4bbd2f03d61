package spec

import (
	"fmt"
	"strings"

	"github.com/seed-1318a441/assay/internal/spec/goflag"
)

// goFlag returns a function that reads a flag for a destination, with its value in the
// same word.
func goFlag(to goflag.Destination) func(string) (string, error) {
	return func(arg string) (string, error) { return goflag.Join(goflag.Cut(arg)), checkGoFlag(arg, to) }
}

func checkGoFlag(arg string, to goflag.Destination) error {
	name, _, hasValue := goflag.Cut(arg)
	f, known := goflag.Known[name]
	_, refusal := goflag.Refusal(name)
	keys := map[goflag.Destination]string{goflag.ToTest: "test_flags", goflag.ToBuild: "build_flags"}
	switch {
	case !strings.HasPrefix(arg, "-"):
		return fmt.Errorf("is not a flag; it starts with no dash")
	case !known:
		return fmt.Errorf("is not a flag of go test; flags of the test binary's own go into args")
	case f.To == goflag.Owned:
		return fmt.Errorf("is refused: %s", refusal)
	case f.To == goflag.ToAssay:
		return fmt.Errorf("has a key of its own: %s", map[string]string{"bench": "bench", "benchtime": "benchtime", "benchmem": "benchmem",
			"run": "bench", "cpu": "gomaxprocs in [measure]", "timeout": "timeout in [measure]"}[name])
	case f.To != to:
		return fmt.Errorf("belongs in %s", keys[f.To])
	case f.Value && !hasValue:
		return fmt.Errorf("needs its value: \"%s=…\"", arg)
	}
	return nil
}
