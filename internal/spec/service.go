package spec

import (
	"errors"
	"fmt"
	"maps"
	"net"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/collect/load"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/spec/document"
)

// servicePlaces are the placeholders that a service's command lines may have.
var servicePlaces = []string{assay.PlaceBin, assay.PlacePort, assay.PlaceTmp, assay.PlaceStudy, assay.PlaceName}

func serviceKeys(w *assay.Workload) document.Schema {
	if w.Service == nil {
		w.Service = &assay.Service{}
	}
	s, names := w.Service, benchmarkNames(&w.Names)
	if w.Name != "" {
		names.Write = nil // the only name is made of it
	}
	return document.Schema{
		document.Text("name", &w.Name, nonEmpty("is no name")),
		document.Text("kind", &w.Kind, workloadKind),
		document.Text("package", &w.Package, MainPackage),
		document.List("build_flags", &w.BuildFlags, commandBuildFlag),
		names,
		oneOrMore("prepare", &s.Prepare),
		commandLine("start", &s.Start, servicePlaces...),
		ready(&s.Ready),
		oneOrMore("setup", &s.Setup),
		oneOrMore("warmup", &s.Warmup),
		commandLine("load", &s.Load, servicePlaces...),
		document.Text("parse", &s.Parse, loadFormat),
		patterns(&s.Metrics),
		document.Text("results", &s.Results, fileName(assay.PlaceTmp, assay.PlaceStudy, assay.PlaceName, assay.PlacePort)),
		httpLoad(s),
		document.Text("stop", &s.Stop, stopSignal),
		length("stop_within", &s.StopWithin),
		oneOrMore("cleanup", &s.Cleanup),
		document.Text("cpus", &s.CPUs, cpuList),
		document.Text("load_cpus", &s.LoadCPUs, cpuList),
		serverEnv(&w.Env, &w.Secrets),
		alwaysOn("fresh", "starts every trial with a new process and an empty folder"),
	}
}

// oneOrMore is one command line of a service, or a list of them.
func oneOrMore(key string, p *[][]string) document.Field {
	return document.Field{Key: key, Read: func(e *document.Entry) error {
		isList := func(v document.Value) bool { return v.Kind == unstable.Array }
		items := e.Value.Items
		if e.Value.Kind != unstable.Array || !slices.ContainsFunc(items, isList) {
			items = []document.Value{e.Value}
		}
		for _, item := range items {
			var line []string
			if err := commandLine(key, &line, servicePlaces...).Read(item.In(e)); err != nil {
				return err
			}
			*p = append(*p, line)
		}
		return nil
	}, Write: func() string {
		var lines []string
		for _, line := range *p {
			lines = append(lines, document.QuoteList(line))
		}
		if len(lines) < 2 {
			return strings.Join(lines, "")
		}
		return "[" + strings.Join(lines, ", ") + "]"
	}}
}

const readyExample = `{ tcp = "127.0.0.1:{port}", within = "30s" }`

func ready(r *assay.Ready) document.Field {
	return document.Inline("ready", readyExample, document.Schema{
		document.Text("tcp", &r.TCP, address),
		document.Text("http", &r.HTTP, httpURL),
		document.Text("log", &r.Log, logPattern),
		length("within", &r.Within),
	}).Then(func(e *document.Entry) error {
		var first string
		for _, sub := range e.Value.Table.Entries {
			switch {
			case sub.Key == "within":
			case first != "":
				return document.Faultf(sub.At, assay.CodeStudyKey, "ready has %s and %s: a service is ready by one of tcp, http and log", first, sub.Key)
			default:
				first = sub.Key
			}
		}
		return nil
	})
}

// withPort puts a port in place of {port}, so that the text around it can be checked.
func withPort(s string) string { return strings.ReplaceAll(s, assay.PlacePort, "1") }

func address(s string) (string, error) {
	if err := checkPlaces(s, assay.PlacePort); err != nil {
		return "", err
	}
	if _, port, err := net.SplitHostPort(withPort(s)); err != nil || port == "" {
		return "", errors.New(`is not an address such as "127.0.0.1:{port}"`)
	}
	return s, nil
}

func httpURL(s string) (string, error) {
	if err := checkPlaces(s, assay.PlacePort, assay.PlaceName); err != nil {
		return "", err
	}
	u, err := url.Parse(withPort(s))
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return "", errors.New(`is not a URL such as "http://127.0.0.1:{port}/"`)
	}
	return s, nil
}

func logPattern(s string) (string, error) {
	if s == "" {
		return "", errors.New("matches every line")
	}
	if err := checkPlaces(s, assay.PlacePort); err != nil {
		return "", err
	}
	if _, err := regexp.Compile(withPort(s)); err != nil {
		return "", notRegexp(err)
	}
	return s, nil
}

