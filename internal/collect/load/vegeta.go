package load

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/seed-1318a441/assay/internal/printable"
)

// readVegeta reads the output of "vegeta encode", JSON or CSV, which has all latencies,
// or of "vegeta report -type=json", which has percentiles. Latency counts from the
// sending of a request, not from when it was due. Latencies are those of successful
// requests and of timeouts; in a report, of all.
func readVegeta(src *bufio.Reader) (Result, error) {
	if startsWith(src, `{"latencies"`) {
		return readJSON[vegetaReport](src)
	}
	var log vegetaLog
	row := log.csv
	if startsWith(src, "{") {
		row = log.json
	}
	err := eachWholeLine(src, func(line string) error {
		if line == "" {
			return nil
		}
		return row(line)
	})
	if err != nil {
		return Result{}, err
	}
	return log.result(), nil
}

// A vegetaLog adds up the results of an attack.
type vegetaLog struct {
	requestLog
	attack string
	zero   bool // its request 0 was there
}

// attacked refuses the requests of a second attack: its time is another.
func (v *vegetaLog) attacked(name string, seq int) error {
	if v.begun && name != v.attack || seq == 0 && v.zero {
		return errors.New("begins another attack: give one attack a file")
	}
	v.attack, v.zero = name, v.zero || seq == 0
	return nil
}

func (v *vegetaLog) json(line string) error {
	var r struct {
		Code      *int      `json:"code"`
		Timestamp time.Time `json:"timestamp"`
		Latency   int64     `json:"latency"`
		Error     string    `json:"error"`
		Attack    string    `json:"attack"`
		Seq       int       `json:"seq"`
	}
	if err := json.Unmarshal([]byte(line), &r); err != nil {
		return errors.New("is not the JSON that was expected (" + printable.Brief(err.Error()) + ")")
	}
	if r.Code == nil {
		return errors.New("has no code")
	}
	if err := v.attacked(r.Attack, r.Seq); err != nil {
		return err
	}
	return v.request(r.Timestamp.UnixNano(), *r.Code, r.Latency, r.Error)
}

// csv parses timestamp, code, latency, bytes out, bytes in, error and six more.
func (v *vegetaLog) csv(line string) error {
	cells, err := cellsOf(line)
	if err != nil {
		return err
	}
	if len(cells) != 12 {
		return fmt.Errorf("has %d columns, not 12,", len(cells))
	}
	var numbers [3]int64
	for i := range numbers {
		if numbers[i], err = strconv.ParseInt(cells[i], 10, 64); err != nil {
			return fmt.Errorf("has %q where a number belongs", printable.Brief(cells[i]))
		}
	}
	seq, err := strconv.Atoi(cells[8])
	if err != nil {
		return fmt.Errorf("has %q where a number belongs", printable.Brief(cells[8]))
	}
	if err := v.attacked(cells[7], seq); err != nil {
		return err
	}
	return v.request(numbers[0], int(numbers[1]), numbers[2], cells[5])
}

// request counts a request; times are in nanoseconds.
func (v *vegetaLog) request(start int64, code int, latency int64, text string) error {
	o := statusOutcome(code)
	// The code is 0 if there was no response.
	if code == 0 && strings.Contains(text, "Client.Timeout") {
		o = timedOut
	}
	return v.add(float64(start)/1e9, float64(latency)/1e9, o)
}

// A vegetaReport is the needed part of "vegeta report -type=json"; times are in
// nanoseconds.
type vegetaReport struct {
	Latencies map[string]*float64 `json:"latencies"`
	Duration  float64             `json:"duration"`
	Wait      float64             `json:"wait"`
	Requests  int                 `json:"requests"`
	Rate      float64             `json:"throughput"`
	Statuses  map[string]int      `json:"status_codes"`
}

func (v vegetaReport) result() (Result, error) {
	r := Result{Rate: v.Rate, Seconds: (v.Duration + v.Wait) / 1e9}
	for code, n := range v.Statuses {
		if err := r.addStatus(code, n); err != nil {
			return Result{}, err
		}
	}
	if n := r.Requests + r.Errors; n != v.Requests {
		return Result{}, mismatch("it counts %s requests, its statuses %s", v.Requests, n)
	}
	var err error
	r.Percentiles, err = namedPercentiles(v.Latencies, "", "th", nanoseconds)
	return r, err
}
