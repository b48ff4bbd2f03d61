package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/seed-1318a441/assay/internal/output"
	"github.com/seed-1318a441/assay/internal/page"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/runs"
)

// gallery writes a page for each group of runs, and their index. It writes nothing
// outside the folder, whatever links are in it.
func (r *reporter) gallery(folder string, groups [][]runs.Source) error {
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return output.WriteError(folder, err)
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return output.WriteError(folder, err)
	}
	defer root.Close()
	var entries []page.IndexEntry
	taken := map[string]bool{"index": true}
	for _, g := range groups {
		e, err := r.galleryPage(root, g, taken)
		if err != nil {
			return err
		}
		entries = append(entries, e)
	}
	var b bytes.Buffer
	if err := page.Index(&b, printable.Count(len(entries), "question")+" about Go programs, measured with assay", entries); err != nil {
		return err
	}
	return r.inGallery(root, "index.html", b.Bytes())
}

// galleryPage writes the page of one group under an unused name.
func (r *reporter) galleryPage(root *os.Root, g []runs.Source, taken map[string]bool) (page.IndexEntry, error) {
	m, err := output.Merge(g)
	if err != nil {
		return page.IndexEntry{}, err
	}
	o := &output.Report{Merged: m, Sources: g, Embed: page.Embed(r.embed)}
	p, err := o.Page()
	if err != nil {
		return page.IndexEntry{}, err
	}
	name := freeName(galleryName(g, output.PageName(m, g[0].Sub)), taken)
	var b bytes.Buffer
	if err := page.HTML(&b, p, o.Embed); err != nil {
		return page.IndexEntry{}, err
	}
	return page.IndexEntry{Link: name + ".html", Page: p}, r.inGallery(root, name+".html", b.Bytes())
}

// galleryName returns STUDY-SUB, or the study alone if its folder holds one run.
func galleryName(g []runs.Source, name string) string {
	if g[0].Sub == "" {
		return cmp.Or(strings.TrimSuffix(name, "-"+g[0].Result.Run), name)
	}
	return name
}

// freeName returns a name that no page has yet, in upper or lower case.
func freeName(name string, taken map[string]bool) string {
	try := name
	for i := 2; taken[strings.ToLower(try)]; i++ {
		try = fmt.Sprintf("%s-%d", name, i)
	}
	taken[strings.ToLower(try)] = true
	return try
}

func (r *reporter) inGallery(root *os.Root, name string, text []byte) error {
	f, err := root.Create(name)
	if err != nil {
		return output.WriteError(name, err)
	}
	_, err = f.Write(text)
	if err := errors.Join(err, f.Close()); err != nil {
		return output.WriteError(name, err)
	}
	r.c.wrote(filepath.Join(root.Name(), name), len(text))
	return nil
}
