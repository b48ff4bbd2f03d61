package report

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/sheet"
)

// service prints how a server is started, loaded and stopped, in this order.
func (t *planner) service(name string, s assay.Service) {
	t.line("service", name)
	t.lines("prepare", s.Prepare)
	t.line("start", sheet.ShellLine(s.Start))
	t.line("ready", readyText(s.Ready))
	t.lines("set up", s.Setup)
	t.lines("warm up", s.Warmup)
	if s.HTTP != nil {
		t.line("load", httpText(*s.HTTP))
	} else {
		t.line("load", sheet.ShellLine(s.Load)+parseText(s))
	}
	t.line("stop", cmp.Or(s.Stop, assay.StopTerminate)+", within "+printable.Duration(cmp.Or(s.StopWithin, assay.DefaultStopWithin)))
	t.lines("clean up", s.Cleanup)
	t.line("CPUs", cpusText(s))
}

func (t *planner) lines(label string, commands [][]string) {
	for _, c := range commands {
		t.line(label, sheet.ShellLine(c))
		label = ""
	}
}

// readyText returns text such as "TCP 127.0.0.1:{port}, within 30 s".
func readyText(r assay.Ready) string {
	what := "TCP 127.0.0.1:{port}"
	switch {
	case r.TCP != "":
		what = "TCP " + r.TCP
	case r.HTTP != "":
		what = "HTTP " + r.HTTP
	case r.Log != "":
		what = "a line of its output like " + r.Log
	}
	return what + ", within " + printable.Duration(cmp.Or(r.Within, assay.DefaultReadyWithin))
}

// httpText returns text such as "GET http://…, 500 requests/s, Poisson arrivals, for
// 60 s after 10 s of warm-up, built in: latency counts from the intended start".
func httpText(h assay.HTTPLoad) string {
	text := cmp.Or(h.Method, "GET") + " " + h.URL + ", " + printable.Group(strconv.FormatFloat(h.Rate, 'f', -1, 64)) +
		" requests/s, " + h.Arrivals.Text() + ", for " + printable.Duration(h.Duration)
	if h.Warmup > 0 {
		text += " after " + printable.Duration(h.Warmup) + " of warm-up"
	}
	return text + ", built in: latency counts from the intended start"
}

// parseText returns how assay reads a load generator's results.
func parseText(s assay.Service) string {
	if s.Results == "" {
		return " · read as " + s.Parse
	}
	return " · " + s.Results + " read as " + s.Parse
}

func cpusText(s assay.Service) string {
	var parts []string
	if s.CPUs != "" {
		parts = append(parts, "the server on "+s.CPUs)
	}
	if s.LoadCPUs != "" {
		parts = append(parts, "the load on "+s.LoadCPUs)
	}
	return strings.Join(parts, ", ")
}
