package main

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/record"
	"github.com/seed-1318a441/assay/internal/runs"
)

// A workflow is what we look at of an action or a workflow.
type workflow struct {
	Permissions map[string]string `yaml:"permissions"`
	Inputs      map[string]struct {
		Description string `yaml:"description"`
	} `yaml:"inputs"`
	Runs struct {
		Using string         `yaml:"using"`
		Steps []workflowStep `yaml:"steps"`
	} `yaml:"runs"`
	Jobs map[string]struct {
		Timeout int            `yaml:"timeout-minutes"`
		Steps   []workflowStep `yaml:"steps"`
	} `yaml:"jobs"`
}

type workflowStep struct {
	ID    string            `yaml:"id"`
	Name  string            `yaml:"name"`
	Uses  string            `yaml:"uses"`
	Shell string            `yaml:"shell"`
	Run   string            `yaml:"run"`
	Env   map[string]string `yaml:"env"`
	With  map[string]string `yaml:"with"`
}

func readWorkflow(t *testing.T, name string) *workflow {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(repository(), name))
	if err != nil {
		t.Fatal(err)
	}
	w := new(workflow)
	if err := yaml.Unmarshal(text, w); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return w
}

func (w *workflow) steps() []workflowStep {
	steps := w.Runs.Steps
	for _, j := range w.Jobs {
		steps = append(steps, j.Steps...)
	}
	return steps
}

func (w *workflow) step(t *testing.T, name string) workflowStep {
	t.Helper()
	for _, s := range w.steps() {
		if s.Name == name {
			return s
		}
	}
	t.Fatalf("there is no step %q", name)
	return workflowStep{}
}

// permissionsOf are the tokens that the examples ask for, and no more.
var permissionsOf = map[string]map[string]string{
	"docs/github/assay.yml":         {"contents": "read"},
	"docs/github/assay-allocs.yml":  {"contents": "read"},
	"docs/github/assay-comment.yml": {"pull-requests": "write", "actions": "read"},
	"action.yml":                    nil, "comment/action.yml": nil,
}

// No input reaches a shell as its text, every action of others is pinned to a
// commit, and tokens can do no more than they must.
func TestWorkflows(t *testing.T) {
	pinned := regexp.MustCompile(`^[\w.-]+/[\w./-]+@[0-9a-f]{40}$`)
	ours := regexp.MustCompile(`^seed-1318a441/assay(/comment)?@main$`)
	for name, permissions := range permissionsOf {
		w := readWorkflow(t, name)
		if !maps.Equal(w.Permissions, permissions) {
			t.Errorf("%s: permissions %v, want %v", name, w.Permissions, permissions)
		}
		if len(w.steps()) == 0 {
			t.Errorf("%s: no steps", name)
		}
		for _, s := range w.steps() {
			if s.Uses != "" && !pinned.MatchString(s.Uses) && !(w.Jobs != nil && ours.MatchString(s.Uses)) {
				t.Errorf("%s: %s is not pinned to a commit", name, s.Uses)
			}
			if strings.Contains(s.Run, "${{") {
				t.Errorf("%s: %q has an expression in its script: it belongs into env", name, s.Name)
			}
			if s.Run != "" && s.Shell != "bash" {
				t.Errorf("%s: %q does not say its shell", name, s.Name)
			}
			if strings.HasPrefix(s.Uses, "actions/checkout@") && s.With["persist-credentials"] != "false" {
				t.Errorf("%s: the checkout leaves a token to the code that is measured", name)
			}
			if strings.HasPrefix(s.Uses, "actions/checkout@") && strings.Contains(name, "comment") {
				t.Errorf("%s: checks out code beside a token that can write", name)
			}
			checkBash(t, name, s.Run)
		}
		for _, j := range w.Jobs {
			if j.Timeout == 0 {
				t.Errorf("%s: a job has no time limit", name)
			}
		}
	}
}

func checkBash(t *testing.T, name, script string) {
	t.Helper()
	bash, err := exec.LookPath("bash")
	if err != nil || script == "" {
		return
	}
	cmd := exec.Command(bash, "-n")
	cmd.Stdin = strings.NewReader(script)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%s: %v\n%s", name, err, out)
	}
}