func loadFormat(s string) (string, error) {
	known := load.Formats()
	if slices.Contains(known, s) {
		return s, nil
	}
	if name := printable.NearestName(s, known); name != "" {
		return "", fmt.Errorf("is not a format that assay reads; did you mean %q?", name)
	}
	return "", fmt.Errorf("is not a format that assay reads; it has %s", strings.Join(known, ", "))
}

// stopSignal reads a signal, and knows its other names.
func stopSignal(s string) (string, error) {
	names := map[string][]string{assay.StopInterrupt: {"int", "2"}, assay.StopTerminate: {"term", "15"}, assay.StopKill: {"9"}}
	if names[s] != nil {
		return s, nil
	}
	word := strings.TrimPrefix(strings.ToLower(s), "sig")
	for name, others := range names {
		if word == name || slices.Contains(others, word) {
			return "", fmt.Errorf("is called %q here", name)
		}
	}
	return "", fmt.Errorf("is none of %q, %q, %q", assay.StopInterrupt, assay.StopTerminate, assay.StopKill)
}

// cpuList checks a list of processors. The machine checks whether it has them.
func cpuList(s string) (string, error) {
	if s == "" {
		return "", errors.New("names no processor")
	}
	_, err := assay.CPUList(s)
	return s, err
}

// serverEnv is variables whose values can have placeholders.
func serverEnv(p, secrets *map[string]string) document.Field {
	return runVars(p, secrets).Then(func(e *document.Entry) error {
		for _, sub := range e.Value.Table.Entries {
			if err := checkPlaces(sub.Value.Text, servicePlaces...); err != nil {
				return sub.Wrong(err.Error())
			}
		}
		return nil
	})
}

const httpExample = `{ url = "http://127.0.0.1:{port}/", rate = 500, duration = "10s" }`

// httpLoad is the built-in load.
func httpLoad(s *assay.Service) document.Field {
	h := s.HTTP
	if h == nil {
		h = &assay.HTTPLoad{}
	}
	return document.Inline("http", httpExample, document.Schema{
		document.Text("url", &h.URL, httpURL),
		document.Scalar("rate", &h.Rate, requestRate, func(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }),
		arrivals(h),
		length("duration", &h.Duration),
		length("warmup", &h.Warmup),
		document.Text("method", &h.Method, httpMethod),
		document.String("body", &h.Body),
		document.Pairs("headers", &h.Headers, checkHeader),
		document.Number("connections", &h.Connections),
		length("timeout", &h.Timeout),
	}).Then(func(e *document.Entry) error {
		s.HTTP = h
		if e.Value.Table.Find("arrivals") == nil {
			h.Arrivals = assay.ArrivalsPoisson
		}
		for _, key := range []string{"url", "rate", "duration"} {
			if e.Value.Table.Find(key) == nil {
				return document.Faultf(e.At, assay.CodeStudyKey, "http has no %s: write %s", key, httpExample)
			}
		}
		return checkHeaderValues(e.Value.Table.Find("headers"))
	})
}

// arrivals is written always: without it a study has the default, and records may have the
// other.
func arrivals(h *assay.HTTPLoad) document.Field {
	f := document.Text("arrivals", &h.Arrivals, assay.ParseArrivals)
	f.Write = func() string {
		if h.URL == "" {
			return ""
		}
		return document.Quote(h.Arrivals.String())
	}
	return f
}

// requestRate reads a number of requests per second.
func requestRate(s string) (float64, error) {
	f, err := strconv.ParseFloat(strings.ReplaceAll(s, "_", ""), 64)
	if err != nil || !(f >= 1e-3 && f <= 1e6) {
		return 0, errors.New("is not a number of requests a second, 0.001 to 1000000")
	}
	return f, nil
}

var httpToken = regexp.MustCompile("^[!#$%&'*+.^_`|~0-9A-Za-z-]+$") // RFC 9110, 5.6.2

func httpMethod(s string) (string, error) {
	switch {
	case !httpToken.MatchString(s):
		return "", errors.New("is not a method of HTTP")
	case s != strings.ToUpper(s):
		return "", fmt.Errorf("is written %q", strings.ToUpper(s))
	}
	return s, nil
}

func checkHeader(name string) error {
	if !httpToken.MatchString(name) {
		return fmt.Errorf("%q is not the name of a header", name)
	}
	return nil
}

func checkHeaderValues(headers *document.Entry) error {
	if headers == nil {
		return nil
	}
	for _, sub := range headers.Value.Table.Entries {
		if strings.ContainsFunc(sub.Value.Text, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }) {
			return sub.Wrong("has a control character in it")
		}
	}
	return nil
}

