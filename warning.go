package assay

import "strings"

// A Warning is attached to what it weakens. "assay help CODE" explains every code.
type Warning struct {
	// Code is stable, such as "benchmark-sets-differ".
	Code Code `json:"code"`
	// Text is one sentence: lower case, no full stop.
	Text string `json:"text"`
	// Facts are lines of detail.
	Facts []string `json:"facts,omitempty"`
	// Try is a command to try next.
	Try string `json:"try,omitempty"`
}

// Minor reports whether texts show the warning only with --all.
func (w Warning) Minor() bool { return w.Code == CodePair }

// Broken reports whether the warning says that a part of the study failed: a benchmark, its
// output, or in some variants the build of its package.
func (w Warning) Broken() bool {
	return w.Code == CodeBenchFailed || w.Code == CodeBuildFailed || w.Code == CodeWrongOutput
}

// String returns the text and code, then the indented facts and the remedy.
func (w Warning) String() string {
	var b strings.Builder
	b.WriteString(w.Text + "   [" + string(w.Code) + "]")
	for _, f := range w.Facts {
		b.WriteString("\n  " + f)
	}
	if w.Try != "" {
		b.WriteString("\n  try: " + w.Try)
	}
	return b.String()
}

// An Error is a Warning that ended the work, with its exit status.
type Error struct {
	Warning
	Exit int `json:"exit"`
}

// NewError returns an Error with an exit status. facts and try may be empty.
func NewError(exit int, code Code, text string, facts []string, try string) *Error {
	return &Error{Exit: exit, Warning: Warning{Code: code, Text: text, Facts: facts, Try: try}}
}

// Error implements error.
func (e *Error) Error() string { return e.Warning.String() }

// UsageError returns an error with exit status 2. try is a correct command.
func UsageError(code Code, text, try string) *Error {
	return NewError(ExitUsage, code, text, nil, try)
}

// Exit statuses of the program.
const (
	ExitOK          = 0
	ExitGate        = 1 // a gate failed
	ExitUsage       = 2 // flags, study file, unknown variant
	ExitUndecided   = 3 // a gate could not be decided
	ExitBuild       = 4 // a variant did not build, or a benchmark failed
	ExitRefused     = 5 // the machine cannot measure it
	ExitInterrupted = 130
)
