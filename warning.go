package assay

import (
	"slices"
	"strings"
)

// A Warning is attached to what it weakens. "assay help CODE" explains every code.
type Warning struct {
	// Code is stable, such as "benchmark-sets-differ".
	Code Code `json:"code"`
	// Text is one sentence: lower case, no full stop.
	Text string `json:"text"`
	// Facts are lines of detail.
	Facts []string `json:"facts,omitempty"`
	// Try is a command line to type next, as it is; "" if there is none.
	Try string `json:"try,omitempty"`
	// Advice says in words what helps, where Try is "" or more than that is known: a flag to
	// add, a key of the study, a change of the code.
	Advice string `json:"advice,omitempty"`
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
	if remedy := w.Remedy(); remedy != "" {
		b.WriteString("\n  " + remedy)
	}
	return b.String()
}

// Remedy is the line that says what to try: the command, and behind three blanks the
// advice; "" if there is neither.
func (w Warning) Remedy() string {
	if w.Try == "" && w.Advice == "" {
		return ""
	}
	return "try: " + strings.Trim(w.Try+"   "+w.Advice, " ")
}

// Suggest sets Try and Advice from what helps: a command line, words, or a command line and
// words behind three blanks.
func (w *Warning) Suggest(remedy string) {
	command, words, _ := strings.Cut(remedy, "   ")
	if IsCommandLine(command) {
		w.Try, w.Advice = command, strings.TrimSpace(words)
	} else {
		w.Try, w.Advice = "", remedy
	}
}

// programs are those that a command line to try may begin with.
var programs = []string{"assay", "apt", "brew", "cd", "CGO_ENABLED=0", "export", "git", "go", "GOWORK=off", "mkdir", "ssh", "sudo", "unset"}

// IsCommandLine reports whether a text is a command line and no sentence, by its first
// word.
func IsCommandLine(text string) bool {
	first, _, _ := strings.Cut(text, " ")
	return slices.Contains(programs, first)
}

// An Error is a Warning that ended the work, with its exit status.
type Error struct {
	Warning
	Exit int `json:"exit"`
}

// NewError returns an Error with an exit status. remedy is a command line or advice; facts
// and remedy may be empty.
func NewError(exit int, code Code, text string, facts []string, remedy string) *Error {
	e := &Error{Exit: exit, Warning: Warning{Code: code, Text: text, Facts: facts}}
	e.Suggest(remedy)
	return e
}

// Error implements error.
func (e *Error) Error() string { return e.Warning.String() }

// UsageError returns an error with exit status 2. remedy is that of NewError.
func UsageError(code Code, text, remedy string) *Error {
	return NewError(ExitUsage, code, text, nil, remedy)
}

// Exit statuses of the program.
const (
	ExitOK          = 0
	ExitGate        = 1  // a gate failed
	ExitUsage       = 2  // flags, study file, unknown variant
	ExitUndecided   = 3  // a gate could not be decided
	ExitBuild       = 4  // a variant did not build, or a benchmark failed
	ExitRefused     = 5  // the machine cannot measure it
	ExitFault       = 70 // a panic: assay itself is wrong (EX_SOFTWARE of sysexits.h)
	ExitInterrupted = 130
)