// checkService checks keys against each other, and names the service.
func checkService(s *assay.Study, w *assay.Workload, t *document.Table) error {
	v := w.Service
	switch {
	case s.By != nil:
		return t.Find("kind").Wrong("cannot be combined with [by]: a service has no sub-benchmarks")
	case len(v.Start) == 0:
		return document.Faultf(t.At, assay.CodeStudyKey, "[[workload]] has no start: the command line of the server")
	}
	if err := checkLoad(v, t); err != nil {
		return err
	}
	if line := portless(s, w); line != nil {
		return document.Faultf(t.Find("start").At, assay.CodeStudyValue, "%s has no %s in it, and the service is ready when it listens there: give it to the server, or say what makes it ready: ready = %s", document.QuoteList(line), assay.PlacePort, readyExample)
	}
	anyBuilt := func(v assay.Variant) bool { return HasPlace(assay.PlaceBin, w.Commands(v)...) }
	if t.Find("package") != nil && !anyBuilt(assay.Variant{}) && !slices.ContainsFunc(s.Variants, anyBuilt) {
		return t.Find("package").Wrong("changes nothing: no command has " + assay.PlaceBin + " in it")
	}
	return checkServiceNames(s, w, t)
}

// checkServiceNames checks the names of a service, or gives it one.
func checkServiceNames(s *assay.Study, w *assay.Workload, t *document.Table) error {
	names, perName := t.Find("names"), HasPlace(assay.PlaceName, namedWords(w)...)
	switch {
	case names != nil && t.Find("name") != nil:
		return document.Faultf(names.At, assay.CodeStudyKey, "names cannot be combined with name: a service has one or the other")
	case len(w.Names) > 1 && !perName:
		return document.Faultf(names.At, assay.CodeStudyValue, "%d names are as many runs of the same: no command has %s in it", len(w.Names), assay.PlaceName)
	case len(w.Names) == 0:
		w.Names = []string{nameOfService(w, packageOf(s, w))}
	}
	return nil
}

// namedWords returns the words in which {name} makes one run differ from another.
func namedWords(w *assay.Workload) [][]string {
	words := append(w.Commands(assay.Variant{}), slices.Collect(maps.Values(w.Env)))
	if h := w.Service.HTTP; h != nil {
		words = append(words, []string{h.URL, h.Body}, slices.Collect(maps.Values(h.Headers)))
	}
	return words
}

// checkOneKind refuses services beside other workloads: no metric is common to both.
func checkOneKind(s *assay.Study, tables []document.Value) error {
	for i, w := range s.Workloads[1:] {
		if first := s.Workloads[0]; w.Kind != first.Kind && anyService(s) {
			return document.Faultf(tables[i+1].At, assay.CodeStudyValue, "a %s cannot be combined with a %s: what they measure has other names; make two studies", w.Kind, first.Kind)
		}
	}
	return nil
}

// checkLoad checks that there is exactly one load, and that its result can be read.
func checkLoad(v *assay.Service, t *document.Table) error {
	switch {
	case len(v.Load) == 0 && v.HTTP == nil:
		return document.Faultf(t.At, assay.CodeStudyKey, "[[workload]] has no load: write load and parse, or http = %s", httpExample)
	case len(v.Load) > 0 && v.HTTP != nil:
		return document.Faultf(t.Find("http").At, assay.CodeStudyKey, "load and http cannot stand together: http is the load that is built in")
	case len(v.Load) > 0 && v.Parse == "" && len(v.Metrics) == 0:
		return document.Faultf(t.Find("load").At, assay.CodeStudyKey, "load has no parse: write the format of its result, one of %s; or metrics = %s", strings.Join(load.Formats(), ", "), patternExample)
	}
	if e := t.Find("parse", "metrics", "results"); e != nil && v.HTTP != nil {
		return e.Wrong("cannot be combined with http, whose result is known")
	}
	return checkParsed(v.Metrics, t)
}

// portless returns the command line of a server that cannot know the port on which assay
// waits for it: not from its arguments, a variable, or a command that prepares it. It is
// nil if there is none.
func portless(s *assay.Study, w *assay.Workload) []string {
	if r := w.Service.Ready; r.TCP+r.HTTP+r.Log != "" || HasPlace(assay.PlacePort, w.Service.Prepare...) || HasPlace(assay.PlacePort, slices.Collect(maps.Values(w.Env))) {
		return nil
	}
	lines := [][]string{w.Service.Start}
	for _, v := range s.Variants {
		if !HasPlace(assay.PlacePort, slices.Collect(maps.Values(v.Env))) {
			lines = append(lines, w.Command(v))
		}
	}
	if len(s.Variants) > 0 {
		lines = lines[1:]
	}
	for _, line := range lines {
		if !HasPlace(assay.PlacePort, line) {
			return line
		}
	}
	return nil
}

// nameOfService returns the name of a service's benchmark.
func nameOfService(w *assay.Workload, pkg string) string {
	if w.Name != "" {
		return CleanName(w.Name)
	}
	if name := ProgramName(w.Service.Start[0], pkg); name != "" {
		return name
	}
	return string(assay.KindService)
}
