package spec

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/spec/document"
)

// hubName matches the name of a machine of a hub, and a label; it is that of hub.IsName.
var hubName = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]{0,30}[a-z0-9])?$`)

// systems are those that an agent can run on.
var systems = []string{"darwin", "dragonfly", "freebsd", "linux", "netbsd", "openbsd"}

// agentName checks the name of a machine of a hub.
func agentName(s string) (string, error) { return nameOnHub("", s, "name of a machine of a hub") }

// poolLabel checks a label of machines.
func poolLabel(s string) (string, error) { return nameOnHub("", s, "label") }

// agentAddress checks "agent:NAME".
func agentAddress(s string) (string, error) {
	return nameOnHub(assay.AgentScheme, strings.TrimPrefix(s, assay.AgentScheme), "name of a machine of a hub")
}

// poolAddress checks "pool:LABEL", which may have several labels.
func poolAddress(s string) (string, error) {
	return nameOnHub(assay.PoolScheme, strings.TrimPrefix(s, assay.PoolScheme), "label")
}

// nameOnHub checks a name, or several with commas between them after a scheme. It returns
// them with the scheme, which is also before what was probably meant.
func nameOnHub(scheme, s, what string) (string, error) {
	names := []string{s}
	if scheme == assay.PoolScheme {
		names = strings.Split(s, ",")
	}
	good := true
	for i, n := range names {
		if !hubName.MatchString(n) {
			good = false
			names[i] = strings.Trim(strings.NewReplacer("_", "-", ".", "-", " ", "-").Replace(strings.ToLower(n)), "-")
		}
	}
	if good {
		return scheme + s, nil
	}
	problem := fmt.Sprintf(`is no %s: it has at most 32 of a to z, 0 to 9 and "-", with no "-" at its ends`, what)
	if slices.ContainsFunc(names, func(n string) bool { return !hubName.MatchString(n) }) {
		return "", errors.New(problem)
	}
	right := scheme + strings.Join(names, ",")
	return "", &BadValue{fmt.Sprintf("%s; write %q", problem, right), right}
}

// system reads a GOOS, and knows other names of systems.
func system(s string) (string, error) {
	if slices.Contains(systems, s) {
		return s, nil
	}
	right := map[string]string{"macos": "darwin", "mac": "darwin", "osx": "darwin"}[strings.ToLower(s)]
	if right = cmp.Or(right, printable.NearestName(s, systems)); right != "" {
		return "", &BadValue{fmt.Sprintf("is not a GOOS that agents run on; write %q", right), right}
	}
	return "", errors.New("is not a GOOS that agents run on: " + strings.Join(systems, ", "))
}

// hubKeys has the keys of a machine of a hub, or of any of a pool.
func hubKeys(h *assay.Host) document.Schema {
	agent := document.Text("agent", &h.Address, func(s string) (string, error) {
		name, err := agentName(s)
		return assay.AgentScheme + name, err
	})
	agent.Write = func() string {
		name, ok := h.Agent()
		if !ok {
			return ""
		}
		return document.Quote(name)
	}
	p := &h.Pool
	const example = `{ labels = ["quiet"], goos = "linux", goarch = "arm64", cpus = 8, tools = ["wrk"] }`
	pool := document.Inline("pool", example, document.Schema{
		document.List("labels", &p.Labels, poolLabel),
		document.Text("goos", &p.GOOS, system),
		document.Text("goarch", &p.GOARCH, Arch),
		document.Number("cpus", &p.CPUs),
		document.List("tools", &p.Tools, program),
	})
	return document.Schema{agent, pool.Then(func(e *document.Entry) error {
		h.Address = assay.PoolScheme + strings.Join(p.Labels, ",")
		if pool.Write() == "" {
			return e.Wrong("says nothing of its machines; write labels, goos, goarch, cpus or tools")
		}
		return nil
	}), document.Bool("exclusive", &h.Exclusive, "")}
}

// hubLabel returns the label of a machine of a hub without one.
func hubLabel(h assay.Host) string {
	if name, ok := h.Agent(); ok {
		return name
	}
	p := h.Pool
	joined := cmp.Or(strings.Join(p.Labels, "-"), strings.Trim(p.GOOS+"-"+p.GOARCH, "-"), "pool")
	return strings.Trim(joined[:min(len(joined), longestLabel)], "-")
}
