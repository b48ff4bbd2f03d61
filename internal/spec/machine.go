package spec

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pelletier/go-toml/v2/unstable"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/spec/document"
)

var (
	// machineName matches the name of a table of machines.toml.
	machineName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$`)
)

// Hosts reads what names computers on a command line: each is "local", a name of
// machines.toml, "ssh:[USER@]HOST[:PORT]", "agent:NAME", or "pool:LABEL", which may have
// several labels with commas between them. The error begins with the value.
func Hosts(words []string) (hosts []assay.Host, err error) {
	for _, w := range words {
		h := assay.Host{}
		if h.Address, err = Flag(w, onAddress); err != nil {
			return nil, err
		}
		if labels, ok := strings.CutPrefix(h.Address, assay.PoolScheme); ok {
			h.Pool.Labels = strings.Split(labels, ",")
		}
		h.Label = impliedLabel(h)
		if slices.ContainsFunc(hosts, func(o assay.Host) bool { return o.Label == h.Label }) {
			return nil, fmt.Errorf("%s is named twice", w)
		}
		hosts = append(hosts, h)
	}
	return hosts, nil
}

// onAddress checks a machine on a command line.
func onAddress(s string) (string, error) {
	switch scheme, _, _ := strings.Cut(s, ":"); scheme + ":" {
	case assay.AgentScheme:
		return agentAddress(s)
	case assay.PoolScheme:
		return poolAddress(s)
	}
	return placeAddress(s, `is neither "local" nor a name of machines.toml, "ssh:[USER@]HOST[:PORT]", "agent:NAME" or "pool:LABEL"`)
}

// hostAddress checks the host of a machine in a file.
func hostAddress(s string) (string, error) {
	switch scheme, rest, _ := strings.Cut(s, ":"); scheme + ":" {
	case assay.AgentScheme:
		return "", fmt.Errorf("is a machine of a hub; write agent = %q instead", rest)
	case assay.PoolScheme:
		return "", fmt.Errorf("are machines of a hub; write pool = { labels = [%q] } instead", rest)
	}
	return placeAddress(s, `is neither "local" nor a name of machines.toml nor "ssh:[USER@]HOST[:PORT]"`)
}

// placeAddress checks an address without a hub. problem says what is wrong with others.
func placeAddress(s, problem string) (string, error) {
	rest, ssh := strings.CutPrefix(s, assay.SSHScheme)
	switch {
	case !ssh && (s == assay.LocalAddress || machineName.MatchString(s)):
		return s, nil
	case ssh && isSSH(rest):
		return s, nil
	}
	if guess := strings.TrimPrefix(rest, "//"); guess != s && isSSH(guess) || strings.Contains(guess, "@") && isSSH(guess) {
		return "", &BadValue{fmt.Sprintf("is no machine; write %q", assay.SSHScheme+guess), assay.SSHScheme + guess}
	}
	return "", errors.New(problem)
}

func isSSH(s string) bool {
	_, err := assay.ParseSSHAddress(assay.SSHScheme + s)
	return err == nil
}

// impliedLabel returns the label of a host without one: its name, and what distinguishes
// it from others at the same place.
func impliedLabel(h assay.Host) string {
	label := h.Address
	if h.OfHub() {
		label = hubLabel(h)
	} else if a, err := assay.ParseSSHAddress(h.Address); err == nil {
		label = a.Host
		if a.Port != 0 && a.Port != 22 {
			label += "-" + strconv.Itoa(a.Port)
		}
	}
	if h.GOARCH != "" {
		label += "-" + h.GOARCH
	}
	return label
}

// longestLabel is the maximum length of a label, in characters.
const longestLabel = 63

// label checks a host's name in results, which is also that of a folder.
func label(s string) (string, error) {
	switch {
	case strings.TrimSpace(s) == "":
		return "", errors.New("is no label")
	case s != strings.TrimSpace(s):
		return "", errors.New("begins or ends with a blank")
	case !utf8.ValidString(s) || strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) }):
		return "", errors.New("has characters in it that cannot be printed")
	case strings.ContainsAny(s, `/\`) || strings.HasPrefix(s, "."):
		return "", errors.New("could be a path; a label has no slashes, and no dot in front")
	case utf8.RuneCountInString(s) > longestLabel:
		return "", fmt.Errorf("is longer than %d characters", longestLabel)
	}
	return s, nil
}

// machineKeys has the keys of a host in a study.
func machineKeys(h *assay.Host, _ *document.Table) (string, document.Schema) {
	h.Address = cmp.Or(h.Address, assay.LocalAddress)
	named := document.Text("label", &h.Label, label)
	quoted := named.Write
	named.Write = func() string {
		if h.Label == impliedLabel(*h) {
			return ""
		}
		return quoted()
	}
	keys := placeKeys(h, hostAddress)
	return "", append(append(keys[:len(keys):len(keys)], named), fitnessKeys(h)...)
}

// placeKeys has the keys that say where a host is. read checks the value of "host".
func placeKeys(h *assay.Host, read func(string) (string, error)) document.Schema {
	host := document.Text("host", &h.Address, read)
	quoted := host.Write
	host.Write = func() string {
		if h.OfHub() {
			return ""
		}
		return quoted()
	}
	return append(document.Schema{host}, hubKeys(h)...)
}

// checkPlace checks that a host has one place, and asks of it what it can do.
func checkPlace(h assay.Host, where string, t *document.Table) error {
	var first *document.Entry
	for _, e := range t.Entries {
		switch {
		case e.Key != "host" && e.Key != "agent" && e.Key != "pool":
		case first == nil:
			first = e
		default:
			return document.Faultf(e.At, assay.CodeStudyKey, "%s has %q and %q: a machine is one of them", where, first.Key, e.Key)
		}
	}
	if e := t.Find("exclusive"); e != nil && h.Exclusive && !h.OfHub() && !h.Named() {
		return e.Wrong("is for machines of a hub: this one serves one run at a time anyway")
	}
	return nil
}

// fitnessKeys has the keys that hosts have everywhere.
func fitnessKeys(h *assay.Host) document.Schema {
	r := &h.Require
	return document.Schema{
		document.Text("goarch", &h.GOARCH, Arch),
		document.Inline("require", `{ power = "mains", cpus = 8, tools = ["sysbench"], noise = "2%" }`, document.Schema{
			document.Text("power", &r.Power, oneOf("mains", "battery")),
			document.Number("cpus", &r.CPUs),
			document.List("tools", &r.Tools, program),
			share("noise", &r.Noise, positivePercent),
		}),
	}
}

// program checks the name of a program that is looked for on a PATH.
func program(s string) (string, error) {
	switch {
	case s == "" || strings.HasPrefix(s, "-") || strings.ContainsFunc(s, func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsPrint(r) }):
		return "", errors.New("is not the name of a program")
	case strings.ContainsAny(s, `/\`):
		return "", errors.New("is a path; a tool is the name of a program on the machine's PATH")
	}
	return s, nil
}

// checkMachine checks the host that was read last, and names it.
func checkMachine(list []assay.Host, t *document.Table) error {
	h := &list[len(list)-1]
	if err := checkPlace(*h, "[[machine]]", t); err != nil {
		return err
	}
	implied := h.Label == ""
	h.Label = cmp.Or(h.Label, impliedLabel(*h))
	if !slices.ContainsFunc(list[:len(list)-1], func(o assay.Host) bool { return o.Label == h.Label }) {
		return nil
	}
	if e := t.Find("label"); !implied {
		return e.Wrong("is used twice")
	}
	return document.Faultf(t.At, assay.CodeStudyKey, "a second [[machine]] is called %q: give it a label", h.Label)
}

// Machines reads a file of machines (machines.toml): tables by the name of the machine,
// which is the label of its host. name is the file's, for messages. Every error is an
// *assay.Error with exit status 2 and the code machines-file.
func Machines(name string, data []byte) ([]assay.Host, error) {
	hosts, err := decodeMachines(data)
	f, ok := errors.AsType[*document.Fault](err)
	if !ok {
		return hosts, err
	}
	if u := f.Unknown; u != nil {
		f.Text += orClose(u.Entry.Key, u.Keys.Keys())
		if printable.NearestName(u.Entry.Key, u.Keys.Keys()) == "" {
			f.Text += "; it has " + strings.Join(u.Keys.Keys(), ", ")
		}
	}
	f.Unknown, f.Code = nil, assay.CodeMachinesFile
	return nil, located(name, f)
}

func decodeMachines(data []byte) (hosts []assay.Host, err error) {
	root, err := document.Parse(data)
	if err != nil {
		return nil, err
	}
	for _, e := range root.Entries {
		switch {
		case e.Value.Kind != unstable.Table:
			return nil, document.Faultf(e.At, assay.CodeMachinesFile, "%q is no table: a machine is written [%s], and host = \"ssh:...\" below it", e.Key, cmp.Or(e.Key, "name"))
		case !machineName.MatchString(e.Key):
			return nil, document.Faultf(e.At, assay.CodeMachinesFile, "%q is no name of a machine: it has letters, digits, \"-\", \"_\" and \".\", and begins with a letter or a digit", e.Key)
		case e.Key == assay.LocalAddress:
			return nil, document.Faultf(e.At, assay.CodeMachinesFile, "%q is the computer that assay runs on, and no name for another", e.Key)
		}
		h := assay.Host{Label: e.Key}
		where := "[" + e.Key + "]"
		if err := e.Value.Table.Fill(where, append(placeKeys(&h, fixedAddress), fitnessKeys(&h)...)); err != nil {
			return nil, err
		}
		if h.Address == "" {
			return nil, document.Faultf(e.At, assay.CodeMachinesFile, "%s has no host, agent or pool", where)
		}
		if err := checkPlace(h, where, e.Value.Table); err != nil {
			return nil, err
		}
		hosts = append(hosts, h)
	}
	return hosts, nil
}

// fixedAddress checks an address that names no other machine.
func fixedAddress(s string) (string, error) {
	s, err := hostAddress(s)
	if err == nil && (assay.Host{Address: s}).Named() {
		return "", &BadValue{fmt.Sprintf(`is neither "local" nor "ssh:[USER@]HOST[:PORT]"; write %q`, assay.SSHScheme+s), assay.SSHScheme + s}
	}
	return s, err
}

// studyFile checks a file, a folder or a pattern below the study's folder.
func studyFile(name string) (string, error) {
	if _, err := path.Match(name, ""); err != nil || !fs.ValidPath(strings.TrimSuffix(name, "/")) {
		return "", errors.New("is no file, folder or pattern below the study's folder, such as \"data/*.json\"")
	}
	return name, nil
}
