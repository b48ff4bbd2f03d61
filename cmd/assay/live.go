package main

import (
	"os"

	"github.com/seed-1318a441/assay/internal/live"
	"github.com/seed-1318a441/assay/internal/session"
)

// showLive shows the run live instead of in lines, on a terminal that somebody looks at.
func showLive(c *console, f *runFlags, cfg *session.Config, i *interruption) {
	p := cfg.Progress
	if p == nil || !f.live || f.progress != "auto" || f.events || !watchable(c) {
		return
	}
	m := live.Model{Style: c.err()}
	var in *os.File
	if f, ok := terminalOf(os.Stdin); ok {
		in, m.Keys = f, true
	}
	m.Add(live.Event{Kind: live.KindPlan, Plan: &live.Plan{Command: cfg.Command}})
	pause := session.NewPause(cfg.Stop.Requested(), i.over)
	screen := live.NewScreen(c.stderr, in, m, func(k live.Key) { pressed(k, pause, i) })
	*p = *session.NewProgress(&view{screen: screen, after: newLines(c, false)})
	p.Follow(screen.Add, pause, true)
	p.Stage("build", "building")
}

// watchable reports whether the view can be painted on stderr: a terminal of this process
// group. A background process that changed it would be stopped.
func watchable(c *console) bool {
	f, ok := terminalOf(c.stderr)
	name := os.Getenv("TERM")
	return ok && name != "dumb" && name != "" && os.Getenv("CI") == "" && inForeground(f)
}

func pressed(k live.Key, p *session.Pause, i *interruption) {
	switch k {
	case live.KeyPause:
		p.Toggle()
	case live.KeyStop:
		i.press()
	case live.KeyQuit:
		i.cancel()
	}
}