// runStep runs a step's script as GitHub does, with these variables.
func runStep(t *testing.T, s workflowStep, dir string, env map[string]string) (string, error) {
	t.Helper()
	script := filepath.Join(t.TempDir(), "step.sh")
	if err := os.WriteFile(script, []byte(s.Run), 0o666); err != nil {
		t.Fatal(err)
	}
	for k := range s.Env {
		if _, ok := env[k]; !ok {
			t.Fatalf("step %q needs %s", s.Name, k)
		}
	}
	cmd := exec.Command("bash", "--noprofile", "--norc", "-eo", "pipefail", script)
	cmd.Dir, cmd.Env = dir, os.Environ()
	for k, v := range env {
		cmd.Env = append(cmd.Env, k+"="+v)
	}
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// needs skips where a program of GitHub's runners is not there.
func needs(t *testing.T, programs ...string) {
	t.Helper()
	for _, p := range programs {
		if _, err := exec.LookPath(p); err != nil || runtime.GOOS == "windows" {
			t.Skip("needs ", p)
		}
	}
}

// asAssay is this test's own program under the name of assay.
func asAssay(t *testing.T) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "assay")
	if err := os.Symlink(self, name); err != nil {
		t.Fatal(err)
	}
	return name
}

// The action measures a pull request of a real module: two commits, the second
// slower, and a gate that fails.
func TestActionMeasures(t *testing.T) {
	needs(t, "bash", "jq", "git", "xargs")
	dir, out := t.TempDir(), t.TempDir()
	base := pullRequest(t, dir)
	env := map[string]string{
		"ASSAY": asAssay(t), "ASSAY_OUT": filepath.Join(out, "out"), "ASSAY_COMPARE": base + " .", "ASSAY_STUDY": "", "ASSAY_ARGS": "-bench='Sum$' -benchtime=1ms .",
		"ASSAY_DIRECTORY": ".", "ASSAY_BUDGET": "10h", "ASSAY_MIN_EFFECT": "5%", "ASSAY_GATE": "10%", "ASSAY_UNDECIDED": "3", "ASSAY_NAME": "assay",
		"GITHUB_OUTPUT": filepath.Join(out, "output"), "GITHUB_STEP_SUMMARY": filepath.Join(out, "summary"), "GITHUB_ACTIONS": "true",
		"GOFLAGS": "", "NO_COLOR": "1", "HOME": t.TempDir(), "XDG_CACHE_HOME": t.TempDir(), "GOMODCACHE": goEnv(t, "GOMODCACHE"), "GOCACHE": goEnv(t, "GOCACHE"),
	}
	w := readWorkflow(t, "action.yml")
	log, err := runStep(t, w.step(t, "Measure"), dir, env)
	if err != nil {
		t.Fatalf("%v\n%s", err, log)
	}
	outputs := outputsOf(t, env["GITHUB_OUTPUT"])
	if outputs["exit"] != "1" || outputs["verdict"] != "slower" || outputs["report"] == "" {
		t.Errorf("got outputs %v, want exit 1 and slower\n%s", outputs, log)
	}
	if out, err := exec.Command(env["ASSAY"], "verify", outputs["record"]).CombinedOutput(); err != nil || !strings.Contains(string(out), ": ok: ") {
		t.Errorf("what the comment is made of does not verify: %v\n%s", err, out)
	}
	for _, f := range []string{outputs["json"], outputs["report"], env["GITHUB_STEP_SUMMARY"]} {
		if info, err := os.Stat(f); err != nil || info.Size() == 0 {
			t.Errorf("%s was not written: %v", f, err)
		}
	}
	summary, _ := os.ReadFile(env["GITHUB_STEP_SUMMARY"])
	if !strings.Contains(string(summary), "▲ slower") || !strings.HasPrefix(string(summary), "### assay: ") {
		t.Errorf("the summary says\n%s", summary)
	}
	if !strings.Contains(log, "::group::build\n") || !strings.Contains(log, "::endgroup::\n") {
		t.Errorf("the builds are not in a group:\n%s", log)
	}
	if _, err := runStep(t, w.step(t, "Exit status"), dir, map[string]string{"ASSAY_EXIT": outputs["exit"]}); err == nil {
		t.Error("the action does not end with assay's exit status")
	}
	for name, change := range map[string]map[string]string{
		"both": {"ASSAY_STUDY": "x.toml"}, "none": {"ASSAY_COMPARE": ""}, "a flag": {"ASSAY_COMPARE": "--force ."},
		"a name": {"ASSAY_NAME": "../x"}, "quotes": {"ASSAY_COMPARE": "a 'b"}, "a word": {"ASSAY_UNDECIDED": "yes"},
	} {
		bad := maps.Clone(env)
		maps.Copy(bad, change)
		log, err := runStep(t, w.step(t, "Measure"), dir, bad)
		if err == nil || !strings.Contains(log, "::error title=assay::") {
			t.Errorf("%s: not refused: %v\n%s", name, err, log)
		}
	}
	// What looks like a command in an input is none.
	bad := maps.Clone(env)
	bad["ASSAY_COMPARE"], bad["ASSAY_OUT"] = "$(touch owned) `touch owned`; touch owned", filepath.Join(out, "bad")
	runStep(t, w.step(t, "Measure"), dir, bad)
	if _, err := os.Stat(filepath.Join(dir, "owned")); err == nil {
		t.Error("an input was run by the shell")
	}
}

