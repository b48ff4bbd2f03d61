package runs

import (
	"slices"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/cache"
	"github.com/seed-1318a441/assay/internal/record"
)

// A proof says that a result was computed from its record on this machine. It is kept in
// the cache, not with the record, so that an untrusted record cannot contain it.
type proof struct {
	// Result is the digest of the result. Assay is the version that computed it.
	Result string `json:"result"`
	Assay  string `json:"assay"`
}

const proofName = "verified"

func proofOf(r *assay.Result) (proof, error) {
	sum, err := record.ResultDigest(r)
	return proof{Result: sum, Assay: assay.Version()}, err
}

func (f *Found) known(stored *assay.Result) bool {
	want, err := proofOf(stored)
	var got proof
	return err == nil && cache.New("").Load(f.Head(), proofName, &got) && got == want
}

// proven reports whether an assay of any version has computed this very result from its
// record on this computer.
func proven(record, digest string) bool {
	var got proof
	return cache.New("").Load(record, proofName, &got) && got.Result == digest
}

// markAlone adds to a result without its record that nothing was checked, unless it was
// made here.
func markAlone(r *assay.Result) {
	sum, err := record.ResultDigest(r)
	if err == nil && proven(r.Record, sum) || slices.ContainsFunc(r.Warnings, func(w assay.Warning) bool { return w.Code == assay.CodeUnchecked }) {
		return
	}
	r.Warnings = append(r.Warnings, assay.Warning{Code: assay.CodeUnchecked, Text: "this result was not checked: its trials are not here, and it was not computed on this computer",
		Facts: []string{"whoever can edit the file can change its verdicts; the run folder, or a zip file of one, can be checked"}})
}

// Remember keeps the proof of a result computed from the record with that head. If it
// cannot be kept, only time is lost.
func Remember(c *cache.Cache, head string, r *assay.Result) {
	if p, err := proofOf(r); err == nil {
		_ = c.Store(head, proofName, p)
	}
}

// madeHere reports whether this user has measured the run on this computer.
func (f *Found) madeHere() bool {
	key, err := record.Key(cache.New("").Dir)
	return err == nil && f.Signed(key)
}
