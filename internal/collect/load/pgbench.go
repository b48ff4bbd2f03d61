package load

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	assay "github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
)

// readPgbench reads the summary that pgbench prints and, in the files, the logs of its
// transactions (-l), one a thread. With --rate a transaction skipped because it was late
// counts as failed. pgbench prints its progress (-P) to stderr; the lines count if they
// are in stdout.
func readPgbench(in Input) (Result, error) {
	src, err := nonEmpty(in.Stdout)
	if err != nil {
		return Result{}, err
	}
	p := pgbench{processed: -1}
	err = eachLine(src, func(line string) error { return parseLine(pgbenchRules, &p, line) })
	if err != nil {
		return Result{}, err
	}
	if p.processed < 0 || p.Rate == 0 && p.processed > 0 {
		return Result{}, errCut
	}
	p.Requests, p.Seconds = p.processed, ratio(float64(p.processed), p.Rate)
	for _, f := range in.Files {
		if err := p.log(f); err != nil {
			return Result{}, err
		}
	}
	if n := p.latency.total; len(in.Files) > 0 && n != p.processed {
		return Result{}, mismatch("the logs hold %s transactions, the summary %s (is there a --sampling-rate?)", n, p.processed)
	}
	p.Latency = p.latency.histogram()
	return p.Result, nil
}

// A pgbench is the state of reading.
type pgbench struct {
	Result
	latency   tally
	processed int // -1 for not told
}

var pgbenchRules = []rule[*pgbench]{
	{lazy(`^progress: ([\d.]+) s, ([\d.]+) tps, lat `), (*pgbench).progress},
	{lazy(`^number of transactions actually processed: (\d+)`), func(p *pgbench, m []string) error { return setCount(&p.processed, m[1]) }},
	{lazy(`^number of (?:failed transactions|transactions skipped): (\d+) `), func(p *pgbench, m []string) error { return addCount(&p.Errors, m[1]) }},
	// Before PostgreSQL 14 there are two such lines; the one without the connections is
	// last.
	{lazy(`^tps = ([\d.]+) \(.*\)$`), func(p *pgbench, m []string) error { return setNumber(&p.Rate, m[1], seconds) }},
}

func (p *pgbench) progress(m []string) error {
	if len(p.Intervals) == maxRows {
		return nil
	}
	var i assay.Interim
	err := cmp.Or(setNumber(&i.At, m[1], seconds), setNumber(&i.Rate, m[2], seconds))
	p.Intervals = append(p.Intervals, i)
	return err
}

// log reads the log of a thread. Its lines are
//
//	client transaction time script epoch microseconds [lag] [retries]
//
// with a word instead of the time in microseconds if a transaction failed or was skipped.
func (p *pgbench) log(src io.Reader) error {
	return eachNumbered(src, false, func(n int, line string) error {
		words := strings.Fields(line)
		// A line of --aggregate-interval begins with the time, a transaction with the
		// client.
		client, err := strconv.Atoi(append(words, "")[0])
		switch {
		case err == nil && client > 1e8:
			return errors.New("has a log that adds up transactions: leave out --aggregate-interval")
		case err != nil || len(words) < 6 || len(words) > 8:
			return fmt.Errorf("has a log that has no transaction in line %d: %q", n, printable.Brief(line))
		}
		if strings.Trim(words[2], "abcdefghijklmnopqrstuvwxyz_") == "" {
			return nil
		}
		v, err := number(words[2], microseconds)
		if err == nil {
			err = p.latency.add(v, 1)
		}
		if err != nil {
			return fmt.Errorf("%w in line %d of a log", err, n)
		}
		return nil
	})
}
