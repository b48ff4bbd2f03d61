package session

import (
	"fmt"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/cache"
	"github.com/seed-1318a441/assay/internal/record"
	"github.com/seed-1318a441/assay/internal/shell"
)

// sign marks the new run as made here. If no key can be kept the run stays unsigned, and
// resuming it needs --trust.
func (s *Session) sign() error {
	key, err := record.Key(s.Builder.Cache.Dir)
	if err != nil {
		return nil
	}
	return s.Record.Sign(key)
}

// TrustError returns an error for running programs from a plan that was not made here,
// unless trust is set. command is the command line that would run them.
func TrustError(trust bool, run *record.Run, command string) error {
	if key, err := record.Key(cache.New("").Dir); trust || err == nil && run.Signed(key) {
		return nil
	}
	text := fmt.Sprintf("run %s was not made by you on this machine, and this would build and run what its plan names", run.Plan.Run)
	return assay.NewError(assay.ExitRefused, assay.CodeNotMadeHere, text, Programs(&run.Plan.Study), shell.Switch(command, "trust"))
}
