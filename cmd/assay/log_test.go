package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/record"
)

// Whatever a record calls its variants, and however wide lines are, no line of the log of a
// CI job begins with a command but assay's own, and none has one of the old form.
func TestNoStrangersCommandInTheLog(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(repository(), "studies", "same-code", "record", "side-by-side", record.ResultFile))
	if err != nil {
		t.Fatal(err)
	}
	r, err := record.DecodeResult(record.ResultFile, data)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("GITHUB_ACTIONS", "true")
	t.Setenv("CI", "true")
	file := filepath.Join(t.TempDir(), "result.json")
	for width := 20; width <= 200; width += 3 {
		t.Setenv("COLUMNS", fmt.Sprint(width))
		name := strings.Repeat("y", width-3) + "::error title=x::y ##[error]z"
		var hostile assay.Result
		if err := json.Unmarshal(bytes.ReplaceAll(text, []byte(`"again"`), []byte(`"`+name+`"`)), &hostile); err != nil {
			t.Fatal(err)
		}
		made, err := record.EncodeResult(&hostile)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, made, 0o666); err != nil {
			t.Fatal(err)
		}
		for _, args := range [][]string{{"comment", file}, {"show", "--all", file}, {"show", "--json", file}, {"report", "-o", "-", "--format", "csv", file}, {"show", name}} {
			var out, errs bytes.Buffer
			exitStatus(run(t.Context(), &out, &errs, args), &errs)
			for _, line := range strings.FieldsFunc(out.String()+"\n"+errs.String(), func(c rune) bool { return c == '\n' || c == '\r' }) {
				if begins := strings.TrimSpace(line); strings.HasPrefix(begins, "::") && !strings.HasPrefix(begins, "::warning title=assay ") || strings.Contains(line, "##[") {
					t.Fatalf("%q at %d columns: %q", args, width, line)
				}
			}
		}
	}
}
