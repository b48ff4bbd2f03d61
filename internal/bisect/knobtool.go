package bisect

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/build"
	"github.com/seed-1318a441/assay/internal/fault"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/process"
	"github.com/seed-1318a441/assay/internal/session"
)

// bisectTool is the program that chooses the patterns. Its version is fixed because
// ReadSteps parses its output.
const bisectTool = "golang.org/x/tools/cmd/bisect@v0.52.0"

// maxPlaces is the largest set of places, only effective together, after which the search
// continues: each costs as many probes as the first.
const maxPlaces = 8

// tool installs cmd/bisect into a folder and returns its path. The go command in use
// builds it, and may download the toolchain that it needs.
func (k *knobSearch) tool(ctx context.Context, dir string) (string, error) {
	tc, err := k.ses.Builder.Toolchains.Find(ctx, "", "")
	if err != nil {
		return "", err
	}
	env, err := k.ses.Builder.Env(ctx, build.Request{Study: k.ses.Config.Study.Dir, Variant: assay.Variant{Name: "bisect", Go: tc.Version}, Package: "."})
	if err != nil {
		return "", err
	}
	cmd := exec.CommandContext(ctx, tc.Go(), "install", bisectTool)
	cmd.Dir, cmd.Env = dir, append(env, "GOBIN="+dir, "GOTOOLCHAIN=auto", "GOWORK=off")
	cmd.WaitDelay = process.Grace
	if out, err := cmd.CombinedOutput(); err != nil {
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		return "", assay.NewError(assay.ExitRefused, assay.CodeBisectKnob, "cannot build "+bisectTool+", which searches the places",
			[]string{cmp.Or(printable.LastLine(string(out)), printable.OneLine(err))}, "go install "+bisectTool+"   (once, where there is a network: the module then is in the module cache)")
	}
	name := filepath.Join(dir, "bisect")
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	return name, nil
}

// between runs cmd/bisect between the ends and returns the sets of places that it
// confirmed.
func (k *knobSearch) between(ctx context.Context, limit int) (out betweenEnds, err error) {
	dir, err := k.ses.Builder.Cache.TempDir("bisect-")
	if err != nil {
		return out, err
	}
	defer os.RemoveAll(dir)
	k.ses.Config.Progress.Stage("build", "building "+bisectTool)
	tool, err := k.tool(ctx, dir)
	if err != nil {
		return out, err
	}
	data, err := json.Marshal(k.job)
	if err != nil {
		return out, fmt.Errorf("write bisection's job: %w", err)
	}
	job := filepath.Join(filepath.Dir(k.job.Asked.LogFile(k.job.Store)), "target.json")
	if err := os.WriteFile(job, data, 0o666); err != nil {
		return out, session.StoreError(k.job.Store, err)
	}
	if err := os.Remove(job + ".err"); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return out, session.StoreError(k.job.Store, err)
	}
	self, err := os.Executable()
	if err != nil {
		return out, fmt.Errorf("find assay's own program: %w", err)
	}
	w := &knobWatch{k: k, known: len(k.log.Findings)}
	cmd := exec.CommandContext(ctx, tool, "-compile="+k.job.Knob.Key, "-count=1", fmt.Sprintf("-max=%d", limit), fmt.Sprintf("-maxset=%d", maxPlaces),
		self, "bisect", "--target", job)
	cmd.WaitDelay = process.Grace
	process.OwnGroup(cmd)
	w.tell()
	if err := w.follow(cmd); err != nil && ctx.Err() != nil {
		return out, ctx.Err()
	} else if err != nil && w.fatal == "" {
		return out, fmt.Errorf("run %s: %w", bisectTool, err)
	}
	if err := k.log.Reload(); err != nil {
		return out, err
	}
	out.sets = Sets(k.log, w.sets)
	if w.fatal != "" {
		return out, k.fatal(job, w.fatal, &out)
	}
	return out, nil
}

// betweenEnds is the result of cmd/bisect, and why it found nothing.
type betweenEnds struct {
	sets [][]Match
	why  string
}

// fatal returns why cmd/bisect ended early: the target's own error, or that no small set
// of places is enough.
func (k *knobSearch) fatal(job, text string, out *betweenEnds) error {
	if data, err := os.ReadFile(job + ".err"); err == nil {
		e := new(assay.Error)
		if json.Unmarshal(data, e) == nil && e.Text != "" {
			return e
		}
	}
	if strings.HasPrefix(text, "cannot find any failing change sets") {
		out.why = fmt.Sprintf("no %d places make half of it", maxPlaces)
		return nil
	}
	return assay.NewError(assay.ExitRefused, assay.CodeBisectKnob, "cmd/bisect gave up: "+printable.Brief(text), []string{"assay keeps the findings of each build"}, k.job.Command+" --again")
}

// A knobWatch follows cmd/bisect.
type knobWatch struct {
	k     *knobSearch
	last  string   // the pattern of the last probe
	sets  []string // the confirmed patterns
	fatal string
	known int // findings already in the log
	told  int
}

// follow runs cmd/bisect to its end.
func (w *knobWatch) follow(cmd *exec.Cmd) error {
	r, pipe := io.Pipe()
	cmd.Stderr, cmd.Stdout = pipe, io.Discard
	done := make(chan error, 1)
	go func() {
		defer fault.Exit()
		done <- ReadSteps(r, w.step)
		io.Copy(io.Discard, r)
	}()
	err := cmd.Run()
	pipe.Close()
	return errors.Join(err, <-done)
}

// step handles a line of cmd/bisect's output.
func (w *knobWatch) step(s KnobStep) {
	switch {
	case s.Fatal != "":
		w.fatal = s.Fatal
	case s.Found:
		w.sets = append(w.sets, w.k.job.Knob.Pattern(w.last))
	default:
		w.last = s.Pattern
		w.tell()
	}
}

// tell reports new findings in the log.
func (w *knobWatch) tell() {
	if err := w.k.log.Reload(); err != nil {
		return // the end of the search reports it
	}
	for _, f := range w.k.log.Findings[min(w.known, len(w.k.log.Findings)):] {
		w.told++
		w.k.tell(fmt.Sprintf("probe %d", w.told), f)
	}
	w.known = max(w.known, len(w.k.log.Findings))
	w.k.ses.Config.Progress.Stage("probe", fmt.Sprintf("probe %d", w.told+1))
}
