package session

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/errortest"
	"github.com/seed-1318a441/assay/internal/host"
	"github.com/seed-1318a441/assay/internal/machine"
)

// requiring is the Config of a study that requires something of this computer.
func requiring(r assay.Require) Config {
	s := &assay.Study{Name: "m", Hosts: []assay.Host{{Label: "here", Require: r}}}
	return Config{Study: s, Lease: &Lease{}}
}

// A study is not measured on a computer that lacks what it requires; a command asks once.
func TestAdmit(t *testing.T) {
	ownFolders(t)
	ownConfig(t)
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	lacking := requiring(assay.Require{CPUs: 1 << 20, Tools: []string{"no-such-tool-of-assay"}})
	text := errortest.Want(t, Admit(t.Context(), lacking), assay.CodeRequire, assay.ExitRefused)
	if !strings.Contains(text, "here is not what the study requires") || !strings.Contains(text, "it has no no-such-tool-of-assay on its PATH") ||
		!strings.Contains(text, "requires 1048576") {
		t.Errorf("got %s, want both", text)
	}
	if lacking.Lease.admitted {
		t.Error("it is admitted though it lacks something")
	}
	fit := requiring(assay.Require{CPUs: 1})
	if err := Admit(t.Context(), fit); err != nil || !fit.Lease.admitted {
		t.Errorf("got %v, want it admitted", err)
	}
	lacking.Lease = fit.Lease
	if err := Admit(t.Context(), lacking); err != nil {
		t.Errorf("the command was admitted, and got %v", err)
	}
	for _, change := range []func(*Config){func(c *Config) { c.AA = true }, func(c *Config) { c.Simulation = &Simulation{} }} {
		c := requiring(assay.Require{CPUs: 1 << 20})
		if change(&c); Admit(t.Context(), c) != nil {
			t.Errorf("%+v: got an error of a measurement that requires nothing", c.Options)
		}
	}
}

// The noise of a computer is what was last measured there of the same code.
func TestAdmitByNoise(t *testing.T) {
	ownFolders(t)
	ownConfig(t)
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	p := host.For(host.Platform(t.Context()), "", 0)
	now := time.Now().UTC()
	for i, c := range []struct {
		floor   assay.Change
		refused bool
	}{{0.01, false}, {0.05, true}} {
		f := machine.Floor{Time: now.Add(time.Duration(i-5) * time.Minute), Host: p.Host, Platform: p.ID, Address: assay.LocalAddress, AA: true, Floor: c.floor}
		if err := machine.KeepFloor(f); err != nil {
			t.Fatal(err)
		}
		err := Admit(t.Context(), requiring(assay.Require{Noise: 0.02}))
		if !c.refused && err != nil {
			t.Errorf("noise of %v: got %v", c.floor, err)
		}
		if c.refused {
			if text := errortest.Want(t, err, assay.CodeRequire, assay.ExitRefused); !strings.Contains(text, "its noise floor was ±5.0 %") ||
				!strings.Contains(text, "assay doctor --aa") {
				t.Errorf("got %s, want the noise and how to measure it again", text)
			}
		}
	}
}

// The machines of one command speak with their label in front, share one line, and the line
// goes when the last of them is done.
func TestVoices(t *testing.T) {
	h := &heard{}
	v := &voices{teller: h, lines: map[string]string{}}
	all := NewProgress(h)
	a, b := v.progress(all, "a"), v.progress(all, "b")
	a.Say("assay: built new")
	b.warn(assay.Warning{Code: assay.CodeNoisy, Text: "it is noisy"})
	b.Stage("measure", "block 1")
	a.Stage("measure", "block 2")
	a.Done()
	if h.done != 0 {
		t.Error("the line went while b has one")
	}
	b.Stage("measure", "block 3")
	b.Done()
	if want := []string{"assay: a: built new"}; !slices.Equal(h.said, want) || h.warned[0].Text != "b: it is noisy" {
		t.Errorf("got %q and %+v, want %q", h.said, h.warned, want)
	}
	if want := []string{"measure: b: block 1", "measure: a: block 2; b: block 1", "measure: b: block 3"}; !slices.Equal(h.lines, want) || h.done != 1 {
		t.Errorf("got %q, %d times done, want %q", h.lines, h.done, want)
	}
	if v.progress(nil, "c") != nil {
		t.Error("a silent command has a voice")
	}
}

// A release lets the next assay measure once, however often it is called.
func TestRelease(t *testing.T) {
	left := 0
	l := &Lease{leave: func() error { left++; return nil }}
	if l.Release(); left != 1 || l.leave != nil {
		t.Errorf("got %d releases", left)
	}
	if l.Release(); left != 1 {
		t.Errorf("got %d releases, want one", left)
	}
}

// A request to stop ends what comes before the blocks, and so does the end of the command.
func TestUntil(t *testing.T) {
	s := NewStop()
	ctx, cancel := s.until(t.Context())
	defer cancel()
	if ctx.Err() != nil || s.Measuring() {
		t.Fatal("it ended before anybody asked")
	}
	s.Request()
	<-ctx.Done()
	outer, end := context.WithCancel(t.Context())
	inner, cancel2 := NewStop().until(outer)
	defer cancel2()
	end()
	<-inner.Done()
}
