package runs

import (
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

// Remember keeps the proof of a result computed from the record with that head. If it
// cannot be kept, only time is lost.
func Remember(c *cache.Cache, head string, r *assay.Result) {
	if p, err := proofOf(r); err == nil {
		_ = c.Store(head, proofName, p)
	}
}
