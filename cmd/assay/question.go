package main

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/runs"
	"github.com/seed-1318a441/assay/internal/session"
	"github.com/seed-1318a441/assay/internal/usage"
)

// asksHere returns what tells whether words are a comparison that assay can make here.
func asksHere(cmd *cobra.Command) usage.Asks {
	return func(words, dashed []string) bool {
		if areFiles(words, dashed) {
			return len(words) > 1
		}
		var line session.Line
		line.Variants, line.Dashed = words, dashed
		_, err := session.ReadLine(cmd.Context(), line)
		return err == nil
	}
}

// splitDash splits the arguments at "--".
func splitDash(cmd *cobra.Command, args []string) (before, after []string) {
	args = usage.Unshield(args)
	if n := cmd.ArgsLenAtDash(); n >= 0 {
		return args[:n], args[n:]
	}
	return args, nil
}

// areFiles reports whether the words are files of results, not variants, and nothing is for go
// test.
func areFiles(words, dashed []string) bool {
	return len(words) > 0 && len(dashed) == 0 && !slices.ContainsFunc(words, func(w string) bool { return !runs.IsResults(w) })
}

// areRevisions reports whether words that are files are names of revisions, too: go build
// writes a program of the name of its folder, which a branch may have.
func areRevisions(ctx context.Context, words []string) bool {
	return len(words) > 1 && !slices.ContainsFunc(words, func(w string) bool { return strings.ContainsAny(w, "./=") || !session.IsRevision(ctx, w) })
}

// programsError returns the error for two programs where files of results are read: with
// the flags, assay runs them.
func programsError(names []string, err error) error {
	for _, name := range names {
		info, failed := os.Stat(name)
		if failed != nil || !info.Mode().IsRegular() || info.Mode()&0o111 == 0 {
			return err
		}
	}
	if e, ok := errors.AsType[*assay.Error](err); ok && len(names) == 2 {
		return assay.NewError(e.Exit, e.Code, e.Text, []string{"to measure two programs, name them as commands"}, usage.Line("compare", []string{"--cmd-a", names[0], "--cmd-b", names[1]}, nil, nil))
	}
	return err
}
