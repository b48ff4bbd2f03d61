package remote

import (
	"encoding/json"
	"fmt"

	"github.com/seed-1318a441/assay"
)

// FilesOf returns the files that an agent must have before it is asked for something.
func FilesOf(do Operation, body json.RawMessage) (files []File, err error) {
	r := request{Do: do, Body: body}
	switch do {
	case OpStudy:
		s, err := read[sentStudy](r)
		if err != nil || s.Tree == nil {
			return nil, err
		}
		return []File{s.Tree.File}, nil
	case OpPlace:
		p, err := read[placing](r)
		if err != nil {
			return nil, err
		}
		if p.Kit != nil {
			for _, f := range p.Kit.Files {
				files = append(files, File{f.Sum, f.Size})
			}
		}
		if p.Tree != nil {
			files = append(files, p.Tree.File)
		}
		if p.Binary.Sum != "" {
			files = append(files, p.Binary)
		}
	}
	return files, nil
}

// LinkOf returns the layout of a link that was made at this end and that an OpPlace tells
// the agent of; ok is false for anything else.
func LinkOf(do Operation, body json.RawMessage) (layout uint64, ok bool) {
	if do != OpPlace {
		return 0, false
	}
	p, err := read[placing](request{Do: do, Body: body})
	return p.Layout, err == nil && p.Of != ""
}

// PlanOf returns the plan that an OpPlan tells the agent of, and what a Block calls it.
func PlanOf(body json.RawMessage) (hash string, p *assay.Plan, err error) {
	sent, err := read[sentPlan](request{Do: OpPlan, Body: body})
	if err == nil && sent.Plan == nil {
		err = fmt.Errorf("%s: no plan", OpPlan)
	}
	return sent.Hash, sent.Plan, err
}

// A Block is what an OpBlock asks for.
type Block struct {
	Plan           string
	Next           assay.NextBlock
	Index, Attempt int
}

// BlockOf returns what an OpBlock asks for.
func BlockOf(body json.RawMessage) (Block, error) {
	b, err := read[block](request{Do: OpBlock, Body: body})
	return Block{b.Plan, b.Next, b.Index, b.Attempt}, err
}

// AsAttempt returns the body of an OpBlock that asks for another attempt.
func AsAttempt(body json.RawMessage, attempt int) (json.RawMessage, error) {
	b, err := read[block](request{Do: OpBlock, Body: body})
	if err != nil {
		return nil, err
	}
	b.Attempt = attempt
	return json.Marshal(b)
}

// ArtifactsOf returns the IDs of the artifacts that an OpDrop removes.
func ArtifactsOf(body json.RawMessage) (ids []string, err error) {
	return read[[]string](request{Do: OpDrop, Body: body})
}

// PassOf returns the variables that a greeting asks for.
func PassOf(body json.RawMessage) ([]string, error) {
	g, err := read[greeting](request{Do: OpHello, Body: body})
	return g.Pass, err
}

// MadeOf returns the ID of the artifact that an OpLink has made.
func MadeOf(done json.RawMessage) (string, error) {
	var a struct{ ID string }
	err := json.Unmarshal(done, &a)
	return a.ID, err
}
