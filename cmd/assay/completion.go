package main

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/doctor"
	"github.com/seed-1318a441/assay/internal/runs"
	"github.com/seed-1318a441/assay/internal/session"
	"github.com/seed-1318a441/assay/internal/usage"
)

// A completion lists the words for a place of the command line.
type completion = func(cmd *cobra.Command, args []string, toComplete string) ([]cobra.Completion, cobra.ShellCompDirective)

// addCompletions adds completions to every command: only cheap ones, because users wait
// for each.
func addCompletions(root *cobra.Command) {
	arguments := map[string]completion{
		"show": firstRun, "explain": firstRun, "export": firstRun, "gate": firstRun, "merge": someRuns, "report": someRuns,
		"compare": variantWords, "init": variantWords, "plan": variantWords, "bisect": variantWords, "knobs": toolchainWords,
		"run": studyFiles, "tune": studyFiles, "machines": machineArgument,
	}
	for _, cmd := range root.Commands() {
		if f, ok := arguments[cmd.Name()]; ok {
			cmd.ValidArgsFunction = f
		}
		cmd.Flags().VisitAll(func(f *pflag.Flag) { completeFlag(cmd, f) })
	}
	root.PersistentFlags().VisitAll(func(f *pflag.Flag) { completeFlag(root, f) })
}

// flagValues are the words for flags that are no choice, by the flag's name, or that of the
// command and the flag.
var flagValues = map[string][]cobra.Completion{
	"collect":     {assay.CollectGC, "code", assay.CollectCPU, "mem"},
	"expect":      {"same", "any", "file:"},
	"layouts":     {"fresh", "1", "12"},
	"gate metric": {assay.MetricTime + "=", assay.MetricAllocs + "=", assay.MetricBytes + "="},
	"goarch":      {"amd64", "386", "arm64"},
}

func completeFlag(cmd *cobra.Command, f *pflag.Flag) {
	words, known := flagValues[f.Name]
	if !known {
		words, known = flagValues[cmd.Name()+" "+f.Name]
	}
	if c, ok := f.Value.(*usage.Choice); ok {
		words, known = c.Words, true
	}
	switch {
	case known:
		directive := cobra.ShellCompDirectiveNoFileComp
		if slices.ContainsFunc(words, func(w string) bool { return strings.HasSuffix(w, "=") || strings.HasSuffix(w, ":") }) {
			directive |= cobra.ShellCompDirectiveNoSpace
		}
		cmd.RegisterFlagCompletionFunc(f.Name, cobra.FixedCompletions(words, directive))
	case f.Name == "on":
		cmd.RegisterFlagCompletionFunc(f.Name, machineWords)
	case f.Name == "store" || f.Name == "dir":
		cmd.MarkFlagDirname(f.Name)
	case f.Name != "output" && f.Name != "stdin" && f.Value.Type() != "bool":
		cmd.RegisterFlagCompletionFunc(f.Name, cobra.NoFileCompletions)
	}
}

// storedRuns lists the names of the runs in the store.
func storedRuns(cmd *cobra.Command) (out []cobra.Completion) {
	store := session.StoreDir
	if f := cmd.Flags().Lookup("store"); f != nil {
		store = f.Value.String()
	}
	for _, name := range runs.Names(store) {
		out = append(out, cobra.CompletionWithDesc(name[0], name[1]))
	}
	return out
}

// firstRun completes commands whose first argument is a run. It may be a path, too.
func firstRun(cmd *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return storedRuns(cmd), cobra.ShellCompDirectiveDefault
}

// someRuns completes commands of many runs, each with an optional NAME= in front.
func someRuns(cmd *cobra.Command, _ []string, toComplete string) ([]cobra.Completion, cobra.ShellCompDirective) {
	name, _, named := strings.Cut(toComplete, "=")
	out := storedRuns(cmd)
	if named {
		for i := range out {
			out[i] = name + "=" + out[i]
		}
	}
	return out, cobra.ShellCompDirectiveDefault
}

// toolchainWords completes toolchains that need no download.
func toolchainWords(cmd *cobra.Command, _ []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	out, _ := session.Known(cmd.Context())
	return out, cobra.ShellCompDirectiveNoFileComp
}

// variantWords completes variants: toolchains, the working tree, and named revisions.
// Files are possible, too.
func variantWords(cmd *cobra.Command, _ []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	out, refs := session.Known(cmd.Context())
	if len(refs) > 0 {
		out = append(out, cobra.CompletionWithDesc(".", "the tree as it is now"), cobra.CompletionWithDesc("HEAD~1", "the commit before"))
		out = append(out, refs...)
	}
	return out, cobra.ShellCompDirectiveDefault
}

// machineWords completes machines: the names of the user's file, and how addresses begin.
func machineWords(_ *cobra.Command, _ []string, toComplete string) (out []cobra.Completion, _ cobra.ShellCompDirective) {
	directive := cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace // an address goes on
	for _, m := range doctor.Names() {
		out = append(out, cobra.CompletionWithDesc(m[0], m[1]))
		if strings.HasPrefix(m[0], toComplete) {
			directive = cobra.ShellCompDirectiveNoFileComp
		}
	}
	return append(out, cobra.CompletionWithDesc(assay.SSHScheme, "[USER@]HOST[:PORT]"), cobra.CompletionWithDesc(assay.AgentScheme, "the name of a machine of a hub"),
		cobra.CompletionWithDesc(assay.PoolScheme, "a label of machines of a hub")), directive
}

// machineArgument completes the only argument of a command.
func machineArgument(cmd *cobra.Command, args []string, toComplete string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return machineWords(cmd, args, toComplete)
}

// studyFiles completes a study: a TOML file, or the folder of one.
func studyFiles(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	here, _ := filepath.Glob("studies/*/study.toml")
	if len(here) == 0 {
		return []cobra.Completion{"toml"}, cobra.ShellCompDirectiveFilterFileExt
	}
	for i, name := range here {
		here[i] = filepath.ToSlash(filepath.Dir(name))
	}
	return here, cobra.ShellCompDirectiveDefault
}
