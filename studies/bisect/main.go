// Command bisect asks how often "assay bisect" finds the right commit, in how
// many probes and how much time. It makes git repositories of 64 commits, makes
// the hot loop of one commit, drawn at random, longer by a few percent, has assay
// search, and compares. A line of JSON goes to the record for every try.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// A try is one search.
type try struct {
	Effect  float64 `json:"effect"`
	Commits int     `json:"commits"`
	Seed    uint64  `json:"seed"`
	Planted int     `json:"planted"`
	Right   bool    `json:"right"`
	// Status and Culprit are what assay said.
	Status  string  `json:"status"`
	Culprit string  `json:"culprit,omitempty"`
	Probes  int     `json:"probes"`
	Seconds float64 `json:"seconds"`
	// Measuring is the time of the measurements alone.
	Measuring float64 `json:"measuring_seconds"`
}

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "bisect:", err)
		os.Exit(1)
	}
}

func run(args []string, w io.Writer) error {
	fs := flag.NewFlagSet("bisect", flag.ContinueOnError)
	program := fs.String("assay", "assay", "the assay program")
	effect := fs.Float64("effect", 0.05, "slowdown that is planted, 0.05 being 5 %")
	tries := fs.Int("tries", 20, "number of searches")
	commits := fs.Int("commits", 64, "commits of each history")
	seed := fs.Uint64("seed", 1, "where the planted commits are drawn from; try i has seed+i")
	record := fs.String("record", "tries.jsonl", "file that the results are appended to")
	keep := fs.Bool("keep", false, "keep the repositories, and what assay printed")
	if err := fs.Parse(args); err != nil {
		return err
	}
	path, err := exec.LookPath(*program)
	if err != nil {
		return err
	}
	if path, err = filepath.Abs(path); err != nil {
		return err
	}
	right := 0
	for i := range *tries {
		t := try{Effect: *effect, Commits: *commits, Seed: *seed + uint64(i)}
		if err := t.search(path, *keep); err != nil {
			return fmt.Errorf("try %d: %w", i+1, err)
		}
		if t.Right {
			right++
		}
		if err := t.append(*record); err != nil {
			return err
		}
		fmt.Fprintf(w, "%2d  planted %2d  %-12s right %-5v  %2d probes  %4.0f s, of which measuring %4.0f s  %.2f×\n",
			i+1, t.Planted, t.Status, t.Right, t.Probes, t.Seconds, t.Measuring, t.Seconds/t.Measuring)
	}
	fmt.Fprintf(w, "%d of %d right at %g %%\n", right, *tries, 100**effect)
	return nil
}

// search makes a history and has assay look for the planted commit.
func (t *try) search(program string, keep bool) error {
	dir, err := os.MkdirTemp("", "bisect-")
	if err != nil {
		return err
	}
	if !keep {
		defer os.RemoveAll(dir)
	}
	t.Planted = rand.New(rand.NewPCG(t.Seed, 0)).IntN(t.Commits) + 1
	h := history{dir: filepath.Join(dir, "history"), commits: t.Commits, planted: t.Planted, effect: t.Effect}
	if err := h.make(); err != nil {
		return err
	}
	want, err := h.hash(t.Planted)
	if err != nil {
		return err
	}
	var out, log bytes.Buffer
	cmd := exec.Command(program, "bisect", "--json", "--store", filepath.Join(dir, "store"), "good", "bad", "--", "-bench=Sum")
	cmd.Dir, cmd.Stdout, cmd.Stderr = h.dir, &out, &log
	start := time.Now()
	err = cmd.Run()
	t.Seconds = time.Since(start).Seconds()
	if exit := new(exec.ExitError); err != nil && !(errors.As(err, &exit) && out.Len() > 0) {
		return fmt.Errorf("%w: %s", err, log.String())
	}
	if keep {
		fmt.Fprintf(os.Stderr, "%s\n%s\n", dir, log.String())
	}
	return t.read(out.Bytes(), want)
}

// read takes in the result that assay printed.
func (t *try) read(text []byte, want string) error {
	var r struct {
		Status   string                 `json:"status"`
		Culprit  *struct{ Hash string } `json:"culprit"`
		Probes   int                    `json:"probes"`
		Measured time.Duration          `json:"measured_ns"`
	}
	if err := json.Unmarshal(text, &r); err != nil {
		return fmt.Errorf("read result: %w", err)
	}
	t.Status, t.Probes, t.Measuring = r.Status, r.Probes, r.Measured.Seconds()
	if r.Culprit != nil {
		t.Culprit, t.Right = r.Culprit.Hash, strings.EqualFold(r.Culprit.Hash, want)
	}
	return nil
}

func (t *try) append(file string) error {
	line, err := json.Marshal(t)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(file, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	_, err = f.Write(append(line, '\n'))
	return errors.Join(err, f.Close())
}
