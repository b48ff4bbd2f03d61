package session

import (
	"cmp"
	"fmt"
	"maps"
	"net"
	"net/url"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/shell"
)

// Programs lists the programs that a study runs, the addresses that it sends requests to
// and the other machines that it is measured on, one per line, with the variables that it sets for them. Readers of an untrusted
// study want to see them first.
func Programs(s *assay.Study) []string {
	var l lines
	for _, h := range s.Hosts {
		if !h.Local() {
			l.add("measured on", nil, []string{h.Address})
		}
	}
	for _, v := range s.Variants {
		l.add("toolchain", v.Build, []string{cmp.Or(v.Go, "go")})
		if v.Rev != "" || v.Module != "" {
			l.add("source", nil, []string{cmp.Or(v.Rev, v.Module)})
		}
	}
	for _, w := range s.Workloads {
		switch w.Kind {
		case assay.KindGoTest:
			l.add("benchmarks", w.Env, append([]string{cmp.Or(w.Bench, ".")}, w.Packages...))
		case assay.KindCommand:
			l.add("prepare", nil, w.Prepare)
			l.add("run", shown(w.Env, w.Secrets), w.Run)
			l.add("cleanup", nil, w.Cleanup)
		case assay.KindService:
			l.service(w.Service, shown(w.Env, w.Secrets))
		}
	}
	for _, v := range s.Variants {
		env := shown(v.Env, v.Secrets)
		l.add("run", env, v.Run)
		if len(v.Run) == 0 {
			l.add("variables of "+v.Name, env, nil)
		}
	}
	if len(s.Measure.Pass) > 0 {
		l.add("credentials", nil, s.Measure.Pass)
	}
	return l
}

// shown returns variables with the names of secrets in the place of their values.
func shown(env, secrets map[string]string) map[string]string {
	out := assay.SecretMarks(secrets)
	maps.Copy(out, env)
	return out
}

// lines has each line once.
type lines []string

func (l *lines) add(what string, env map[string]string, line []string) {
	var words []string
	for _, name := range slices.Sorted(maps.Keys(env)) {
		words = append(words, name+"="+env[name])
	}
	if words = append(words, line...); len(words) == 0 {
		return
	}
	if text := what + ": " + printable.Line(shell.Join(words), 0); !slices.Contains(*l, text) {
		*l = append(*l, text)
	}
}

func (l *lines) service(s *assay.Service, env map[string]string) {
	for _, line := range s.Prepare {
		l.add("prepare", nil, line)
	}
	l.add("start", env, s.Start)
	for _, line := range slices.Concat(s.Setup, s.Warmup) {
		l.add("set-up", nil, line)
	}
	l.add("load", nil, s.Load)
	for _, address := range addresses(s) {
		l.add("requests to", nil, []string{address})
	}
	for _, line := range s.Cleanup {
		l.add("cleanup", nil, line)
	}
}

// addresses returns the addresses that assay itself connects to.
func addresses(s *assay.Service) []string {
	out := []string{s.Ready.TCP, s.Ready.HTTP}
	if s.HTTP != nil {
		out = append(out, s.HTTP.URL)
	}
	return slices.DeleteFunc(out, func(a string) bool { return a == "" })
}

// checkAddresses refuses to send load to other machines unless the user allowed it. A
// study may be untrusted, and the load of a benchmark is an attack on a server that
// nobody agreed to.
func checkAddresses(s *assay.Study) error {
	for _, w := range s.Workloads {
		if w.Service == nil || s.Measure.RemoteLoad {
			continue
		}
		for _, address := range addresses(w.Service) {
			if !loopback(address) {
				return assay.NewError(assay.ExitRefused, assay.CodeRemoteLoad, fmt.Sprintf("the study sends requests to %s, which is not this machine", address),
					[]string{"assay sends load to other machines only where you ask for it"}, "--remote-load, where that server is yours")
			}
		}
	}
	return nil
}

// loopback reports whether an address, a URL or HOST:PORT, is on this machine. Its
// placeholders stand for ports and for folders.
func loopback(address string) bool {
	address = strings.ReplaceAll(address, "{port}", "80")
	host := address
	if strings.Contains(address, "://") {
		u, err := url.Parse(address)
		if err != nil {
			return false
		}
		host = u.Hostname()
	} else if h, _, err := net.SplitHostPort(address); err == nil {
		host = h
	}
	ip := net.ParseIP(host)
	return host == "localhost" || host == "" && !strings.Contains(address, "://") || ip != nil && ip.IsLoopback()
}
