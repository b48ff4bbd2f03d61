package report

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/invopop/jsonschema"
	validator "github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/seed-1318a441/assay"
)

const (
	repoRoot   = "../.."
	schemaPath = repoRoot + "/docs/result.schema.json"
	schemaID   = "https://github.com/seed-1318a441/assay/docs/result.schema.json"
)

// The schema in docs is the one of the Go types, with their comments; -update
// writes it anew.
func TestSchemaIsOfTheTypes(t *testing.T) {
	got := schemaOf(t)
	if *update {
		if err := os.WriteFile(schemaPath, got, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(schemaPath)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is not of the types: go test ./internal/report -run TestSchema -update", schemaPath)
	}
}

// All results that are published or made up fit the schema, one machine's and those
// of several.
func TestResultsFitSchema(t *testing.T) {
	s := compiled(t)
	for name, b := range published(t) {
		if err := validate(s, b); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	results := map[string]*assay.Result{}
	for _, name := range fixtures {
		results[name] = fixture(t, name)
	}
	for name, make := range madeWhy {
		results[name] = make()
	}
	for name, r := range results {
		checkFits(t, s, name, r)
	}
	checkFits(t, s, "merged", &assay.Merged{Schema: assay.ResultSchema, Study: "s", Machines: []assay.Machine{{Name: "a", Result: *results["two"]}},
		Across: []assay.Across{{Benchmark: assay.Benchmark{Name: "A"}, Metric: "sec/op", Values: []assay.Value{{X: 1, OK: true}, {}}, Changes: []assay.Value{{}}}}})
	cell := results["two"].Tables[0].Rows[0].Cells[0]
	checkFits(t, s, "limits", &assay.LimitReport{Schema: assay.ResultSchema, Status: assay.LimitHeld, Runs: []assay.LimitRun{{Status: assay.LimitHeld,
		Limits: []assay.Limit{{Metric: "sec/op"}}, Cells: []assay.LimitCell{{Status: assay.LimitHeld, Metric: results["two"].Tables[0].Metric, Comparison: cell}}}}})
}

// What is no result is refused: a missing field, a figure of another type, half an
// interval, a newer schema.
func TestSchemaRefuses(t *testing.T) {
	s := compiled(t)
	whole, err := json.Marshal(fixture(t, "two"))
	if err != nil {
		t.Fatal(err)
	}
	for name, spoil := range map[string]func(r map[string]any){
		"nothing":        func(r map[string]any) { clear(r) },
		"no tables":      func(r map[string]any) { delete(r, "tables") },
		"no answer":      func(r map[string]any) { delete(r, "answer") },
		"newer":          func(r map[string]any) { r["schema"] = assay.ResultSchema + 1 },
		"tables no list": func(r map[string]any) { r["tables"] = "all" },
		"change a text":  func(r map[string]any) { firstCell(r)["change"] = "+5 %" },
		"half interval":  func(r map[string]any) { firstCell(r)["interval"] = map[string]any{"lo": 0.1} },
		"blocks of 1.5":  func(r map[string]any) { firstCell(r)["n"] = 1.5 },
		"half a gate":    func(r map[string]any) { clear(r); r["schema"], r["status"], r["runs"] = 1, "held", []any{} },
		"a made machine": func(r map[string]any) { clear(r); r["schema"], r["study"], r["machines"] = 1, "s", []any{"intel"} },
	} {
		var r map[string]any
		if err := json.Unmarshal(whole, &r); err != nil {
			t.Fatal(err)
		}
		spoil(r)
		b, _ := json.Marshal(r)
		if validate(s, b) == nil {
			t.Errorf("%s: fits", name)
		}
	}
	var r map[string]any
	if err := json.Unmarshal(whole, &r); err != nil {
		t.Fatal(err)
	}
	r["of a newer assay"] = true
	b, _ := json.Marshal(r)
	if err := validate(s, b); err != nil {
		t.Errorf("an added field: %v", err)
	}
}

func firstCell(r map[string]any) map[string]any {
	table := r["tables"].([]any)[0].(map[string]any)
	row := table["rows"].([]any)[0].(map[string]any)
	return row["cells"].([]any)[0].(map[string]any)
}

// schemaOf reflects Result, Merged and LimitReport: an output is one of them.
func schemaOf(t *testing.T) []byte {
	t.Helper()
	comments := commentsOf(t)
	r := &jsonschema.Reflector{AllowAdditionalProperties: true, Anonymous: true,
		Mapper: func(t reflect.Type) *jsonschema.Schema {
			if t == reflect.TypeFor[assay.Value]() {
				return &jsonschema.Schema{OneOf: []*jsonschema.Schema{{Type: "number"}, {Type: "null"}}}
			}
			return nil
		},
		LookupComment: func(t reflect.Type, field string) string {
			return comments[strings.TrimSuffix(t.Name()+"."+field, ".")]
		}}
	one := r.Reflect(&assay.Result{})
	maps.Copy(one.Definitions, r.Reflect(&assay.Merged{}).Definitions)
	maps.Copy(one.Definitions, r.Reflect(&assay.LimitReport{}).Definitions)
	for _, def := range one.Definitions {
		emptyLists(def)
	}
	for _, name := range []string{"Result", "Merged", "LimitReport"} {
		version, _ := one.Definitions[name].Properties.Get("schema")
		version.Const = assay.ResultSchema
	}
	one.ID, one.Ref = schemaID, ""
	one.Title = "A result of assay: result.json, assay show --json, of several machines, or what assay gate --json says of one"
	one.AnyOf = []*jsonschema.Schema{{Ref: "#/$defs/Result"}, {Ref: "#/$defs/Merged"}, {Ref: "#/$defs/LimitReport"}}
	b, err := json.MarshalIndent(one, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return append(b, '\n')
}

// emptyLists allows null where a list is always written: so Go writes one that is
// empty.
func emptyLists(def *jsonschema.Schema) {
	for _, name := range def.Required {
		p, _ := def.Properties.Get(name)
		if p.Type != "array" {
			continue
		}
		list := *p
		list.Description = ""
		*p = jsonschema.Schema{Description: p.Description, AnyOf: []*jsonschema.Schema{&list, {Type: "null"}}}
	}
}

// commentsOf reads the doc comments of the root package's types and fields, by
// "Type" and "Type.Field".
func commentsOf(t *testing.T) map[string]string {
	t.Helper()
	files, err := filepath.Glob(repoRoot + "/*.go")
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, file := range files {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.TYPE {
				addComments(out, g)
			}
		}
	}
	return out
}

func addComments(out map[string]string, g *ast.GenDecl) {
	for _, spec := range g.Specs {
		ts := spec.(*ast.TypeSpec)
		doc := ts.Doc
		if doc == nil {
			doc = g.Doc
		}
		out[ts.Name.Name] = commentText(doc)
		st, ok := ts.Type.(*ast.StructType)
		if !ok {
			continue
		}
		for _, field := range st.Fields.List {
			for _, name := range field.Names {
				out[ts.Name.Name+"."+name.Name] = strings.TrimSpace(commentText(field.Doc) + " " + commentText(field.Comment))
			}
		}
	}
}

func commentText(c *ast.CommentGroup) string { return strings.Join(strings.Fields(c.Text()), " ") }

func compiled(t *testing.T) *validator.Schema {
	t.Helper()
	b, err := os.ReadFile(schemaPath)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := validator.UnmarshalJSON(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	c := validator.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource(schemaID, doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile(schemaID)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func validate(s *validator.Schema, b []byte) error {
	v, err := validator.UnmarshalJSON(bytes.NewReader(b))
	if err != nil {
		return err
	}
	return s.Validate(v)
}

// checkFits validates what can be written at all: JSON has no NaN.
func checkFits(t *testing.T, s *validator.Schema, name string, v any) {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Logf("%s: %v", name, err)
		return
	}
	if err := validate(s, b); err != nil {
		t.Errorf("%s: %v", name, err)
	}
}

// published are the results of the studies, by file.
func published(t *testing.T) map[string][]byte {
	t.Helper()
	out := map[string][]byte{}
	err := filepath.WalkDir(repoRoot+"/studies", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !slices.Contains([]string{"result.json", "result.json.gz"}, d.Name()) {
			return err
		}
		b, err := os.ReadFile(path)
		if err == nil && strings.HasSuffix(path, ".gz") {
			b, err = gunzip(b)
		}
		out[path] = b
		return err
	})
	if err != nil || len(out) == 0 {
		t.Fatalf("%d results, %v", len(out), err)
	}
	return out
}

func gunzip(b []byte) ([]byte, error) {
	r, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}
