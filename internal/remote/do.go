package remote

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/blob"
	"github.com/seed-1318a441/assay/internal/build"
	"github.com/seed-1318a441/assay/internal/disk"
	"github.com/seed-1318a441/assay/internal/host"
	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/local"
	"github.com/seed-1318a441/assay/internal/parcel"
	"github.com/seed-1318a441/assay/internal/record"
	"github.com/seed-1318a441/assay/internal/wire"
)

// do does what a request asks for, and returns what to answer.
func (a *agent) do(ctx context.Context, r request, from *io.PipeReader) (any, error) {
	switch r.Do {
	case opHello:
		return a.hello(ctx, r)
	case opPlatform:
		return host.Platform(ctx), nil
	case opInspect:
		p, err := read[assay.Platform](r)
		if err != nil {
			return nil, err
		}
		return findings(host.Inspect(ctx, p)), nil
	case opLook:
		tools, err := read[[]string](r)
		if err != nil {
			return nil, err
		}
		return host.NewGlance(ctx, tools), nil
	case opOccupy:
		return nil, a.occupy(ctx, r)
	case opLacks:
		return a.lacks(r)
	case opPut:
		return nil, a.put(r, from)
	case opStudy:
		return nil, a.takeStudy(r)
	case opPlace:
		return nil, a.place(ctx, r)
	case opCheck:
		s, err := a.studyOf(r)
		if err != nil {
			return nil, err
		}
		return nil, a.machine.Check(ctx, s)
	case opPlan:
		return nil, a.takePlan(r)
	case opLink:
		return a.link(ctx, r)
	case opDrop:
		return nil, a.drop(r)
	case opRun:
		return a.run(ctx, r)
	case opTogether:
		return a.together(ctx, r)
	case opBlock:
		return nil, a.block(ctx, r)
	case opWritten:
		return a.machine.Written(), nil
	}
	return nil, fmt.Errorf("this agent knows no %q", r.Do)
}

func (a *agent) hello(ctx context.Context, r request) (any, error) {
	g, err := read[greeting](r)
	if err != nil {
		return nil, err
	}
	w := welcome{Protocol: wire.Version, Version: assay.Version(), PID: os.Getpid(), Free: host.FreeSpace(ctx, a.cache.Dir).Free}
	if err := keepEnvironment(g.Pass); err != nil {
		return nil, err
	}
	if w.CPUs, err = a.machine.CPUs(); err != nil {
		w.NoCPUs = faultOf(err)
	}
	return w, nil
}

