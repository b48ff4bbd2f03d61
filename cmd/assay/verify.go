package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/record"
	"github.com/seed-1318a441/assay/internal/report"
	"github.com/seed-1318a441/assay/internal/runs"
	"github.com/seed-1318a441/assay/internal/terminal"
)

// A verifier is one use of assay verify.
type verifier struct {
	c         *console
	store     string
	recompute bool
	seal      bool
	bad       int
}

func newVerify(c *console) *cobra.Command {
	v := &verifier{c: c}
	cmd := &cobra.Command{
		Use:   "verify [flags] [RUN...]",
		Short: "Check records against themselves, and their results against the trials",
		Long: "Check that nothing in a record has changed: the digests of its files, the chain over its\n" +
			"trials, and the stored result, which verify computes again from the trials. It prints\n" +
			"one line a run: ok, or what is wrong and where. The exit status is 5 if something is\n" +
			"wrong. verify measures nothing, and without a flag it writes nothing.\n" + runHelp +
			"\nHere it may also be a folder of run folders, such as a store, or a result.json.",
		Example: "  assay verify\n" +
			"  assay verify .assay\n" +
			"  assay verify --recompute last            compute the result again, by the rules of this assay",
	}
	storeFlag(cmd, &v.store)
	cmd.Flags().BoolVar(&v.recompute, "recompute", false, "write the result and its report again, from the trials, by the rules of this assay")
	cmd.Flags().BoolVar(&v.seal, "seal", false, "add digests and a chain to records of an older assay, and say so in them")
	cmd.RunE = func(_ *cobra.Command, args []string) error { return v.run(args) }
	return cmd
}

func (v *verifier) run(args []string) error {
	if len(args) == 0 {
		args = []string{"last"}
	}
	for _, a := range args {
		if err := v.argument(a); err != nil {
			return err
		}
	}
	if v.bad > 0 {
		return exitError(assay.ExitRefused)
	}
	return nil
}

// argument verifies what an argument names. The error says that it names nothing.
func (v *verifier) argument(name string) error {
	info, err := os.Stat(name)
	switch {
	case err == nil && !info.IsDir():
		v.file(name)
		return nil
	case err == nil && runs.IsRun(name):
		v.folder(filepath.Clean(name), name)
		return nil
	case err == nil && strings.ContainsAny(name, `/\.`):
		return v.below(name)
	}
	e, err := runs.FindEntry(v.store, name)
	if err != nil {
		return err
	}
	v.folder(e.Dir, e.Run)
	return nil
}

// below verifies the runs in the folders of a folder.
func (v *verifier) below(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return assay.UsageError(assay.CodeNoRun, err.Error(), "")
	}
	found := false
	for _, e := range entries {
		if sub := filepath.Join(dir, e.Name()); e.IsDir() && runs.IsRun(sub) {
			v.folder(sub, filepath.ToSlash(sub))
			found = true
		}
	}
	if !found {
		v.c.skipped(dir)
	}
	return nil
}

// file verifies a run folder in a zip file, or a result: with its run where it lies in
// the folder of one, else that it is whole.
func (v *verifier) file(name string) {
	data, err := os.ReadFile(name)
	switch dir := filepath.Dir(name); {
	case err != nil:
		v.tell(name, err, "")
	case runs.IsArchive(data):
		run, err := runs.ReadArchive(name, data)
		v.check(name, run, err)
	case runs.IsRun(dir) && strings.TrimSuffix(filepath.Base(name), ".gz") == record.ResultFile:
		v.folder(dir, filepath.ToSlash(dir))
	default:
		r, err := runs.DecodeResult(name, data)
		if err != nil {
			v.tell(name, err, "")
			return
		}
		v.tell(name, nil, "whole, computed by assay "+runs.VersionName(r.Assay)+"; its trials are not here")
	}
}

// folder verifies a run folder, or changes it first as the flags say.
func (v *verifier) folder(dir, ref string) {
	if v.seal {
		if err := runs.Seal(dir); err != nil && !errors.Is(err, record.ErrSealed) {
			v.tell(ref, runs.BadRecord(ref, err), "")
			return
		}
	}
	run, err := runs.Read(dir, ref)
	if err == nil && (v.recompute || v.seal) {
		err = run.Recompute(reportText)
	}
	v.check(ref, run, err)
}

// check tells of a run whether it was read and its result is what its trials mean.
func (v *verifier) check(ref string, run *runs.Found, err error) {
	if err == nil {
		err = run.Verify()
	}
	if err != nil {
		v.tell(ref, err, "")
		return
	}
	v.tell(ref, nil, describe(run))
}

// describe says in a few words what a whole record is.
func describe(run *runs.Found) string {
	text := fmt.Sprintf("run %s, %s in %s, ", run.Plan.Run, printable.Count(len(run.Trials), "trial"), printable.Count(len(run.Blocks()), "block")) +
		cmp.Or(string(run.Ending.Stop), "cut off")
	if !run.Plan.Sealed.IsZero() {
		text += "; its chain was added on " + run.Plan.Sealed.Format(time.DateOnly)
	}
	return text
}

// tell prints the line of a run.
func (v *verifier) tell(ref string, err error, ok string) {
	if err == nil {
		v.c.print(ref + ": ok: " + ok)
		return
	}
	v.bad++
	line := printable.OneLine(err)
	if e, told := errors.AsType[*assay.Error](err); told {
		line = strings.Join(e.Facts, "; ") + "   [" + string(e.Code) + "]"
		if e.Code != assay.CodeBadRecord {
			line = printable.OneLine(e)
		} else if !strings.HasPrefix(e.Try, "assay verify "+ref+" ") {
			line += " try: " + e.Try
		}
	}
	v.c.print(ref + ": " + line)
}

// reportText writes the whole result, as it is kept in the run folder.
func reportText(w io.Writer, r *assay.Result) error {
	return report.Text(w, r, terminal.Style{Width: 100, All: true, Hyphen: true})
}
