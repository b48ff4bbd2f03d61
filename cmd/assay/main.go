// Command assay measures which version of a Go program is faster, by how much, and how
// sure that is. See the README and "assay help".
package main

import (
	"context"
	"os"

	"github.com/seed-1318a441/assay/internal/fault"
)

func main() {
	defer fault.Exit()
	os.Exit(exitStatus(run(context.Background(), os.Stdout, os.Stderr, os.Args[1:]), os.Stderr))
}
