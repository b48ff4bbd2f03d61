package load

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"math"
	"strings"

	assay "github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
)

// heyKept is the number of responses beyond which hey counts no more, neither in its
// table nor in its distributions.
const heyKept = 1_000_000

// readHey reads the table printed by hey -o csv, or hey's summary. The table lacks the
// requests without an answer. The summary has percentiles only: its histogram has eleven
// buckets of equal width, with nearly all requests in the first.
func readHey(src *bufio.Reader) (Result, error) {
	if startsWith(src, "response-time,") {
		return readRequests(src, "offset", "response-time", "status-code")
	}
	return readLines(src, new(hey))
}

// A hey is the state of reading the summary.
type hey struct {
	Result
	section string
	// perSecond is that of all requests, bars are those in the histogram.
	perSecond float64
	bars      int
	ended     bool
}

// heyRules are those of each section; "" are those of all.
var heyRules = map[string][]rule[*hey]{
	"": {
		{lazy(`^  Total:\t[\d.]+ secs\.$`), func(*hey, []string) error { return errors.New(`is not of hey: it says "secs."`) }},
		{lazy(`^  Total:\t([\d.]+) secs$`), func(h *hey, m []string) error { return setNumber(&h.Seconds, m[1], seconds) }},
		{lazy(`^  Requests/sec:\t([\d.]+)$`), func(h *hey, m []string) error { return setNumber(&h.perSecond, m[1], seconds) }},
	},
	"Response time histogram": {
		{lazy(`^  [\d.]+ \[(\d+)\]\t`), func(h *hey, m []string) error { return addCount(&h.bars, m[1]) }},
	},
	"Latency distribution":     {{lazy(`^  (\d+)%%? in ([\d.]+) secs$`), (*hey).percentile}},
	"Status code distribution": {{heyCount, (*hey).responses}},
	"Error distribution":       {{heyCount, (*hey).responses}},
}

var heyCount = lazy(`^  \[(\d+)\]\t(?:(\d+) responses$)?`)

func (h *hey) read(line string) error {
	if line != "" && line[0] != ' ' {
		h.section, _, _ = strings.Cut(line, ":")
	}
	return cmp.Or(parseLine(heyRules[""], h, line), parseLine(heyRules[h.section], h, line))
}

func (h *hey) percentile(m []string) error {
	if len(h.Percentiles) == maxRows || m[1] == "0" { // of few requests it has not all percentiles
		return nil
	}
	var q assay.Percentile
	err := cmp.Or(setNumber(&q.P, m[1], -2), setNumber(&q.Seconds, m[2], seconds))
	h.Percentiles = append(h.Percentiles, q)
	return err
}

// responses parses "[200] 3000 responses", or "[5] message" for errors.
func (h *hey) responses(m []string) error {
	h.ended = true
	if h.section == "Error distribution" {
		return addCount(&h.Errors, m[1])
	}
	n, err := count(m[2])
	if err != nil {
		return err
	}
	return h.addStatus(m[1], n)
}

// result checks the counts against the rate, which is that of all requests.
func (h *hey) result() (Result, error) {
	if !h.ended || h.Seconds == 0 {
		return Result{}, errCut
	}
	all, told := h.perSecond*h.Seconds, h.Requests+h.Errors
	// Seconds and rate have four decimals.
	tolerance := 0.5 + all*0.0001/h.Seconds
	if d := math.Abs(all - float64(told)); d > tolerance && h.bars < heyKept {
		return Result{}, fmt.Errorf("does not add up: the distributions count %s requests, the rate gives %.0f", printable.Int(told), all)
	}
	h.Rate = h.perSecond * ratio(float64(h.Requests), float64(told))
	return h.Result, nil
}
