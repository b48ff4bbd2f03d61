package record

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/seed-1318a441/assay"
)

// EndFile is the file with the end of a run, relative to the run folder.
const EndFile = "end.json"

// A sealedEnd is the end of a run before its chain value is compared with the trials'.
type sealedEnd struct {
	assay.End
	text  []byte // what the chain value covers, besides the one before
	chain string
	after string // chain value of the run's trials at that time
}

// readEnd reads end.json; nil if there is none.
func readEnd(fsys fs.FS) (*sealedEnd, error) {
	data, err := readFile(fsys, EndFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read record: %w", err)
	}
	text, chain, ok := chainSeal.cut(data)
	if !ok {
		return nil, &Fault{File: EndFile, Text: "it does not end with its chain value: it was changed or cut off"}
	}
	e := &sealedEnd{text: text, chain: string(chain)}
	return e, decode(EndFile, data, &e.End)
}

// noteChain receives the chain value after so many trials.
func (e *sealedEnd) noteChain(trials int, chain []byte) {
	if e != nil && e.Trials == trials {
		e.after = string(chain)
	}
}

// checkEnd compares the end with the trials, and drops it if the run was continued.
func (r *Run) checkEnd(e *sealedEnd) error {
	switch {
	case e == nil:
		return nil
	case e.after == "":
		return &Fault{File: EndFile, Text: fmt.Sprintf("the run ended with %d trials, and %s has %d", e.Trials, TrialsFile, len(r.Trials))}
	case link(e.after, e.text) != e.chain:
		return &Fault{File: EndFile, Text: "its chain value does not fit: it was changed, or is of another run"}
	case e.Trials == len(r.Trials):
		r.End, r.endChain = &e.End, e.chain
	}
	return nil
}

// WriteEnd keeps the end of a run. It first removes a result computed without it, so that
// a kill in between leaves a run that can be continued.
func (r *Record) WriteEnd(end assay.End) error {
	end.Trials = len(r.run.Trials)
	data, chain, err := sealEnd(r.run.chain, end)
	if err != nil {
		return err
	}
	if err := r.Sync(); err != nil {
		return err
	}
	if err := r.folder.remove(ResultFile); err != nil {
		return fmt.Errorf("drop outdated result: %w", err)
	}
	if err := r.folder.replace(EndFile, data); err != nil {
		return err
	}
	r.run.End, r.run.endChain = &end, chain
	return nil
}

// sealEnd encodes an end that continues the chain.
func sealEnd(before string, end assay.End) (data []byte, chain string, err error) {
	text, err := objectText(EndFile, end)
	if err != nil {
		return nil, "", err
	}
	chain = link(before, text)
	return chainSeal.add(text, chain), chain, nil
}
