package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/session"
	"github.com/seed-1318a441/assay/internal/usage"
)

// loadFlags describe the load. They read what httpload.Args writes.
type loadFlags struct {
	assay.HTTPLoad
	headers  []string
	arrivals string
	json     bool
}

func (l *loadFlags) register(f *pflag.FlagSet) {
	f.Float64Var(&l.Rate, "rate", 0, "`N` requests a second")
	f.StringVar(&l.arrivals, "arrivals", string(assay.ArrivalsPoisson), "poisson: `WORD` for independent requests; even: at equal distances")
	f.Uint64Var(&l.Seed, "seed", 0, "`N` repeats the Poisson arrivals of a load (default: drawn anew)")
	usage.DurationVar(f, &l.Duration, "duration", 0, "`D` is the time that is measured")
	usage.DurationVar(f, &l.Warmup, "warmup", 0, "`D` at the same rate before that, not measured")
	f.StringVar(&l.Method, "method", "", "`METHOD` of the requests (default GET)")
	f.StringVar(&l.Body, "body", "", "`TEXT` that every request carries")
	f.StringArrayVar(&l.headers, "header", nil, "`NAME:VALUE` of every request; may be repeated")
	f.IntVar(&l.Connections, "connections", 0, "at most `N` connections (default 10000)")
	usage.DurationVar(f, &l.Timeout, "timeout", 0, "`D` after which a request has failed (default 30s)")
	f.BoolVar(&l.json, "json", false, "print the result as JSON, with the histogram")
}

func newLoad(c *console) *cobra.Command {
	var l loadFlags
	cmd := &cobra.Command{
		Use:   "load --rate N --duration D [flags] URL",
		Short: "Request a URL at a fixed rate, and print the latencies",
		Long: "Send requests to a URL at a fixed rate, whether earlier ones have been answered\nor not, and print the latencies, counted from the moment at which each request\n" +
			"was due. It is the load of a service whose study says http = { ... }; with --json\nits result is what parse = \"assay\" reads.",
		Example:               "  assay load --rate=500 --duration=10s http://127.0.0.1:8080/\n  assay load --rate=50 --duration=1m --method=POST --body='{}' URL",
		DisableFlagsInUseLine: true,
		Args:                  atMost(1),
	}
	l.register(cmd.Flags())
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := l.read(args); err != nil {
			return err
		}
		return l.run(cmd.Context(), c)
	}
	return cmd
}

// read reads the URL and the headers, and checks that nothing required is missing.
func (l *loadFlags) read(args []string) error {
	missing := ""
	switch {
	case len(args) == 0:
		missing = "a URL"
	case l.Rate == 0:
		missing = "--rate, in requests a second"
	case l.Duration == 0:
		missing = "--duration, such as 10s"
	}
	if missing != "" {
		return assay.UsageError(assay.CodeFlags, "assay load needs "+missing, "assay load --rate=500 --duration=10s http://127.0.0.1:8080/")
	}
	var err error
	if l.Arrivals, err = assay.ParseArrivals(l.arrivals); err != nil {
		return assay.UsageError(assay.CodeFlags, fmt.Sprintf("--arrivals %q %v", l.arrivals, err), "assay load --help")
	}
	if l.Arrivals == assay.ArrivalsEven {
		l.Seed = 0
	} else if l.Seed == 0 {
		l.Seed = uint64(rand.Uint32()) + 1
	}
	l.URL = args[0]
	for _, line := range l.headers {
		name, value, ok := strings.Cut(line, ":")
		if !ok || strings.TrimSpace(name) == "" {
			return assay.UsageError(assay.CodeFlags, fmt.Sprintf("--header %q is not NAME:VALUE", line), "assay load --help")
		}
		if l.Headers == nil {
			l.Headers = map[string]string{}
		}
		l.Headers[name] = strings.TrimSpace(value)
	}
	return nil
}

func (l *loadFlags) run(ctx context.Context, c *console) error {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	r, failures, err := session.Load(ctx, l.HTTPLoad)
	if err != nil {
		return err
	}
	if !l.json {
		c.printAll(session.LoadLines(r, failures))
		return nil
	}
	for _, line := range failures {
		fmt.Fprintln(c.stderr, c.err().Text("assay: "+line))
	}
	return json.NewEncoder(c.stdout).Encode(r)
}
