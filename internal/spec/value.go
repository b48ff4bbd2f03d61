package spec

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2/unstable"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/knobs"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/secret"
	"github.com/seed-1318a441/assay/internal/spec/document"
)

// Flag reads the value of a flag. Its errors begin with the value; those of read do not,
// since a study file quotes the value as it is written there.
func Flag[T any](s string, read func(string) (T, error)) (T, error) {
	v, err := read(s)
	return v, withValue(s, err)
}

// Blocks reads a number of blocks: "12" is exactly 12, "8-20" from 8 to 20, "10-" at
// least 10, with a maximum of 0.
func Blocks(s string) (minimum, maximum int, err error) {
	minimum, maximum, err = blocks(s)
	return minimum, maximum, withValue(s, err)
}

// A BadValue is what is wrong with a value.
type BadValue struct {
	// Problem follows the value in a sentence.
	Problem string
	// Right is what was probably meant, "" if unknown.
	Right string
}

func (e *BadValue) Error() string { return e.Problem }

// withValue puts the value before what is wrong with it.
func withValue(s string, err error) error {
	switch {
	case err == nil:
		return nil
	case s == "":
		return fmt.Errorf(`"" %w`, err)
	}
	return fmt.Errorf("%s %w", s, err)
}

var decimal = regexp.MustCompile(`^[0-9]{1,18}(\.[0-9]{1,40})?$`)

// Percent reads "1%" as 0.01. "1" is an error: it could mean all or 1 %.
func Percent(s string) (float64, error) {
	number, ok := strings.CutSuffix(s, "%")
	number = strings.TrimSpace(number)
	switch {
	case !decimal.MatchString(number):
		return 0, errors.New(`is not a percentage such as "1%"`)
	case !ok && strings.HasPrefix(number, "0."):
		f, _ := strconv.ParseFloat(number+"e2", 64)
		hundredfold := strconv.FormatFloat(f, 'f', -1, 64) + "%"
		return 0, &BadValue{fmt.Sprintf(`needs a unit: "%s%%" or "%s"`, number, hundredfold), hundredfold}
	case !ok:
		return 0, &BadValue{fmt.Sprintf(`needs a unit: "%s%%"`, number), number + "%"}
	}
	// Shifting the exponent in the text rounds only once, so that 7% is 0.07.
	return strconv.ParseFloat(number+"e-2", 64)
}

// formatPercent is the inverse of Percent.
func formatPercent(f float64) string {
	digits, exp, _ := strings.Cut(strconv.FormatFloat(f, 'e', -1, 64), "e")
	digits = strings.Replace(digits, ".", "", 1)
	n, _ := strconv.Atoi(exp)
	point := n + 3 // where the point stands in digits, times 100
	switch {
	case point <= 0:
		return "0." + strings.Repeat("0", -point) + digits + "%"
	case point >= len(digits):
		return digits + strings.Repeat("0", point-len(digits)) + "%"
	}
	return digits[:point] + "." + digits[point:] + "%"
}

// positivePercent reads a share between 0 % and 100 %.
func positivePercent(s string) (float64, error) {
	f, err := Percent(s)
	if err == nil && (f <= 0 || f >= 1) {
		err = errors.New("is outside 0% to 100%")
	}
	return f, err
}

// confidence reads the confidence of the intervals.
func confidence(s string) (float64, error) {
	f, err := Percent(s)
	if err == nil && (f <= 0.5 || f >= 1) {
		err = errors.New("is outside 50% to 100%")
	}
	return f, err
}

// gate reads the limit of a gate, which can be above 100 %.
func gate(s string) (float64, error) {
	f, err := Percent(s)
	if err == nil && f <= 0 {
		err = errors.New("is no limit; a gate needs one above 0%")
	}
	return f, err
}

var errBlocks = errors.New(`is not a number of blocks; write "12", "8-20" or "10-"`)

func blocks(s string) (int, int, error) {
	from, to, ranged := strings.Cut(s, "-")
	lo, err := Count(from)
	if err != nil {
		return 0, 0, errBlocks
	}
	if !ranged {
		return lo, lo, nil
	}
	if strings.TrimSpace(to) == "" {
		return lo, 0, nil
	}
	hi, err := Count(to)
	if err != nil {
		return 0, 0, errBlocks
	}
	if hi < lo {
		return 0, 0, errors.New("ends before it begins")
	}
	return lo, hi, nil
}

// Count reads a number from 1 to a billion.
func Count(s string) (int, error) {
	n, err := strconv.Atoi(strings.TrimSpace(s))
	if err != nil || n < 1 || n > 1e9 {
		return 0, errors.New("is not a number from 1")
	}
	return n, nil
}

func formatBlocks(minimum, maximum int) string {
	switch maximum {
	case minimum:
		return strconv.Itoa(minimum)
	case 0:
		return strconv.Itoa(minimum) + "-"
	}
	return strconv.Itoa(minimum) + "-" + strconv.Itoa(maximum)
}

// Layouts reads how binaries are linked: 0 for "fresh", a new layout for every block, or 1,
// one link in the linker's own order.
func Layouts(s string) (int, error) {
	switch s {
	case "fresh":
		return 0, nil
	case "1":
		return 1, nil
	}
	return 0, errors.New(`is neither "fresh", a new layout for every block, nor 1, the linker's own`)
}

