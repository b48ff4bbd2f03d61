package session

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/host"
	"github.com/seed-1318a441/assay/internal/machine"
)

func TestJudge(t *testing.T) {
	quiet := assay.Require{Power: "mains", CPUs: 8, Tools: []string{"wrk"}}
	for _, c := range []struct {
		name    string
		p       assay.Platform
		require assay.Require
		missing []string
		want    string
	}{
		{"fit", assay.Platform{Power: "mains", CPUs: 8}, quiet, nil, ""},
		{"no battery", assay.Platform{CPUs: 16}, quiet, nil, ""},
		{"low power mode", assay.Platform{Power: "mains, low power mode", CPUs: 8}, quiet, nil, ""},
		{"battery", assay.Platform{Power: "battery", CPUs: 4}, quiet, []string{"wrk"},
			"it is on battery, and the study requires mains; trials may use 4 CPUs, and the study requires 8; it has no wrk on its PATH"},
		{"needs a battery", assay.Platform{CPUs: 1}, assay.Require{Power: "battery"}, nil, "it has no battery, and the study requires that it runs on one"},
	} {
		x := candidate{Glance: host.Glance{Platform: c.p, Missing: c.missing}, there: &assay.Host{Label: "a", Require: c.require}}
		x.judge()
		if got := strings.Join(x.unfit, "; "); got != c.want {
			t.Errorf("%s: got  %s\nwant %s", c.name, got, c.want)
		}
	}
}

func TestJudgeNoise(t *testing.T) {
	now := time.Date(2026, 11, 24, 12, 0, 0, 0, time.Local)
	ago := func(h int, floor assay.Change, aa bool) machine.Floor {
		return machine.Floor{Time: now.Add(-time.Duration(h) * time.Hour), Floor: floor, AA: aa, Study: "codec"}
	}
	for _, c := range []struct {
		name     string
		history  []machine.Floor
		unfit    string
		doubtful string
	}{
		{name: "new", doubtful: "its noise is unknown"},
		{name: "quiet", history: []machine.Floor{ago(50, 0.05, true), ago(2, 0.01, false)}},
		{name: "at the limit", history: []machine.Floor{ago(2, 0.02, false)}},
		{name: "noisy run", history: []machine.Floor{ago(50, 0.01, true), ago(2, 0.03, false)}, doubtful: "the noise floor of its last run, of codec, was ±3.0 %"},
		{name: "noisy run after a fresh A/A", history: []machine.Floor{ago(23, 0.01, true), ago(2, 0.03, false)}},
		{name: "noisy", history: []machine.Floor{ago(2, 0.01, false), ago(1, 0.03, true)}, unfit: "its noise floor was ±3.0 % on 2026-11-24 11:00, and the study requires at most 2 %"},
		{name: "noisy long ago", history: []machine.Floor{ago(100, 0.03, true)}, unfit: "its noise floor was ±3.0 % on 2026-11-20 08:00, and the study requires at most 2 %"},
		{name: "cured", history: []machine.Floor{ago(3, 0.03, true), ago(1, 0.01, true)}},
	} {
		x := candidate{there: &assay.Host{Label: "a", Require: assay.Require{Noise: 0.02}}}
		x.judgeNoise(c.history, now)
		if got := strings.Join(x.unfit, "; "); got != c.unfit || x.why != c.doubtful || x.doubtful != (c.doubtful != "") {
			t.Errorf("%s: got %q and doubt %q, want %q and %q", c.name, got, x.why, c.unfit, c.doubtful)
		}
	}
}

func TestUnfit(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	list := []candidate{
		{there: &assay.Host{Label: "a", Address: "ssh:a"}},
		{there: &assay.Host{Label: "b", Address: "ssh:b"}, err: errors.New("gone")},
		{there: &assay.Host{Label: "c", Address: "ssh:me@c", Require: assay.Require{Noise: 0.01}}},
	}
	if err := unfit(list[:1]); err != nil {
		t.Error(err)
	}
	list[1].judge()
	list[2].tooNoisy(0.03, "just now")
	err := unfit(list)
	const want = `b, c are not what the study requires   [require]
  b: gone
  c: its noise floor was ±3.0 % just now, and the study requires at most 1 %
  try: assay doctor --aa --on=ssh:me@c, which measures the noise again`
	if err == nil || err.Error() != want {
		t.Errorf("got %v\nwant %s", err, want)
	}
}
