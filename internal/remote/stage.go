package remote

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/build"
	"github.com/seed-1318a441/assay/internal/design"
	"github.com/seed-1318a441/assay/internal/disk"
	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/local"
	"github.com/seed-1318a441/assay/internal/remote/parcel"
)

// Stage sends what has been delivered and the agent does not have yet.
func (m *Machine) Stage(ctx context.Context) error {
	m.mu.Lock()
	ids := slices.Clone(m.wanted)
	m.mu.Unlock()
	before, _ := m.Traffic()
	for _, id := range ids {
		if err := m.place(ctx, id); err != nil {
			return err
		}
	}
	if after, _ := m.Traffic(); after-before > tellFrom {
		m.opt.Say(fmt.Sprintf("assay: %s: %.1f MB sent", m.opt.Name, float64(after-before)/1e6))
	}
	return nil
}

// tellFrom is the number of bytes from which sending is told.
const tellFrom = 100_000

// place sends a build with what it needs, unless the agent has it for all its variants.
func (m *Machine) place(ctx context.Context, id string) error {
	m.mu.Lock()
	d, ok := m.deliveries[id]
	n, has := m.placed[id]
	m.mu.Unlock()
	if has && (!ok || n >= len(d.Variants)) {
		return nil
	}
	if !ok {
		return fmt.Errorf("no artifact %q was made for %s", id, m.opt.Name)
	}
	p, paths, err := m.placing(ctx, d)
	if err != nil {
		return err
	}
	if err := m.send(ctx, paths); err != nil {
		return err
	}
	if err := m.call(ctx, OpPlace, p, nil, nil); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.placed[id] = len(d.Variants)
	return nil
}

// A shipment is a file here that the agent needs.
type shipment struct {
	File
	path string
}

// placing says of a delivery what the agent must know, and lists the files that it needs.
func (m *Machine) placing(ctx context.Context, d local.Delivery) (p placing, ships []shipment, err error) {
	p = placing{Artifact: d.Artifact, Built: d.Built, Name: filepath.Base(d.Built.Path), Variants: d.Variants}
	p.Artifact.Print, p.Artifact.Reads = nil, nil
	// Folders of this computer mean nothing there.
	p.Built.Path, p.Built.Dir, p.Built.Root, p.Built.Log = "", "", "", ""
	if p.Study, err = m.study(ctx, d.Study); err != nil {
		return p, nil, err
	}
	if d.Artifact.Given {
		return p, nil, m.given(&p, d)
	}
	if d.Relink != nil && d.Artifact.CanLayout {
		kit, err := m.opt.Builder.Kit(ctx, d.Request)
		switch {
		case errors.Is(err, build.ErrNoKit):
		case err != nil:
			return p, nil, err
		default:
			p.Kit = &kit
			m.mu.Lock()
			m.kits[d.Artifact.ID] = true
			m.mu.Unlock()
			for _, f := range kit.Files {
				ships = append(ships, shipment{File{f.Sum, f.Size}, f.Path})
			}
		}
	}
	info, err := describeFile(d.Built.Path)
	if err != nil {
		return p, nil, err
	}
	p.Binary, ships = info, append(ships, shipment{info, d.Built.Path})
	if d.Built.Root == "" {
		return p, ships, nil
	}
	t, err := m.parcels.of(ctx, d.Built.Root, parcel.What{Packages: m.packagesBelow(d.Built.Root), Standard: d.Built.Standard})
	if err != nil {
		return p, nil, err
	}
	p.Tree = &tree{t.File, d.Built.Standard}
	if p.Dir, err = filepath.Rel(d.Built.Root, d.Built.Dir); err != nil {
		return p, nil, err
	}
	p.Dir = filepath.ToSlash(p.Dir)
	return p, append(ships, t), nil
}

// given says where a program is that assay did not build: with the study's folder if it is
// in it, else in the PATH of the machine.
func (m *Machine) given(p *placing, d local.Delivery) error {
	if rel, err := filepath.Rel(d.Study.Dir, d.Built.Path); err == nil && filepath.IsLocal(rel) {
		p.InStudy = filepath.ToSlash(rel)
		return nil
	}
	p.Path = filepath.Base(d.Built.Path)
	return nil
}

// packagesBelow lists the folders of the packages that run in a tree.
func (m *Machine) packagesBelow(root string) (dirs []string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, d := range m.deliveries {
		if d.Built.Root == root && !slices.Contains(dirs, d.Built.Dir) {
			dirs = append(dirs, d.Built.Dir)
		}
	}
	slices.Sort(dirs)
	return dirs
}

// runsInFolder reports whether trials run in the study's folder, or read files of it.
func runsInFolder(s *assay.Study) bool {
	return slices.ContainsFunc(s.Workloads, func(w assay.Workload) bool { return w.IsProgram() })
}

// folderOf sends the parcel of a study's folder.
func (m *Machine) folderOf(ctx context.Context, s *assay.Study) (*tree, error) {
	t, err := m.parcels.of(ctx, s.Dir, parcel.What{Files: s.Files, Also: programsIn(s)})
	if err != nil {
		return nil, err
	}
	return &tree{File: t.File}, m.send(ctx, []shipment{t})
}

