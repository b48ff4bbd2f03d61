package milestone

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
)

// vetLine matches the beginning of go vet's lines about code.
var vetLine = regexp.MustCompile(`^(vet: )?[^\s:]+\.(go|s|S|mod):\d+(:\d+)?: `)

func checkVet(ctx context.Context, t *task) error {
	args := append([]string{"vet"}, t.jobs()...)
	err := t.run(ctx, t.step, t.step.Dir, &t.said, &t.said, append(args, "./...")...)
	if ctx.Err() != nil || !exited(err) {
		return err
	}
	if err == nil {
		t.set(assay.GateHeld, "go vet finds nothing")
		return nil
	}
	said := string(t.said.bytes())
	var found []string
	for line := range strings.Lines(said) {
		if vetLine.MatchString(line) {
			found = append(found, strings.TrimPrefix(strings.TrimSpace(line), "vet: "))
		}
	}
	if len(found) == 0 {
		return fmt.Errorf("go vet: %s", orNothing(firstError(said)))
	}
	t.set(assay.GateFailed, printable.Count(len(found), "finding")+" of go vet", found...)
	return nil
}

// jobs returns the flag that limits the go command's parallelism.
func (t *task) jobs() []string {
	if t.Jobs < 1 {
		return nil
	}
	return []string{fmt.Sprintf("-p=%d", t.Jobs)}
}
