package runs

import (
	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/cache"
	"github.com/seed-1318a441/assay/internal/record"
)

// A proof says that a result was computed from its record on this machine. It is kept in
// the cache, not with the record: a stranger's record cannot bring it along.
type proof struct {
	// Result is the digest of the result, Assay the version that computed it.
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

// Remember keeps in a cache the proof of a result that was computed from the record with
// that head. One that cannot be kept costs time only.
func Remember(c *cache.Cache, head string, r *assay.Result) {
	if p, err := proofOf(r); err == nil {
		_ = c.Store(head, proofName, p)
	}
}
