package usage

import (
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/spec"
)

// A timeSpan is a flag's duration, in the form that studies use.
type timeSpan struct{ value *time.Duration }

// DurationVar adds a flag for a duration.
func DurationVar(fs *pflag.FlagSet, p *time.Duration, name string, value time.Duration, usage string) {
	*p = value
	fs.Var(timeSpan{p}, name, usage)
}

// String implements pflag.Value. pflag also calls it on a zero value.
func (t timeSpan) String() string {
	if t.value == nil {
		return ""
	}
	return t.value.String()
}

// Type implements pflag.Value.
func (t timeSpan) Type() string { return "duration" }

// Set implements pflag.Value.
func (t timeSpan) Set(s string) error {
	d, err := spec.Flag(s, spec.Duration)
	if err == nil {
		*t.value = d
	}
	return err
}

// A Choice is a flag's value from a list of words.
type Choice struct {
	value *string
	// Words is the list.
	Words []string
}

// ChoiceVar adds a flag for a word from a list. Its default is what p holds.
func ChoiceVar(fs *pflag.FlagSet, p *string, words []string, name, usage string) {
	fs.Var(&Choice{p, words}, name, usage)
}

// String implements pflag.Value.
func (c *Choice) String() string { return *c.value }

// Type implements pflag.Value.
func (c *Choice) Type() string { return "string" }

// Set implements pflag.Value.
func (c *Choice) Set(s string) error {
	if !slices.Contains(c.Words, s) {
		return &spec.BadValue{Problem: "is not one of " + strings.Join(c.Words, ", "), Right: printable.NearestName(s, c.Words)}
	}
	*c.value = s
	return nil
}
