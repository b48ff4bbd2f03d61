package design

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/seed-1318a441/assay"
)

// Rand returns a generator keyed by a seed and a list of values. It is exported for the
// simulator, which keys its noise the same way.
func Rand(seed uint64, key ...any) *rand.Rand {
	h := sha256.New()
	fmt.Fprintf(h, "%d", seed)
	for _, k := range key {
		fmt.Fprintf(h, "\x00%v", k)
	}
	s := h.Sum(nil)
	return rand.New(rand.NewPCG(binary.LittleEndian.Uint64(s), binary.LittleEndian.Uint64(s[8:])))
}

// StudyHash identifies a study: the first digits of the SHA-256 of its JSON, in hex. It
// excludes the budget: more time for an interrupted run does not change the question. It
// excludes GOMAXPROCS and GOARCH, which belong to the platform, so that runs of one study
// on two platforms can be merged. It excludes the author's texts, such as stories, and
// what is collected after the verdicts: they change nothing measured.
func StudyHash(s *assay.Study) string {
	c := *s
	c.Decide.Budget = 0
	c.Measure.GOMAXPROCS, c.Measure.GOARCH = 0, ""
	c.Files = nil // they say how trials get what they read
	c.Report, c.Explain = assay.Report{}, assay.Explain{}
	c.Measure.Collect = slices.DeleteFunc(slices.Clone(c.Measure.Collect), func(what string) bool {
		return what == assay.CollectCode || what == assay.CollectCPU || what == assay.CollectMem // for explanations only
	})
	c.Steps = chainOf(s.Steps)
	data, err := json.Marshal(c)
	if err != nil {
		panic("design: a study always marshals: " + err.Error())
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:8])
}
