package inquiry

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/binary"
	"github.com/seed-1318a441/assay/internal/explain/code"
	"github.com/seed-1318a441/assay/internal/shell"
)

// Files compares the code of two Go binaries of any origin and platform, and runs
// nothing. It also compares functions whose names match one of named. The result has one
// explanation and no measurements.
func Files(base, variant string, named []*regexp.Regexp) (*assay.Result, error) {
	in := code.Input{Named: named}
	var err error
	if in.Base, in.BaseSize, err = openBinary(base); err != nil {
		return nil, err
	}
	if in.Variant, in.VariantSize, err = openBinary(variant); err != nil {
		return nil, err
	}
	if in.Base.Arch != in.Variant.Arch || in.Base.Format != in.Variant.Format {
		return nil, assay.UsageError(assay.CodeNoCode, fmt.Sprintf("%s is for %s/%s, %s for %s/%s: their code cannot be compared", base, in.Base.Format, in.Base.Arch,
			variant, in.Variant.Format, in.Variant.Arch), "two binaries for one platform")
	}
	e := assay.Explanation{Base: filepath.Base(base), Variant: filepath.Base(variant), Code: code.Compare(in)}
	if e.Base == e.Variant {
		e.Base, e.Variant = base, variant
	}
	e.SameCode = sameCode(e.Code)
	again := []string{"assay", "explain", base, variant}
	for _, re := range named {
		again = append(again, "--func", re.String())
	}
	return &assay.Result{Schema: assay.ResultSchema, Base: e.Base, Variants: []assay.VariantResult{{Name: e.Base}, {Name: e.Variant}},
		Explanations: []assay.Explanation{e}, Command: shell.Join(again)}, nil
}

func openBinary(name string) (*binary.File, int64, error) {
	f, err := binary.Open(name)
	if err != nil {
		return nil, 0, assay.UsageError(assay.CodeNoCode, strings.TrimPrefix(err.Error(), "read binary "), "two Go binaries")
	}
	info, err := os.Stat(name)
	if err != nil {
		return nil, 0, err
	}
	return f, info.Size(), nil
}
