package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/binary"
	"github.com/seed-1318a441/assay/internal/explain/code"
	"github.com/seed-1318a441/assay/internal/report"
	"github.com/seed-1318a441/assay/internal/shell"
)

// areBinaries tells two files to compare from a run and a benchmark.
func areBinaries(args []string) bool {
	if len(args) != 2 {
		return false
	}
	for _, a := range args {
		if info, err := os.Stat(a); err != nil || !info.Mode().IsRegular() {
			return false
		}
	}
	return true
}

// explainFiles compares the code of two Go binaries, wherever they are from and
// whatever they were built for: nothing is run.
func explainFiles(c *console, f *explainFlags, args []string) error {
	in := code.Input{Named: f.named}
	var err error
	if in.Base, in.BaseSize, err = openBinary(args[0]); err != nil {
		return err
	}
	if in.Variant, in.VariantSize, err = openBinary(args[1]); err != nil {
		return err
	}
	if in.Base.Arch != in.Variant.Arch || in.Base.Format != in.Variant.Format {
		return assay.UsageError("no-code", fmt.Sprintf("%s is for %s/%s, %s for %s/%s: their code cannot be compared", args[0], in.Base.Format, in.Base.Arch,
			args[1], in.Variant.Format, in.Variant.Arch), "two binaries for one platform")
	}
	e := assay.Explanation{Base: filepath.Base(args[0]), Variant: filepath.Base(args[1]), Code: code.Compare(in)}
	if e.Base == e.Variant {
		e.Base, e.Variant = args[0], args[1]
	}
	e.SameCode = e.Code.Differ+e.Code.OnlyBase+e.Code.OnlyVariant == 0
	r := &assay.Result{Schema: assay.ResultSchema, Base: e.Base, Variants: []assay.VariantResult{{Name: e.Base}, {Name: e.Variant}},
		Explanations: []assay.Explanation{e}, Command: shell.Join(append([]string{"assay", "explain"}, args...))}
	if f.run.json {
		return report.JSON(c.stdout, r)
	}
	return report.Explanation(c.stdout, r, &e, c.out())
}

func openBinary(name string) (*binary.File, int64, error) {
	f, err := binary.Open(name)
	if err != nil {
		return nil, 0, assay.UsageError("no-code", strings.TrimPrefix(err.Error(), "read binary "), "assay explain OLD NEW, with two Go binaries")
	}
	info, err := os.Stat(name)
	if err != nil {
		return nil, 0, err
	}
	return f, info.Size(), nil
}

// readNamed compiles the patterns of --func.
func (f *explainFlags) readNamed() error {
	for _, s := range f.functions {
		re, err := regexp.Compile(s)
		if err != nil {
			return assay.UsageError("flags", fmt.Sprintf("--func %s: %v", s, err), "assay explain --help")
		}
		f.named = append(f.named, re)
	}
	return nil
}