// Duration reads a length of time such as "50ms" or "10m".
func Duration(s string) (time.Duration, error) {
	if _, err := strconv.ParseFloat(s, 64); err == nil {
		return 0, &BadValue{fmt.Sprintf(`needs a unit: "%ss" or "%sm"`, s, s), s + "s"}
	}
	d, err := time.ParseDuration(s)
	if err != nil {
		return 0, errors.New(`is not a time such as "50ms" or "10m"`)
	}
	return d, nil
}

// PositiveDuration reads a length of time above 0.
func PositiveDuration(s string) (time.Duration, error) {
	d, err := Duration(s)
	if err == nil && d <= 0 {
		return 0, errors.New("is not above 0")
	}
	return d, err
}

// BenchTime reads go test's -benchtime: a time, or a number of iterations.
func BenchTime(s string) (time.Duration, int, error) {
	if n, ok := strings.CutSuffix(s, "x"); ok {
		iters, err := Count(n)
		if err != nil {
			return 0, 0, errors.New(`is not a number of iterations such as "1000x"`)
		}
		return 0, iters, nil
	}
	d, err := PositiveDuration(s)
	return d, 0, err
}

// arches are what "go tool dist list" names, go1.24 to go1.27.
var arches = []string{"386", "amd64", "arm", "arm64", "loong64", "mips", "mips64", "mips64le", "mipsle", "ppc64", "ppc64le",
	"riscv64", "s390x", "wasm"}

// Arch reads a GOARCH, and knows other names of architectures.
func Arch(s string) (string, error) {
	if slices.Contains(arches, s) {
		return s, nil
	}
	right := map[string]string{"x86_64": "amd64", "x64": "amd64", "x86": "386", "i386": "386", "i686": "386", "aarch64": "arm64"}[s]
	if right == "" {
		right = printable.NearestName(s, arches)
	}
	if right == "" {
		return "", errors.New("is not a GOARCH such as amd64 or 386")
	}
	return "", &BadValue{fmt.Sprintf("is not a GOARCH; write %q", right), right}
}

// length is a length of time above 0.
func length(key string, p *time.Duration) document.Field {
	return document.Scalar(key, p, PositiveDuration, func(d time.Duration) string { return document.Quote(document.FormatDuration(d)) })
}

// share is a percentage.
func share(key string, p *float64, read func(string) (float64, error)) document.Field {
	return document.Scalar(key, p, read, func(f float64) string { return document.Quote(formatPercent(f)) })
}

// runVars is a table of run variables. Those whose value is { secret = "NAME" } go into
// secrets.
func runVars(p, secrets *map[string]string) document.Field {
	plain := document.Pairs("env", p, checkRunVar).Then(func(e *document.Entry) error {
		for _, sub := range e.Value.Table.Entries {
			if err := knobs.CheckRunVariable(sub.Key, sub.Value.Text); err != nil {
				return sub.Wrong(err.Error())
			}
		}
		return nil
	})
	return document.Field{Key: plain.Key, Read: func(e *document.Entry) error {
		if e.Value.Kind != unstable.Table {
			return plain.Read(e)
		}
		rest := &document.Table{At: e.Value.Table.At}
		for _, sub := range e.Value.Table.Entries {
			if sub.Value.Kind != unstable.Table {
				rest.Entries = append(rest.Entries, sub)
				continue
			}
			name, err := readSecret(sub)
			if err != nil {
				return err
			}
			if *secrets == nil {
				*secrets = map[string]string{}
			}
			(*secrets)[sub.Key] = name
		}
		return plain.Read(&document.Entry{Key: e.Key, At: e.At, Value: document.Value{Kind: unstable.Table, At: e.Value.At, Table: rest}})
	}, Write: func() string {
		var rows document.Rows
		for _, name := range slices.Sorted(maps.Keys(*p)) {
			rows = append(rows, document.Row{Key: name, Value: document.Quote((*p)[name])})
		}
		for _, name := range slices.Sorted(maps.Keys(*secrets)) {
			rows = append(rows, document.Row{Key: name, Value: document.Rows{{Key: "secret", Value: document.Quote((*secrets)[name])}}.Inline()})
		}
		slices.SortStableFunc(rows, func(a, b document.Row) int { return strings.Compare(a.Key, b.Key) })
		return rows.Inline()
	}}
}

// readSecret reads the name of a variable's secret.
func readSecret(variable *document.Entry) (name string, err error) {
	if err := checkRunVar(variable.Key); err != nil {
		return "", document.Faultf(variable.At, assay.CodeStudyKey, "%v", err)
	}
	if slices.Contains(knobs.RunVariables(), variable.Key) {
		return "", document.Faultf(variable.At, assay.CodeStudyValue, "%s cannot be a secret: it is a setting of the Go runtime, and results show it", variable.Key)
	}
	err = variable.Value.Table.Fill("a secret", document.Schema{document.Text("secret", &name, func(s string) (string, error) { return s, secret.CheckName(s) })})
	if err == nil && variable.Value.Table.Find("secret") == nil {
		err = document.Faultf(variable.Value.At, assay.CodeStudyValue, "%s names no secret: write { secret = \"NAME\" }", variable.Key)
	}
	return name, err
}
