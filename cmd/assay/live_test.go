package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A pane is a terminal of 100 columns in tmux.
type pane struct {
	t      *testing.T
	socket string
}

func newPane(t *testing.T, dir string) *pane {
	t.Helper()
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("needs tmux")
	}
	p := &pane{t, filepath.Join(t.TempDir(), "tmux")}
	p.tmux("-f", os.DevNull, "new-session", "-d", "-x", "100", "-y", "30", "-c", dir, "env", "-u", "CI", "-u", "NO_COLOR", "LC_ALL=C.UTF-8", lockVariable+"="+t.TempDir(), "sh")
	t.Cleanup(func() { exec.Command("tmux", "-S", p.socket, "kill-server").Run() })
	return p
}

func (p *pane) tmux(args ...string) string {
	p.t.Helper()
	out, err := exec.Command("tmux", append([]string{"-S", p.socket}, args...)...).CombinedOutput()
	if err != nil {
		p.t.Fatalf("tmux %v: %v\n%s", args, err, out)
	}
	return string(out)
}

// wait waits until the pane, with what has scrolled away, holds a text.
func (p *pane) wait(text string) string {
	p.t.Helper()
	screen := ""
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if screen = p.tmux("capture-pane", "-p", "-S", "-200"); strings.Contains(screen, text) {
			return screen
		}
	}
	p.t.Fatalf("no %q in %v:\n%s", text, patience, screen)
	return ""
}

// The whole way on a real terminal: the view comes, keys pause and stop the run,
// the view goes without a trace, and the result is printed as ever.
func TestLiveView(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("testdata/tiny")); err != nil {
		t.Fatal(err)
	}
	p := newPane(t, dir)
	p.tmux("send-keys", asAssay(t)+" compare . 'b: . GOGC=50' --layouts=1 --trial=2ms --min-effect=0.01% --budget=10h -- -bench=. ; echo status $?", "Enter")
	p.wait("[s]top and decide with the data so far")
	p.wait("change  so far")
	p.tmux("send-keys", "l")
	p.wait(": 0 of 2 decided")
	p.tmux("send-keys", "l")
	p.tmux("send-keys", "p")
	p.wait("paused; [p] continue")
	p.tmux("send-keys", "p")
	p.wait("[p]ause")
	p.tmux("send-keys", "s")
	end := p.wait("status 130")
	for _, gone := range []string{"[p]ause", "[q]uit", "change  so far", "measure  "} {
		if strings.Contains(end, gone) {
			t.Errorf("the view has left %q behind:\n%s", gone, end)
		}
	}
	for _, there := range []string{"stopping after this block; press again to stop now", "stopped: interrupted", "ANSWER  ", "assay: report .assay/"} {
		if !strings.Contains(end, there) {
			t.Errorf("no %q in\n%s", there, end)
		}
	}
	if strings.Index(end, "stopped: interrupted") > strings.Index(end, "ANSWER  ") {
		t.Errorf("the result stands before the talk:\n%s", end)
	}
}

// Where it is asked not to, or nobody can see it, there is no view.
func TestNoLiveView(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("testdata/tiny")); err != nil {
		t.Fatal(err)
	}
	p := newPane(t, dir)
	assay := asAssay(t)
	for i, how := range []struct{ env, flag, want string }{
		{"", "--progress=plain", "assay: run "}, {"TERM=dumb", "", "assay: run "}, {"CI=true", "", "assay: run "}, {"", "-q", "ANSWER"},
	} {
		end := fmt.Sprint("status", i) // of this one: the last one's may still be there
		p.tmux("clear-history")
		p.tmux("send-keys", "clear; "+how.env+" "+assay+" compare . 'b: . GOGC=50' --layouts=1 --trial=1ms --blocks=5 "+how.flag+" -- -bench=Sum ; echo "+end+"=$?", "Enter")
		screen := p.wait(end + "=0")
		if strings.Contains(screen, "[q]uit") || !strings.Contains(screen, how.want) {
			t.Errorf("%+v:\n%s", how, screen)
		}
	}
}
