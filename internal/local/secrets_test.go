package local

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/errortest"
	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/trial"
)

// keepSecret writes a secret where the user keeps them, and returns its file.
func keepSecret(t *testing.T, name, value string) string {
	t.Helper()
	dir := filepath.Join(os.Getenv("XDG_CONFIG_HOME"), "assay", "secrets")
	if !strings.HasPrefix(dir, os.TempDir()) {
		dir = filepath.Join(t.TempDir(), "assay", "secrets")
		t.Setenv("XDG_CONFIG_HOME", filepath.Dir(filepath.Dir(dir)))
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, name)
	if err := os.WriteFile(file, []byte(value), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

const password = "hunter2-and-more"

// A server gets the secrets of its workload and its variant. What it prints of them never
// leaves the machine, nor does what the load prints.
func TestSecretsOfService(t *testing.T) {
	keepSecret(t, "pg", password+"\n")
	keepSecret(t, "api", "another one")
	w, l := here(t)
	s := serverStudy(t, "ask")
	work := &s.Workloads[0]
	work.Env, work.Secrets, s.Variants[0].Secrets = nil, map[string]string{"WHERE": "pg"}, map[string]string{"API": "api"}
	work.Service.Ready.Log = "^serving " + password + "$"
	if err := l.Check(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	builds, err := lab.Build(t.Context(), w, s, func(lab.Event) {})
	if err != nil {
		t.Fatal(err)
	}
	r := lab.RunRequest{Study: s, Artifact: builds.Of("50")[0], Variant: s.Variants[0], Names: []string{"srv"}, N: 1}
	out, err := l.Run(t.Context(), r)
	if err != nil || out.Status != assay.StatusOK {
		t.Fatalf("%s (%s), %v", out.Status, out.Reason, err)
	}
	if got := string(out.Server); !strings.Contains(got, "serving [secret pg]\n") {
		t.Errorf("the server printed %q", got)
	}
	hasNone(t, out, password)

	work.Service.HTTP.URL = strings.Replace(work.Service.HTTP.URL, "ask", "secret", 1)
	out, err = l.Run(t.Context(), r)
	if err != nil || out.Status == assay.StatusOK || !strings.Contains(out.Reason, "[secret pg]") {
		t.Errorf("a server that dies with the value on its lips: %s (%s), %v", out.Status, out.Reason, err)
	}
	hasNone(t, out, password)
}

// hasNone fails a test if a text, or its base64, is anywhere in a value.
func hasNone(t *testing.T, v any, text string) {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	if out, ok := v.(trial.Outcome); ok { // bytes are base64 in JSON
		data = fmt.Appendf(data, "%s %s %s", out.Stdout, out.Stderr, out.Server)
	}
	for _, form := range []string{text, base64.StdEncoding.EncodeToString([]byte(text))} {
		if strings.Contains(string(data), form) {
			t.Errorf("%q is in %s", form, data)
		}
	}
}

// A benchmark prints a secret in pieces, at its beginning, its end, and where output is
// cut, in standard output and in standard error, and names a metric after it.
func TestSecretsOfBenchmark(t *testing.T) {
	keepSecret(t, "pg", password)
	w, l := here(t)
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/leak\n\ngo 1.24\n", "leak_test.go": `package leak

import (
	"encoding/base64"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

func BenchmarkLeak(b *testing.B) {
	v := os.Getenv("PGPASSWORD")
	for range b.N {
	}
	if b.N < 3 {
		return
	}
	b.ReportMetric(1, v)
	for _, f := range []*os.File{os.Stdout, os.Stderr} {
		fmt.Fprintln(f)
		for i := range len(v) { // one write a byte
			f.WriteString(v[i : i+1])
			time.Sleep(time.Millisecond)
		}
		fmt.Fprintln(f, base64.StdEncoding.EncodeToString([]byte("user:"+v)))
		// Buffers here are of 4, 32 or 64 kB: the value lies across their boundaries.
		for _, kb := range []int{4, 32, 64} {
			fmt.Fprint(f, strings.Repeat(".", kb<<10-len(v)/2), v)
		}
		// The head and the tail of an output are kept: a value in the middle of every
		// place is cut somewhere.
		for range 20 << 10 {
			f.WriteString(strings.Repeat(v+"\n", 5))
		}
	}
	b.Fatal("failed with " + v)
}
`} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s := &assay.Study{Name: "leak", Dir: dir, Variants: []assay.Variant{{Name: "a", Secrets: map[string]string{"PGPASSWORD": "pg"}}}, Workloads: []assay.Workload{{Kind: assay.KindGoTest}}}
	s.SetDefaults()
	if err := l.Check(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	builds, err := lab.Build(t.Context(), w, s, func(lab.Event) {})
	if err != nil {
		t.Fatal(err)
	}
	out, err := l.Run(t.Context(), lab.RunRequest{Study: s, Artifact: builds.Of("a")[0], Variant: s.Variants[0], Names: []string{"Leak"}, N: 3})
	if err != nil || out.Status != assay.StatusFailed {
		t.Fatalf("%s (%s), %v", out.Status, out.Reason, err)
	}
	for name, text := range map[string]string{"stdout": string(out.Stdout), "stderr": string(out.Stderr)} {
		if n := strings.Count(text, "[secret pg]"); n < 10_000 || !strings.Contains(text, " bytes omitted ...") {
			t.Errorf("%s: masked %d times, in %d bytes", name, n, len(text))
		}
		// Parts that are left where the output was cut are too short to tell.
		for _, part := range []string{password[:5], password[len(password)-5:]} {
			if i := strings.Index(text, part); i >= 0 {
				t.Errorf("%s has %q in ...%q...", name, part, text[max(0, i-50):min(len(text), i+50)])
			}
		}
	}
	hasNone(t, out, password)
	if !strings.Contains(fmt.Sprint(out.Reason, out.Broken), "[secret pg]") {
		t.Errorf("it ended with %q, %q", out.Reason, out.Broken)
	}
}

// A command gets secrets, and the later of two settings of one variable.
func TestSecretsOfCommand(t *testing.T) {
	file := keepSecret(t, "pg", password)
	l := new(Machine)
	s := &assay.Study{Variants: []assay.Variant{{Name: "a"}}, Workloads: []assay.Workload{{Kind: assay.KindCommand, Secrets: map[string]string{"A": "pg"}}}}
	if err := l.secrets.check(s); err != nil {
		t.Fatal(err)
	}
	plain, secrets := map[string]string{"A": "plain"}, map[string]string{"A": "pg"}
	for _, test := range []struct {
		maps []map[string]string
		want string
	}{
		{[]map[string]string{plain, nil, nil, nil}, "plain"},
		{[]map[string]string{plain, nil, nil, secrets}, password},
		{[]map[string]string{nil, secrets, plain, nil}, "plain"},
		{[]map[string]string{plain, secrets, nil, nil}, password},
	} {
		if got, err := l.secrets.variables(test.maps...); err != nil || got["A"] != test.want {
			t.Errorf("%v: got %v, %v", test.maps, got, err)
		}
	}

	// The value that the first trial has got stays until another run begins.
	if err := os.WriteFile(file, []byte("another"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, err := l.secrets.value("pg"); err != nil || got != password {
		t.Errorf("got %q, %v", got, err)
	}
	if err := os.Chmod(file, 0o644); err != nil {
		t.Fatal(err)
	}
	text := errortest.Want(t, l.secrets.check(s), assay.CodeSecret, assay.ExitUsage)
	if !strings.Contains(text, file) || !strings.Contains(text, "chmod 600") || strings.Contains(text, "another") {
		t.Errorf("the error is %s", text)
	}
	s.Variants[0].Secrets = map[string]string{"B": "none"}
	s.Workloads[0].Secrets = nil
	errortest.Want(t, l.secrets.check(s), assay.CodeSecret, assay.ExitUsage)
}

// Errors and profiles have no values either.
func TestHiddenSecrets(t *testing.T) {
	var s secrets
	plain := errors.New("cannot start " + password)
	if s.hideError(plain) != plain || s.hideError(nil) != nil {
		t.Error("without secrets an error changed")
	}
	s.mask.Add("pg", password)
	if err := s.hideError(fmt.Errorf("%w: %w", os.ErrPermission, plain)); err.Error() != "permission denied: cannot start [secret pg]" || !errors.Is(err, os.ErrPermission) {
		t.Errorf("got %v", err)
	}
	err := s.hideError(fmt.Errorf("run: %w", assay.NewError(assay.ExitBuild, assay.CodeNoProfile, "no "+password, []string{password}, "use "+password)))
	hasNone(t, errortest.Want(t, err, assay.CodeNoProfile, assay.ExitBuild), password)

	p := &profile.Profile{SampleType: []*profile.ValueType{{Type: "cpu", Unit: "ns"}}, Sample: []*profile.Sample{{Value: []int64{1}, Label: map[string][]string{"dsn": {"me:" + password}}}}}
	var data strings.Builder
	if err := p.Write(&data); err != nil {
		t.Fatal(err)
	}
	out := s.hide(trial.Outcome{Profile: []byte(data.String())})
	if p, err = profile.ParseData(out.Profile); err != nil || p.Sample[0].Label["dsn"][0] != "me:[secret pg]" {
		t.Errorf("got %v, %v", p, err)
	}
}
