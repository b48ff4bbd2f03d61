package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/markdown"
	"github.com/seed-1318a441/assay/internal/terminal"
)

// underActions reports whether assay runs in a step of GitHub Actions.
func underActions() bool { return os.Getenv("GITHUB_ACTIONS") == "true" }

// toLog returns a writer for the log of a step, in which nothing but assay's own commands is
// one. A file is not the log.
func toLog(w io.Writer) io.Writer {
	if f, ok := w.(*os.File); ok {
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
			return w
		}
	}
	return terminal.Disarm(w)
}

// checkSummary checks, before anything is measured, that --summary has a file.
func checkSummary(f *runFlags) error {
	if f.summary && os.Getenv("GITHUB_STEP_SUMMARY") == "" {
		return assay.UsageError(assay.CodeSummary, "--summary: GITHUB_STEP_SUMMARY is not set", "-o summary.md")
	}
	return nil
}

// appendSummary appends a result to the step's summary, as Markdown, if --summary is set.
func appendSummary(f *runFlags, r *assay.Result) error {
	return summarise(f, func(w io.Writer) error { return markdown.Write(w, r, markdown.Options{}) })
}

// summarise appends what write writes to the step's summary, if --summary is set.
func summarise(f *runFlags, write func(io.Writer) error) error {
	if err := checkSummary(f); err != nil || !f.summary {
		return err
	}
	file, err := os.OpenFile(os.Getenv("GITHUB_STEP_SUMMARY"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err == nil {
		err = errors.Join(write(file), file.Close())
	}
	if err != nil {
		return assay.UsageError(assay.CodeSummary, fmt.Sprintf("--summary: %v", err), "-o summary.md")
	}
	return nil
}

// annotate repeats a result's warnings as annotations of GitHub Actions.
func annotate(c *console, f *runFlags, warnings []assay.Warning) {
	if underActions() && !c.quiet && !f.events {
		annotations(c.commands, warnings)
	}
}

// group returns a function that folds the log of some work under a title. It is nil
// outside GitHub Actions, and without progress lines.
func group(c *console, f *runFlags) func(string, func() error) error {
	if !underActions() || c.quiet || f.events || f.progress == "none" {
		return nil
	}
	return func(title string, do func() error) error {
		fmt.Fprintf(c.commands, "::group::%s\n", commandData.Replace(title))
		err := do()
		fmt.Fprintln(c.commands, "::endgroup::")
		return err
	}
}

// annotations writes warnings as workflow commands.
func annotations(w io.Writer, warnings []assay.Warning) {
	for _, x := range warnings {
		lines := append([]string{x.Text}, x.Facts...)
		if remedy := x.Remedy(); remedy != "" {
			lines = append(lines, remedy)
		}
		for i, l := range lines {
			lines[i] = terminal.Style{}.Text(l)
		}
		fmt.Fprintf(w, "::warning title=%s::%s\n", commandProperty.Replace("assay "+terminal.Style{}.Text(string(x.Code))), commandData.Replace(strings.Join(lines, "\n")))
	}
}

// These escape the data and the properties of a workflow command; see actions/toolkit,
// command.ts.
var (
	commandData     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	commandProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)
