package bisect

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis"
	"github.com/seed-1318a441/assay/internal/binary"
	"github.com/seed-1318a441/assay/internal/build"
	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/session"
)

// maxSet is the maximum number of matches kept in a finding: those of a set found by
// cmd/bisect, not the thousands at the start.
const maxSet = 64

// A builtKnob is the build of a pattern.
type builtKnob struct {
	variant assay.Variant
	ids     []string
	matches []Match
	// code identifies the functions of the binaries; "" if unknown.
	code string
}

// variants returns the base with each pattern, named by the number of its places.
func (k *knobSearch) variants(patterns ...string) (out []assay.Variant, err error) {
	for _, p := range patterns {
		name := VariantSome
		switch p {
		case PatternOff:
			name = VariantOff
		case PatternOn:
			name = VariantOn
		}
		v, err := k.job.Knob.Variant(k.ses.Config.Study.Variants[0], k.ses.Config.Study.Workloads[0].BuildFlags, name, p)
		if err != nil {
			return nil, assay.UsageError(assay.CodeBisectKnob, err.Error(), "-gcflags=all=... in the variant, or --scope")
		}
		if arch := k.ses.Config.Study.Measure.GOARCH; arch != "" && v.Build["GOARCH"] == "" {
			if v.Build == nil {
				v.Build = map[string]string{}
			}
			v.Build["GOARCH"] = arch
		}
		out = append(out, v)
	}
	return out, nil
}

// built builds the base with a pattern and reads the compiler's places.
func (k *knobSearch) built(ctx context.Context, pattern string) (out builtKnob, err error) {
	vs, err := k.variants(pattern)
	if err != nil {
		return out, err
	}
	out.variant = vs[0]
	requests, err := k.requests(ctx, out.variant)
	if err != nil {
		return out, err
	}
	sum := sha256.New()
	known := true
	for _, r := range requests {
		a, err := k.ses.Builder.Binary(ctx, r)
		if err != nil {
			return out, err
		}
		out.ids = append(out.ids, a.ID)
		log, err := os.Open(a.Log)
		if err != nil {
			return out, fmt.Errorf("read the compiler's places: %w", err)
		}
		found, err := ReadMatches(log)
		log.Close()
		if err != nil {
			return out, err
		}
		out.matches = append(out.matches, found...)
		ok, err := addCode(sum, a.Path)
		if err != nil {
			return out, err
		}
		known = known && ok
	}
	out.matches = unique(out.matches)
	if known {
		out.code = hex.EncodeToString(sum.Sum(nil))
	}
	return out, nil
}

// unique removes duplicate matches: a package may be compiled for two binaries.
func unique(ms []Match) []Match {
	seen := map[uint64]bool{}
	return slices.DeleteFunc(ms, func(m Match) bool {
		defer func() { seen[m.ID] = true }()
		return seen[m.ID]
	})
}

// addCode adds the functions of a binary to a hash. ok is false if package binary does
// not support the processor.
func addCode(sum io.Writer, path string) (ok bool, err error) {
	p, err := binary.Fingerprint(path)
	if errors.Is(err, binary.ErrArch) || errors.Is(err, binary.ErrStripped) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return true, json.NewEncoder(sum).Encode(p) // maps are in the order of their keys
}

// requests returns the binaries to build for a variant of the study.
func (k *knobSearch) requests(ctx context.Context, v assay.Variant) (out []build.Request, err error) {
	s := k.ses.Config.Study
	for _, w := range s.Workloads {
		r := build.Request{Study: s.Dir, Source: s.Source, Variant: v, BuildFlags: w.BuildFlags}
		if w.Kind == assay.KindCommand {
			r.Program, r.Package = true, w.Package
			if r.Package == "" {
				r.Package = "."
			}
			out = append(out, r)
			continue
		}
		found, err := k.ses.Builder.Packages(ctx, r, w.Packages)
		if err != nil {
			return nil, err
		}
		for _, p := range found {
			r.Package = p.ImportPath
			out = append(out, r)
		}
	}
	return out, nil
}

// compare compares variants, the first of them the base. If the result is undecided, it
// measures for the same time again: taking an unproved difference for "off" would mislead
// the search.
func (k *knobSearch) compare(ctx context.Context, ask KnobAsk, vs ...assay.Variant) (*KnobFinding, error) {
	f, err := k.compareOnce(ctx, ask, vs, false)
	if err != nil || f.Place != PlaceUndecided {
		return f, err
	}
	again, err := k.compareOnce(ctx, ask, vs, true)
	if err == nil {
		again.Measured += f.Measured
	}
	return again, err
}