func (a *agent) occupy(ctx context.Context, r request) error {
	o, err := read[occupation](r)
	if err != nil {
		return err
	}
	me := host.Occupant{PID: os.Getpid(), Command: o.Command, Dir: o.Dir, Since: time.Now().UTC().Round(time.Second)}
	leave, err := host.Occupy(ctx, me, func(other host.Occupant) error { return a.event(r.ID, other) })
	if err != nil {
		return err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.leave = leave
	return nil
}

func (a *agent) lacks(r request) (any, error) {
	files, err := read[[]file](r)
	if err != nil {
		return nil, err
	}
	out := []string{}
	for _, f := range files {
		if !a.blobs.Has(f.Sum, f.Size) {
			out = append(out, f.Sum)
		}
	}
	return out, nil
}

func (a *agent) put(r request, from *io.PipeReader) error {
	f, err := read[file](r)
	if err == nil {
		err = a.blobs.Put(f.Sum, f.Size, from)
	}
	from.CloseWithError(errors.New("the file is not taken"))
	return noRoom(err, f.Size)
}

// noRoom turns the error of a full disk into one that says how much was needed.
func noRoom(err error, need int64) error {
	if !errors.Is(err, syscall.ENOSPC) {
		return err
	}
	return assay.NewError(assay.ExitRefused, assay.CodeRemoteDisk, "the disk there is full", []string{fmt.Sprintf("%.1f MB were to be kept", float64(need)/1e6)}, "")
}

func (a *agent) takeStudy(r request) error {
	sent, err := read[sentStudy](r)
	if err != nil {
		return err
	}
	if sent.Study == nil {
		return errors.New("no study was sent")
	}
	if sent.Study.Dir, err = a.tree(sent.Tree); err != nil {
		return err
	}
	if sent.Study.Dir == "" {
		sent.Study.Dir = a.dir // nothing runs there
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.studies[sent.Hash] = sent.Study
	return nil
}

// studyOf returns the study whose hash is the body of a request.
func (a *agent) studyOf(r request) (*assay.Study, error) {
	hash, err := read[string](r)
	if err != nil {
		return nil, err
	}
	return a.study(hash)
}

func (a *agent) takePlan(r request) error {
	sent, err := read[sentPlan](r)
	if err != nil {
		return err
	}
	if sent.Plan == nil {
		return errors.New("no plan was sent")
	}
	s, err := a.study(sent.Study)
	if err != nil {
		return err
	}
	sent.Plan.Study.Dir = s.Dir
	a.mu.Lock()
	defer a.mu.Unlock()
	a.plans[sent.Hash] = sent.Plan
	return nil
}

// place takes a build.
func (a *agent) place(ctx context.Context, r request) error {
	p, err := read[placing](r)
	if err != nil {
		return err
	}
	if p.Of != "" {
		a.mu.Lock()
		defer a.mu.Unlock()
		a.linked[linkName(p.Of, p.Layout, p.Align)] = p
		return nil
	}
	s, err := a.study(p.Study)
	if err != nil {
		return err
	}
	if p.Artifact.Given {
		err = a.find(&p, s)
	} else {
		p.Built.Path, err = a.program(ctx, p)
	}
	if err != nil {
		return err
	}
	if p.Tree != nil {
		root, err := a.tree(p.Tree)
		if err != nil {
			return err
		}
		if !filepath.IsLocal(filepath.FromSlash(p.Dir)) {
			return fmt.Errorf("the package is in %q", p.Dir)
		}
		p.Built.Root, p.Built.Dir, p.Built.Standard = root, filepath.Join(root, filepath.FromSlash(p.Dir)), p.Tree.Standard
	}
	if p.Built.Dir == "" {
		p.Built.Dir = s.Dir
	}
	a.machine.Receive(local.Delivery{Artifact: p.Artifact, Built: p.Built, Relink: a.relinker(p), Study: s, Variants: p.Variants})
	a.mu.Lock()
	defer a.mu.Unlock()
	a.artifacts[p.Artifact.ID] = p.Artifact
	return nil
}

// find finds a program that assay did not build, and checks that it is the same.
func (a *agent) find(p *placing, s *assay.Study) (err error) {
	if p.InStudy != "" {
		if !filepath.IsLocal(filepath.FromSlash(p.InStudy)) {
			return fmt.Errorf("the program is %q", p.InStudy)
		}
		p.Built.Path = filepath.Join(s.Dir, filepath.FromSlash(p.InStudy))
	} else if p.Built.Path, err = exec.LookPath(p.Path); err != nil {
		return assay.NewError(assay.ExitUsage, assay.CodeNoProgram, fmt.Sprintf("there is no program %s on the machine", p.Path), []string{err.Error()},
			"to install it there, or to lay it into the study's folder, with which it is sent")
	}
	sum, err := disk.Digest(p.Built.Path)
	if err != nil {
		return err
	}
	if sum != p.Built.SHA256 {
		return assay.NewError(assay.ExitRefused, assay.CodeNoProgram, fmt.Sprintf("%s is another program on the machine", filepath.Base(p.Built.Path)),
			[]string{"SHA-256 here " + p.Built.SHA256, "there " + sum}, "to lay it into the study's folder, with which it is sent")
	}
	return nil
}

// program lays a binary under its file name, in a folder whose name has one length.
func (a *agent) program(ctx context.Context, p placing) (string, error) {
	sum, own := p.Binary.Sum, p.Kit != nil && p.Kit.Binary != nil
	if own {
		sum = p.Kit.Binary.SHA256
	}
	if !blob.IsSum(sum) || p.Name != filepath.Base(p.Name) || !filepath.IsLocal(p.Name) {
		return "", fmt.Errorf("a program %q with the digest %q", p.Name, sum)
	}
	dir := filepath.Join(a.dir, sum[:16])
	to := filepath.Join(dir, p.Name)
	if disk.IsFile(to) {
		return to, nil
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	if own {
		return to, p.Kit.LinkBinary(ctx, build.KitPlace{Blob: a.blobs.Path, Dir: a.dir}, to)
	}
	return to, a.executable(sum, to)
}

// executable makes a program of a blob.
func (a *agent) executable(sum, to string) error {
	data, err := os.Open(a.blobs.Path(sum))
	if err != nil {
		return err
	}
	defer data.Close()
	tmp, err := os.OpenFile(to+".new", os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o700)
	if err != nil {
		return err
	}
	_, err = io.Copy(tmp, data)
	if err = errors.Join(err, tmp.Close()); err != nil {
		return err
	}
	return os.Rename(to+".new", to)
}

// unpack unpacks a parcel.
func unpack(dir, file string) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	return parcel.Unpack(dir, f)
}

// relinker returns what links a build here: by its kit, or by taking the link that the
// other end has made.
func (a *agent) relinker(p placing) local.Relinker {
	if !p.Artifact.CanLayout {
		return nil
	}
	return func(ctx context.Context, layout uint64, align int, out string) (b build.Artifact, err error) {
		start := time.Now()
		if b = p.Built; p.Kit != nil {
			err = p.Kit.Link(ctx, build.KitPlace{Blob: a.blobs.Path, Dir: a.dir}, layout, align, out)
		} else {
			a.mu.Lock()
			made, ok := a.linked[linkName(p.Artifact.ID, layout, align)]
			a.mu.Unlock()
			if !ok {
				return b, fmt.Errorf("no link of %q with the layout %d was sent", p.Artifact.ID, layout)
			}
			err = a.executable(made.Binary.Sum, out)
		}
		if err != nil {
			return b, err
		}
		b.ID, b.Path, b.Cached, b.Link = fmt.Sprintf("%s-%x", p.Built.ID, layout), out, false, time.Since(start)
		b.SHA256, err = disk.Digest(out)
		return b, err
	}
}

func (a *agent) link(ctx context.Context, r request) (any, error) {
	l, err := read[link](r)
	if err != nil {
		return nil, err
	}
	x, err := a.artifact(l.Artifact)
	if err != nil {
		return nil, err
	}
	made, err := a.machine.Link(ctx, lab.LinkRequest{Artifact: x, Layout: l.Layout, Align: l.Align})
	if err != nil {
		return nil, err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.artifacts[made.ID] = made
	return made, nil
}

func (a *agent) drop(r request) error {
	ids, err := read[[]string](r)
	if err != nil {
		return err
	}
	var list []lab.Artifact
	a.mu.Lock()
	for _, id := range ids {
		if x, ok := a.artifacts[id]; ok {
			list = append(list, x)
			delete(a.artifacts, id)
		}
	}
	a.mu.Unlock()
	a.machine.Drop(list)
	return nil
}

// request returns a run as the machine here knows it.
func (a *agent) request(one run) (out lab.RunRequest, err error) {
	out = one.RunRequest
	if out.Study, err = a.study(one.Study); err != nil {
		return out, err
	}
	if out.Workload < 0 || out.Workload >= len(out.Study.Workloads) {
		return out, fmt.Errorf("there is no workload %d", out.Workload)
	}
	out.Artifact, err = a.artifact(one.Artifact)
	return out, err
}

func (a *agent) run(ctx context.Context, r request) (any, error) {
	one, err := read[run](r)
	if err != nil {
		return nil, err
	}
	do, err := a.request(one)
	if err != nil {
		return nil, err
	}
	return a.machine.Run(ctx, do)
}

func (a *agent) together(ctx context.Context, r request) (any, error) {
	t, err := read[together](r)
	if err != nil {
		return nil, err
	}
	if len(t.Arms) == 0 {
		return nil, errors.New("nothing to run side by side")
	}
	do := lab.TogetherRequest{Gear: t.Gear, Warm: t.Warm, Rounds: t.Rounds, Turn: t.Turn, Turns: t.Turns, CPUs: t.CPUs, Memory: t.Memory}
	for _, arm := range t.Arms {
		one, err := a.request(arm)
		if err != nil {
			return nil, err
		}
		do.Arms = append(do.Arms, one)
	}
	return a.machine.Together(ctx, do)
}

func (a *agent) block(ctx context.Context, r request) error {
	b, err := read[block](r)
	if err != nil {
		return err
	}
	a.mu.Lock()
	plan := a.plans[b.Plan]
	a.mu.Unlock()
	if plan == nil {
		return fmt.Errorf("no plan %q was sent", b.Plan)
	}
	do := lab.BlockRequest{Plan: plan, Next: b.Next, Index: b.Index, Attempt: b.Attempt, Artifacts: map[string][]lab.Artifact{}}
	for v, ids := range b.Artifacts {
		for _, id := range ids {
			x, err := a.artifact(id)
			if err != nil {
				return err
			}
			do.Artifacts[v] = append(do.Artifacts[v], x)
		}
	}
	return a.machine.Block(ctx, do, func(t assay.Trial, raw record.Raw) error { return a.event(r.ID, trialDone{t, raw}) })
}
