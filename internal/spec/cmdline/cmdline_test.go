package cmdline

import (
	"errors"
	"reflect"
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/spec"
)

// checkExit holds that an error is one for the user.
func checkExit(t *testing.T, err error) {
	t.Helper()
	e, ok := errors.AsType[*assay.Error](err)
	if !ok || e.Exit != assay.ExitUsage || e.Code == "" || e.Text == "" {
		t.Errorf("got %#v, want an *assay.Error for the user", err)
	}
}

// roundTrip formats a study with its defaults, parses it and compares.
func roundTrip(t *testing.T, s *assay.Study) {
	t.Helper()
	text := spec.Format(s)
	back, err := spec.Parse("formatted.toml", text)
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	if !reflect.DeepEqual(back, s) {
		t.Errorf("got  %+v\nwant %+v\nfrom\n%s", back, s, text)
	}
	if again := string(spec.Format(back)); again != string(text) {
		t.Errorf("formatted twice:\n%s\nand\n%s", text, again)
	}
}

// checkUsage compares an *assay.Error of exit status 2 with its text.
func checkUsage(t *testing.T, err error, want string) {
	t.Helper()
	e, ok := errors.AsType[*assay.Error](err)
	if !ok {
		t.Fatalf("got %v, want an *assay.Error", err)
	}
	if e.Error() != want {
		t.Errorf("got:\n%s\nwant:\n%s", e, want)
	}
	if e.Exit != assay.ExitUsage {
		t.Errorf("exit status %d, want %d", e.Exit, assay.ExitUsage)
	}
}
