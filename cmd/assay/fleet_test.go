//go:build unix

package main

import (
	"encoding/xml"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"go.yaml.in/yaml/v3"
)

// place matches what says in docs/fleet.md where the commands of a block are typed.
var place = regexp.MustCompile(`^<!-- on (\w+) -->$`)

// TestFleetDocument types the commands of docs/fleet.md as four people would, each with a
// home of their own, up to the verdict.
func TestFleetDocument(t *testing.T) {
	t.Parallel()
	homes := t.TempDir()
	_, port, err := net.SplitHostPort(freeAddress(t))
	if err != nil {
		t.Fatal(err)
	}
	bin := assayProgram(t)
	write(t, bin, "scp", "#!/bin/sh\nexec cp \"$1\" \""+homes+"/${2%:}\"\n")
	if err := os.Chmod(filepath.Join(bin, "scp"), 0o755); err != nil {
		t.Fatal(err)
	}
	// typed returns a shell command at a place.
	typed := func(at, line string) *exec.Cmd {
		line = strings.NewReplacer(":4222", ":"+port, "hub.lan", "127.0.0.1").Replace(line)
		cmd := exec.Command("sh", "-c", line)
		cmd.Dir = filepath.Join(homes, at)
		cmd.Env = append(documentEnv(t, bin, 100), "HOME="+cmd.Dir, "XDG_CONFIG_HOME=", "XDG_STATE_HOME=", "XDG_CACHE_HOME="+filepath.Join(homes, "cache-"+at))
		if err := os.MkdirAll(cmd.Dir, 0o755); err != nil {
			t.Fatal(err)
		}
		return cmd
	}
	must := func(at, line string) string {
		t.Helper()
		out, err := typed(at, line).CombinedOutput()
		if err != nil {
			t.Fatalf("on %s: %s: %v\n%s", at, line, err, out)
		}
		return string(out)
	}
	for _, at := range []string{"hub", "m4", "box", "laptop"} {
		must(at, "true")
	}
	if err := os.CopyFS(filepath.Join(homes, "laptop"), os.DirFS(filepath.Join(repository(), "cmd/assay/testdata/told"))); err != nil {
		t.Fatal(err)
	}
	must("laptop", "git init -q && printf 'cache\\n.*\\n' >.gitignore && git add . && git commit -qm first && git commit -q --allow-empty -m second")
	last := ""
	for _, f := range fences(t, filepath.Join(repository(), "docs", "fleet.md")) {
		at := place.FindStringSubmatch(f.above)
		if at == nil {
			continue
		}
		for _, line := range f.lines {
			stays := strings.HasPrefix(line, "assay hub --") || strings.HasPrefix(line, "assay agent") && !strings.Contains(line, "--check")
			if !stays {
				if line == "assay machines" {
					until(t, "both agents", func() bool { return strings.Count(must(at[1], line), " free ") >= 3 })
				}
				if strings.Contains(line, "compare") {
					line += " --" // nothing else: what is measured here says so itself
					line = strings.Replace(strings.TrimSuffix(line, " --"), "--on", "--force --min-effect=5% --budget=10h --trial=1ms --blocks=12 --layouts=1 --on", 1)
				}
				last = must(at[1], line)
				continue
			}
			cmd := typed(at[1], "exec "+line)
			log, err := os.Create(filepath.Join(homes, "log-"+at[1]))
			if err != nil {
				t.Fatal(err)
			}
			cmd.Stderr = log
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() {
				_ = cmd.Process.Signal(syscall.SIGTERM)
				_ = cmd.Wait()
				if t.Failed() {
					text, _ := os.ReadFile(log.Name())
					t.Logf("%s:\n%s", line, text)
				}
			})
			if strings.HasPrefix(line, "assay hub") {
				until(t, "the hub", func() bool {
					_, err := os.Stat(filepath.Join(homes, "hub/.local/state/assay/hub/taken"))
					return err == nil
				})
			}
		}
	}
	if !strings.Contains(last, "ANSWER") {
		t.Errorf("the last command gave no answer:\n%s", last)
	}
}

// The examples that start agents have the form that they must have, and type commands
// that exist.
func TestFleetExamples(t *testing.T) {
	dir := filepath.Join(repository(), "docs", "fleet")
	read := func(name string) string {
		t.Helper()
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	parses := func(name, line string) {
		t.Helper()
		_, line, ok := strings.Cut(line, "assay agent ")
		if !ok {
			t.Errorf("%s starts no agent", name)
			return
		}
		args := append([]string{"agent"}, strings.Fields(strings.Trim(line, `"'`))...)
		checkParses(t, name, line, args)
	}
	service := read("assay-agent.service")
	for line := range strings.Lines(service) {
		if command, ok := strings.CutPrefix(line, "ExecStart="); ok {
			parses("assay-agent.service", command)
		}
	}
	if analyze, err := exec.LookPath("systemd-analyze"); err == nil {
		unit := filepath.Join(t.TempDir(), "assay-agent.service")
		text := strings.NewReplacer("/usr/local/bin/assay", "/bin/sh", "User=assay", "User=root", "/home/assay", "/").Replace(service)
		if err := os.WriteFile(unit, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command(analyze, "verify", "--man=no", unit).CombinedOutput(); err != nil || strings.Contains(string(out), "Unknown") {
			t.Errorf("systemd-analyze verify: %v\n%s", err, out)
		}
	}
	var plist struct {
		Words []string `xml:"dict>array>string"`
		Keys  []string `xml:"dict>key"`
	}
	if err := xml.Unmarshal([]byte(read("org.example.assay-agent.plist")), &plist); err != nil || len(plist.Words) == 0 || len(plist.Keys) < 4 {
		t.Errorf("got %+v, %v, want a property list", plist, err)
	}
	parses("plist", strings.Join(plist.Words, " "))
	batch := read("assay-agent.sbatch")
	if out, err := exec.Command("sh", "-n", filepath.Join(dir, "assay-agent.sbatch")).CombinedOutput(); err != nil || !strings.Contains(batch, "#SBATCH --exclusive") {
		t.Errorf("sbatch: %v\n%s", err, out)
	}
	parses("sbatch", batch[strings.LastIndex(batch, "exec srun"):])
	var set struct {
		APIVersion string `yaml:"apiVersion"`
		Kind       string
		Spec       struct {
			Selector struct {
				MatchLabels map[string]string `yaml:"matchLabels"`
			}
			Template struct {
				Metadata struct{ Labels map[string]string }
				Spec     struct {
					Containers []struct {
						Name, Image   string
						Command, Args []string
						VolumeMounts  []struct{ Name string } `yaml:"volumeMounts"`
					}
					Volumes []struct{ Name string }
				}
			}
		}
	}
	if err := yaml.Unmarshal([]byte(read("assay-agent.yaml")), &set); err != nil {
		t.Fatal(err)
	}
	pod := set.Spec.Template.Spec
	if set.APIVersion != "apps/v1" || set.Kind != "DaemonSet" || len(pod.Containers) != 1 || fmt.Sprint(set.Spec.Selector.MatchLabels) != fmt.Sprint(set.Spec.Template.Metadata.Labels) {
		t.Errorf("got %+v, want a set of one container whose labels match", set)
	}
	volumes := map[string]bool{}
	for _, v := range pod.Volumes {
		volumes[v.Name] = true
	}
	for _, m := range pod.Containers[0].VolumeMounts {
		if !volumes[m.Name] {
			t.Errorf("the volume %s is mounted, and there is none", m.Name)
		}
	}
	parses("DaemonSet", pod.Containers[0].Args[0])
}