// compareOnce is compare for the study's budget, or with again for as long again.
func (k *knobSearch) compareOnce(ctx context.Context, ask KnobAsk, vs []assay.Variant, again bool) (*KnobFinding, error) {
	var rule *KnobRule
	m := measurement{study: ask.Study(k.ses.Config.Study, vs), share: k.ses.Config.Study.Decide.Budget, again: again, ruleName: assay.RuleProbe,
		rule: func(p *assay.Plan, t *analysis.Tracker) lab.StopRule {
			rule = NewKnobRule(ask, p, t)
			return rule
		}}
	if ask.Kind == KnobFinal {
		m.ruleName = "" // the study's own rule ends it
	}
	k.ses.SkipCheck() // checkKnob has looked at the one that matters
	k.ses.Config.Progress.Label(ask.Kind)
	run, measured, _, err := measure(ctx, k.ses, m)
	if err != nil {
		return nil, err
	}
	f := rule.Finding()
	f.Run, f.Measured = run, measured
	return &f, nil
}

// answer says whether a pattern behaves like off or like on: from the log, from the code,
// or by a measurement.
func (k *knobSearch) answer(ctx context.Context, asked string) (KnobFinding, []Match, error) {
	start := time.Now()
	pattern := k.job.Knob.Pattern(asked)
	some, err := k.built(ctx, pattern)
	if err != nil {
		return KnobFinding{}, nil, err
	}
	if f := k.log.Answer(KnobProbe, pattern); f != nil {
		return *f, some.matches, nil
	}
	f := KnobFinding{Kind: KnobProbe}
	if like := k.log.Alike(some.code); like != nil && !k.ses.Config.Study.Measure.Force {
		f.Place, f.By, f.Why = like.Place, like.By, "same code as "+like.Pattern
	} else {
		ends := k.log.Ends()
		ask := KnobAsk{Kind: KnobProbe, Metric: ends.By, Ends: ends, Alpha: KnobAlpha(k.ses.Config.Study.Decide.Alpha(), ends.Matches, 1+k.log.Attempts())}
		vs, err := k.variants(PatternOff, pattern, PatternOn)
		if err != nil {
			return f, nil, err
		}
		measured, err := k.compare(ctx, ask, vs...)
		if err != nil {
			return f, nil, err
		}
		f = *measured
	}
	f.Pattern, f.Code, f.Matches = pattern, some.code, len(some.matches)
	if f.Matches <= maxSet {
		f.Set = some.matches
	}
	f.Took = time.Since(start)
	return f, some.matches, session.StoreError(k.job.Store, k.log.Append(f))
}

// AnswerPattern answers cmd/bisect, which runs this program once for each pattern. It builds
// with the pattern in the environment and returns the compiler's places, and whether the
// build behaves as with the knob on everywhere. name is the file of the job. The search
// finds an error in another file beside it.
func AnswerPattern(ctx context.Context, cfg session.Config, name string) (places []Match, on bool, err error) {
	places, on, err = answerPattern(ctx, cfg, name)
	if err == nil {
		return places, on, nil
	}
	e, ok := errors.AsType[*assay.Error](err)
	if !ok {
		e = assay.NewError(assay.ExitRefused, assay.CodeBisectKnob, printable.OneLine(err), nil, "")
	}
	if data, err := json.Marshal(e); err == nil {
		os.WriteFile(name+".err", data, 0o666)
	}
	return nil, false, e
}

func answerPattern(ctx context.Context, cfg session.Config, name string) (places []Match, on bool, err error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, false, fmt.Errorf("read bisection's job: %w", err)
	}
	job := &KnobJob{}
	if err := json.Unmarshal(data, job); err != nil || job.Study == nil || len(job.Study.Variants) == 0 || len(job.Study.Workloads) == 0 || len(job.Asked.Hash) < 12 {
		return nil, false, fmt.Errorf("read bisection's job %s: it does not belong to assay bisect --knob", name)
	}
	job.Study.Dir = job.Dir
	pattern, ok := strings.CutPrefix(os.Getenv("GOCOMPILEDEBUG"), job.Knob.Key+"hash=")
	if !ok {
		return nil, false, errors.New("read pattern: GOCOMPILEDEBUG has none; only golang.org/x/tools/cmd/bisect runs this")
	}
	// Neither builds nor trials may see it.
	os.Unsetenv("GOCOMPILEDEBUG")
	cfg.Study, cfg.Command, cfg.Store, cfg.Within = job.Study, job.Command, job.Store, true
	ses, err := session.Open(ctx, cfg)
	if err != nil {
		return nil, false, err
	}
	defer ses.Close()
	k := &knobSearch{ses: ses, job: job}
	if err := k.open(false); err != nil {
		return nil, false, err
	}
	defer k.log.Close()
	if k.log.Ends() == nil {
		return nil, false, errors.New("answer cmd/bisect: the ends have not been measured")
	}
	f, places, err := k.answer(ctx, pattern)
	return places, f.Place == PlaceOn, err
}