// pullRequest makes a repository of the told module whose tree is slower than its
// only commit, the base.
func pullRequest(t *testing.T, dir string) (base string) {
	t.Helper()
	if err := os.CopyFS(dir, os.DirFS("testdata/told")); err != nil {
		t.Fatal(err)
	}
	git := func(args ...string) string {
		cmd := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@example.com"}, args...)...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	git("init", "-q")
	git("add", "-A")
	git("commit", "-q", "-m", "fast")
	file := filepath.Join(dir, "told.go")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	slow := bytes.Replace(text, []byte("Cost = 100"), []byte("Cost = 2000"), 1)
	if bytes.Equal(slow, text) {
		t.Fatalf("there is nothing to make slow in\n%s", text)
	}
	if err := os.WriteFile(file, slow, 0o666); err != nil {
		t.Fatal(err)
	}
	return git("rev-parse", "HEAD")
}

func goEnv(t *testing.T, name string) string {
	t.Helper()
	out, err := exec.Command("go", "env", name).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

func outputsOf(t *testing.T, name string) map[string]string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for line := range strings.Lines(string(text)) {
		k, v, _ := strings.Cut(strings.TrimSpace(line), "=")
		out[k] = v
	}
	return out
}

// fakeGH answers as gh does, from files, and notes what was asked. --jq is one of the
// two that the script uses.
const fakeGH = `#!/usr/bin/env bash
set -eu
echo "$*" >> "$FAKE/calls"
filter=.
for ((i = 1; i <= $#; i++)); do
  [ "${!i}" != --jq ] || { j=$((i + 1)); filter=${!j}; }
  case "${!i}" in body=@*) f=${!i}; cp "${f#body=@}" "$FAKE/body" ;; esac
done
case "$*" in
  *"-X PATCH"* | *"-X POST"*) echo '{"html_url":"https://github.com/o/r/pull/7#c"}' ;;
  */comments*) jq -c "$filter" "$FAKE/comments.json" ;;
  */pulls*) jq -c "$filter" "$FAKE/pulls.json" ;;
  */zip) cat "$FAKE/record.zip" ;;
  */artifacts*) jq -c "$filter" "$FAKE/artifacts.json" ;;
  *) exit 9 ;;
esac
`

const headSHA = "a1b2c3d4e5f60718293a4b5c6d7e8f9012345678"

// The commenting step finds the pull request by its commit, renders the result
// itself, and edits its own comment in place.
func TestActionComments(t *testing.T) {
	needs(t, "bash", "jq")
	step := readWorkflow(t, "comment/action.yml").step(t, "Comment")
	comment := func(t *testing.T, record map[string][]byte, comments []map[string]any) (calls, body, log string, err error) {
		fake := t.TempDir()
		write := func(name string, v any) {
			data, ok := v.([]byte)
			if !ok {
				data, _ = json.Marshal(v)
			}
			if err := os.WriteFile(filepath.Join(fake, name), data, 0o755); err != nil {
				t.Fatal(err)
			}
		}
		write("gh", []byte(fakeGH))
		write("pulls.json", []map[string]any{
			{"number": 6, "head": map[string]any{"sha": strings.Repeat("0", 40)}, "base": map[string]any{"ref": "main"}},
			{"number": 7, "head": map[string]any{"sha": headSHA}, "base": map[string]any{"ref": "main"}},
		})
		write("artifacts.json", map[string]any{"artifacts": []map[string]any{
			{"id": 11, "name": "assay-result", "size_in_bytes": 900, "expired": false}, {"id": 12, "name": "assay.html", "size_in_bytes": 900, "expired": false}}})
		write("comments.json", comments)
		write("record.zip", zipped(t, record))
		log, err = runStep(t, step, t.TempDir(), map[string]string{
			"PATH": fake + string(os.PathListSeparator) + os.Getenv("PATH"), "FAKE": fake, "ASSAY": asAssay(t), "ASSAY_NAME": "assay", "AUTHOR": "github-actions[bot]",
			"GH_TOKEN": "x", "HEAD_BRANCH": "$(touch owned)", "HEAD_OWNER": "fork", "HEAD_SHA": headSHA, "REPOSITORY": "o/r", "RUN_ID": "99", "SERVER_URL": "https://github.com",
		})
		c, _ := os.ReadFile(filepath.Join(fake, "calls"))
		b, _ := os.ReadFile(filepath.Join(fake, "body"))
		return string(c), string(b), log, err
	}
	by := func(login, body string, id int) map[string]any {
		return map[string]any{"id": id, "body": body, "user": map[string]any{"login": login}}
	}
	files := studyRecord(t)

	calls, first, log, err := comment(t, files, []map[string]any{by("github-actions[bot]", "hello", 1)})
	if err != nil || !strings.Contains(calls, "-X POST repos/o/r/issues/7/comments") || strings.Contains(calls, "PATCH") {
		t.Fatalf("a first comment is posted: %v\n%s\n%s", err, calls, log)
	}
	for _, want := range []string{"https://github.com/o/r/actions/runs/99/artifacts/12", "<!-- assay:push " + headSHA, "<!-- assay:comment v1 study=queue-path -->\n"} {
		if !strings.Contains(first, want) {
			t.Errorf("want %q in\n%s", want, first)
		}
	}

	// A stranger may write the same last line; only our own comment is edited.
	old := strings.ReplaceAll(strings.ReplaceAll(first, headSHA, strings.Repeat("7", 40)), "\n", "\r\n")
	calls, second, log, err := comment(t, files, []map[string]any{by("mallory", first, 1), by("github-actions[bot]", old, 2)})
	if err != nil || !strings.Contains(calls, "-X PATCH repos/o/r/issues/comments/2 ") || strings.Contains(calls, "POST") {
		t.Fatalf("our comment is edited in place: %v\n%s\n%s", err, calls, log)
	}
	if !strings.Contains(second, "<summary>Earlier pushes</summary>\n\n`7777777` faster") && !strings.Contains(second, "`7777777` 1 faster") {
		t.Errorf("the earlier push is forgotten:\n%s", second)
	}

	for name, spoil := range map[string]func(files map[string][]byte){
		"a forged result":  func(f map[string][]byte) { f["result.json"] = forged(t, f["result.json"]) },
		"an edited result": func(f map[string][]byte) { f["result.json"] = replaced1(f["result.json"], `"slower"`, `"faster"`) },
		"an edited trial": func(f map[string][]byte) {
			f["trials.jsonl"] = replaced1(f["trials.jsonl"], `"allocs/op":1`, `"allocs/op":2`)
		},
		"no trials":              func(f map[string][]byte) { delete(f, "trials.jsonl") },
		"no plan":                func(f map[string][]byte) { delete(f, "plan.json") },
		"a plan that is no JSON": func(f map[string][]byte) { f["plan.json"] = []byte("<script>") },
		"too large":              func(f map[string][]byte) { f["study.toml"] = bytes.Repeat([]byte("#\n"), runs.MaxUnpacked/2) },
		"nothing":                func(f map[string][]byte) { clear(f) },
	} {
		bad := maps.Clone(files)
		spoil(bad)
		if calls, _, log, err := comment(t, bad, nil); err == nil || strings.Contains(calls, "POST") {
			t.Errorf("%s: not refused\n%s", name, log)
		}
	}
}

func replaced1(text []byte, old, with string) []byte {
	return bytes.Replace(text, []byte(old), []byte(with), 1)
}

// forged is a result with another answer, whole by its digest.
func forged(t *testing.T, data []byte) []byte {
	t.Helper()
	r, err := record.DecodeResult("result.json", data)
	if err != nil {
		t.Fatal(err)
	}
	r.Answer.Text = []string{"use mine"}
	if data, err = record.EncodeResult(r); err != nil {
		t.Fatal(err)
	}
	return data
}

// studyRecord are the files of one of the repository's own records.
func studyRecord(t *testing.T) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	for _, name := range []string{"plan.json", "platform.json", "study.toml", "trials.jsonl", "end.json", "result.json"} {
		data, err := os.ReadFile(filepath.Join(repository(), "studies/queue-path/record", name))
		if err != nil {
			t.Fatal(err)
		}
		files[name] = data
	}
	return files
}

// zipped is an archive of files, and of one that leads out of it.
func zipped(t *testing.T, files map[string][]byte) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	all := maps.Clone(files)
	all["../../evil"] = []byte("evil")
	for name, data := range all {
		f, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		f.Write(data)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// An annotation cannot be ended, nor another begun, by what it tells.
func TestAnnotations(t *testing.T) {
	var b strings.Builder
	annotations(&b, []assay.Warning{{Code: "a,b:c", Text: "100 %\n::set-env name=X::y", Facts: []string{"two\r\nlines"}, Try: "x"}})
	want := "::warning title=assay a%2Cb%3Ac::100 %25 : :set-env name=X::y%0Atwo  lines%0Atry: x\n"
	if b.String() != want {
		t.Errorf("got %q, want %q", b.String(), want)
	}
}
