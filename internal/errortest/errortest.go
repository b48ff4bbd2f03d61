// Package errortest looks at errors in tests.
package errortest

import (
	"errors"
	"testing"

	"github.com/seed-1318a441/assay"
)

// Want fails a test whose err is no *assay.Error of a code and exit status, and returns
// the text of the error.
func Want(t testing.TB, err error, code assay.Code, exit int) string {
	t.Helper()
	var e *assay.Error
	if !errors.As(err, &e) {
		t.Fatalf("got error %v, want [%s]", err, code)
	}
	if e.Code != code || e.Exit != exit {
		t.Errorf("got [%s] exit %d, want [%s] exit %d: %v", e.Code, e.Exit, code, exit, err)
	}
	return err.Error()
}
