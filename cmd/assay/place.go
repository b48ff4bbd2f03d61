package main

import (
	"context"
	"io/fs"
	"os"
	"os/exec"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/seed-1318a441/assay/internal/spec/cmdline"
)

// specEnv answers what a compare line means in a folder.
func specEnv(ctx context.Context, dir string) cmdline.Env {
	return cmdline.Env{
		Dir: dir,
		IsRevision: func(w string) bool {
			return git(ctx, dir, "rev-parse", "--verify", "--quiet", "--end-of-options", w+"^{commit}") != ""
		},
		Revisions: func() []string {
			return append([]string{"HEAD"}, strings.Fields(git(ctx, dir, "for-each-ref", "--format=%(refname:short)"))...)
		},
		IsShallow: func() bool { return git(ctx, dir, "rev-parse", "--is-shallow-repository") == "true" },
	}
}

// git asks git; a folder outside a repository answers "".
func git(ctx context.Context, dir string, args ...string) string {
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}

// hereFS opens files by the names that the user typed, absolute ones too,
// which os.DirFS would refuse.
type hereFS struct{}

func (hereFS) Open(name string) (fs.File, error) { return os.Open(name) }

// changedFlags are the flags that shape the question, as they were given.
func changedFlags(cmd *cobra.Command) []string {
	var out []string
	cmd.Flags().Visit(func(f *pflag.Flag) {
		switch f.Name {
		case "color", "quiet", "json", "output", "progress", "events", "summary", "all", "more", "store", "strict", "undecided", "aa", "fix", "undo", "no-wait", "trust":
			return
		}
		values := []string{f.Value.String()}
		if list, ok := f.Value.(pflag.SliceValue); ok {
			values = list.GetSlice() // each was a flag of its own
		}
		for _, v := range values {
			out = append(out, flagWords(f, v)...)
		}
	})
	return out
}

// flagWords writes a flag as one word, or as two where the value has
// blanks: --cmd '{bin} script.lua' reads better than the whole in quotes.
func flagWords(f *pflag.Flag, value string) []string {
	switch {
	case f.Value.Type() == "bool":
		return []string{strings.TrimSuffix("--"+f.Name+"="+value, "=true")}
	case strings.ContainsAny(value, " \t\n"):
		return []string{"--" + f.Name, value}
	}
	return []string{"--" + f.Name + "=" + value}
}
