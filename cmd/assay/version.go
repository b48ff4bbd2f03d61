package main

import (
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/seed-1318a441/assay"
)

func newVersion(c *console) *cobra.Command {
	return &cobra.Command{Use: "version", Short: "Print the version of assay", Args: atMost(0),
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintln(c.stdout, versionLine())
			return err
		}}
}

// versionLine returns the line of "assay version" and --version.
func versionLine() string {
	return fmt.Sprintf("assay %s %s %s/%s", assay.Version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
