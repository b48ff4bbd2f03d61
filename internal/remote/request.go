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

// PlanOf returns the plan that an OpPlan tells the agent of.
func PlanOf(body json.RawMessage) (*assay.Plan, error) {
	sent, err := read[sentPlan](request{Do: OpPlan, Body: body})
	if err == nil && sent.Plan == nil {
		err = fmt.Errorf("%s: no plan", OpPlan)
	}
	return sent.Plan, err
}

// BlockOf returns what an OpBlock asks for.
func BlockOf(body json.RawMessage) (next assay.NextBlock, index, attempt int, err error) {
	b, err := read[block](request{Do: OpBlock, Body: body})
	return b.Next, b.Index, b.Attempt, err
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