// programsIn lists the files that a study's commands name below its folder: programs and
// scripts go along even if git ignores them.
func programsIn(s *assay.Study) (names []string) {
	for _, w := range s.Workloads {
		for _, v := range append([]assay.Variant{{}}, s.Variants...) {
			for _, line := range w.Commands(v) {
				for _, word := range line {
					word = strings.ReplaceAll(word, assay.PlaceStudy, s.Dir)
					if !filepath.IsAbs(word) {
						word = filepath.Join(s.Dir, word)
					}
					rel, err := filepath.Rel(s.Dir, word)
					if err == nil && filepath.IsLocal(rel) && disk.IsFile(word) && !slices.Contains(names, filepath.ToSlash(rel)) {
						names = append(names, filepath.ToSlash(rel))
					}
				}
			}
		}
	}
	return names
}

// parcels makes each parcel once.
type parcels struct {
	dir string

	mu   sync.Mutex
	made map[string]shipment
}

// of returns the parcel of a folder.
func (p *parcels) of(ctx context.Context, root string, what parcel.What) (s shipment, err error) {
	key := fmt.Sprintf("%q %+v", root, what)
	p.mu.Lock()
	defer p.mu.Unlock()
	if s, ok := p.made[key]; ok {
		return s, nil
	}
	path := filepath.Join(p.dir, fmt.Sprintf("parcel-%d", len(p.made)))
	f, err := os.Create(path)
	if err != nil {
		return s, fmt.Errorf("pack files: %w", err)
	}
	_, err = parcel.Pack(ctx, f, root, what)
	if err = errors.Join(err, f.Close()); err != nil {
		return s, err
	}
	if s.File, err = describeFile(path); err != nil {
		return s, err
	}
	s.path = path
	if p.made == nil {
		p.made = map[string]shipment{}
	}
	p.made[key] = s
	return s, nil
}

func (m *Machine) removeParcels() error { return disk.RemoveAll(m.dir) }

// describeFile returns the digest and size of a file.
func describeFile(path string) (f File, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return f, fmt.Errorf("send file: %w", err)
	}
	f.Size = info.Size()
	f.Sum, err = disk.Digest(path)
	return f, err
}

// send sends the files that the agent lacks. If there is no room for them it sends none.
func (m *Machine) send(ctx context.Context, ships []shipment) error {
	var all []File
	for _, s := range ships {
		all = append(all, s.File)
	}
	lacking, err := m.agent().Lacks(ctx, all)
	if err != nil {
		return m.explain(err)
	}
	var list []shipment
	var need uint64
	for _, s := range ships {
		if slices.Contains(lacking, s.Sum) && !slices.ContainsFunc(list, func(o shipment) bool { return o.Sum == s.Sum }) {
			list, need = append(list, s), need+uint64(s.Size)
		}
	}
	m.mu.Lock()
	free := m.welcome.Free
	m.mu.Unlock()
	if free > 0 && need > free {
		return assay.NewError(assay.ExitRefused, assay.CodeRemoteDisk, fmt.Sprintf("%s: its disk has no room for what the trials need", m.opt.Name),
			[]string{fmt.Sprintf("%.1f MB are to be sent, and %.1f MB are free there", float64(need)/1e6, float64(free)/1e6)}, "")
	}
	for _, s := range list {
		if err := m.agent().Put(ctx, s.File, s.path); err != nil {
			return m.explain(err)
		}
	}
	return nil
}

// linksOf makes here the links of a block that the agent has no kit for, and sends them.
func (m *Machine) linksOf(ctx context.Context, r lab.BlockRequest) error {
	for _, link := range design.BlockOf(r.Plan, r.Next, r.Index, r.Attempt).Links() {
		if link.Layout == 0 {
			continue
		}
		for _, a := range r.Artifacts[link.Owner] {
			if a.Workload != link.Workload || a.Package != link.Package {
				continue
			}
			if err := m.linkHere(ctx, a.ID, link.Layout, r.Plan.Align); err != nil {
				return err
			}
		}
	}
	return nil
}

// linkHere links a build here and sends the link, if the agent has no kit for it.
func (m *Machine) linkHere(ctx context.Context, id string, layout uint64, align int) error {
	m.mu.Lock()
	d, ok := m.deliveries[id]
	m.mu.Unlock()
	name := fmt.Sprintf("%s-%x-%d", id, layout, align)
	if !ok || d.Relink == nil {
		return nil
	}
	m.mu.Lock()
	_, has := m.placed[name]
	alone := m.kits[id]
	m.mu.Unlock()
	if has || alone {
		return nil
	}
	out := filepath.Join(m.dir, fmt.Sprintf("link-%06d", m.links.Add(1))) // calls may run in parallel
	b, err := d.Relink(ctx, layout, align, out)
	if err != nil {
		return err
	}
	defer os.Remove(out)
	f, err := describeFile(out)
	if err != nil {
		return err
	}
	if err := m.send(ctx, []shipment{{f, out}}); err != nil {
		return err
	}
	b.Path, b.Dir, b.Root, b.Log = "", "", "", ""
	if err := m.call(ctx, OpPlace, placing{Of: id, Layout: layout, Align: align, Built: b, Binary: f}, nil, nil); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.placed[name] = 0
	return nil
}
