package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

func newVersion(c *console) *cobra.Command {
	return &cobra.Command{Use: "version", Short: "Print the version of assay", Args: atMost(0),
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintln(c.stdout, versionLine())
			return err
		}}
}

// versionLine is what "assay version" and --version print.
func versionLine() string {
	return fmt.Sprintf("assay %s %s %s/%s", version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// version is the module's version, or the commit it was built from.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "(unknown)"
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			return "devel " + s.Value[:min(len(s.Value), 12)]
		}
	}
	return "devel"
}
