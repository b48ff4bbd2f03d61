package remote

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/build"
	"github.com/seed-1318a441/assay/internal/cache"
	"github.com/seed-1318a441/assay/internal/disk"
	"github.com/seed-1318a441/assay/internal/doctor/check"
	"github.com/seed-1318a441/assay/internal/host"
	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/local"
	"github.com/seed-1318a441/assay/internal/record"
	"github.com/seed-1318a441/assay/internal/remote/blob"
	"github.com/seed-1318a441/assay/internal/remote/parcel"
	"github.com/seed-1318a441/assay/internal/remote/wire"
)

// HandlerOptions say what a Handler works with.
type HandlerOptions struct {
	Cache *cache.Cache
	// Blobs has the files that requests need.
	Blobs *blob.Store
	// Self is the path of this program, which makes the load of services.
	Self string
}

// A Handler does what one submitter asks for on this computer. It remembers the studies,
// builds and plans that it was told of. Requests may run in parallel.
type Handler struct {
	opt     HandlerOptions
	machine *local.Machine
	dir     string // for trees and programs

	mu        sync.Mutex
	studies   map[string]*assay.Study
	plans     map[string]*assay.Plan
	artifacts map[string]lab.Artifact
	linked    map[string]placing // links made at the other end, by linkName
	trees     map[string]string
}

// NewHandler returns a Handler, which Close removes with what it has started.
func NewHandler(opt HandlerOptions) (*Handler, error) {
	machine, err := local.NewMachine(opt.Cache)
	if err != nil {
		return nil, err
	}
	machine.Assay = opt.Self
	machine.TakeParcels()
	dir, err := opt.Cache.TempDir("agent-")
	if err != nil {
		return nil, errors.Join(err, machine.Close())
	}
	return &Handler{opt: opt, machine: machine, dir: dir, studies: map[string]*assay.Study{}, plans: map[string]*assay.Plan{},
		artifacts: map[string]lab.Artifact{}, linked: map[string]placing{}, trees: map[string]string{}}, nil
}

// Close ends what the Handler has started, and removes its files.
func (h *Handler) Close() error { return errors.Join(disk.RemoveAll(h.dir), h.machine.Close()) }

// Welcome returns what answers a greeting.
func (h *Handler) Welcome(ctx context.Context) Welcome {
	w := Welcome{Protocol: wire.Version, Version: assay.Version(), PID: os.Getpid(), Free: host.FreeSpace(ctx, h.opt.Cache.Dir).Free}
	var err error
	if w.CPUs, err = h.machine.CPUs(); err != nil {
		w.NoCPUs = FaultOf(err)
	}
	return w
}

// read reads the body of a request.
func read[T any](r request) (v T, err error) {
	if err = json.Unmarshal(r.Body, &v); err != nil {
		err = fmt.Errorf("%s: %w", r.Do, err)
	}
	return v, err
}

// Do does what a request asks for and returns what to answer, which can be written as
// JSON. event gets what the other end has to know before; its error ends the request.
func (h *Handler) Do(ctx context.Context, do Operation, body json.RawMessage, event func(any) error) (any, error) {
	r := request{Do: do, Body: body}
	switch do {
	case OpPlatform:
		return host.Platform(ctx), nil
	case OpInspect:
		p, err := read[assay.Platform](r)
		if err != nil {
			return nil, err
		}
		return findings(check.Inspect(ctx, p)), nil
	case OpLook:
		tools, err := read[[]string](r)
		if err != nil {
			return nil, err
		}
		return host.NewGlance(ctx, tools), nil
	case OpStudy:
		return nil, h.takeStudy(r)
	case OpPlace:
		return nil, h.place(ctx, r)
	case OpCheck:
		s, err := h.studyOf(r)
		if err != nil {
			return nil, err
		}
		return nil, h.machine.Check(ctx, s)
	case OpPlan:
		return nil, h.takePlan(r)
	case OpLink:
		return h.link(ctx, r)
	case OpDrop:
		return nil, h.drop(r)
	case OpRun:
		return h.run(ctx, r)
	case OpTogether:
		return h.together(ctx, r)
	case OpBlock:
		return nil, h.block(ctx, r, event)
	case OpWritten:
		return h.machine.Written(), nil
	}
	return nil, fmt.Errorf("this agent knows no %q", do)
}

func (h *Handler) takeStudy(r request) error {
	sent, err := read[sentStudy](r)
	if err != nil {
		return err
	}
	if sent.Study == nil {
		return errors.New("no study was sent")
	}
	if sent.Study.Dir, err = h.tree(sent.Tree); err != nil {
		return err
	}
	if sent.Study.Dir == "" {
		sent.Study.Dir = h.dir // nothing runs there
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.studies[sent.Hash] = sent.Study
	return nil
}

// studyOf returns the study whose hash is the body of a request.
func (h *Handler) studyOf(r request) (*assay.Study, error) {
	hash, err := read[string](r)
	if err != nil {
		return nil, err
	}
	return h.study(hash)
}

func (h *Handler) takePlan(r request) error {
	sent, err := read[sentPlan](r)
	if err != nil {
		return err
	}
	if sent.Plan == nil {
		return errors.New("no plan was sent")
	}
	s, err := h.study(sent.Study)
	if err != nil {
		return err
	}
	sent.Plan.Study.Dir = s.Dir
	h.mu.Lock()
	defer h.mu.Unlock()
	h.plans[sent.Hash] = sent.Plan
	return nil
}

// place takes a build.
func (h *Handler) place(ctx context.Context, r request) error {
	p, err := read[placing](r)
	if err != nil {
		return err
	}
	if p.Of != "" {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.linked[linkName(p.Of, p.Layout, p.Align)] = p
		return nil
	}
	s, err := h.study(p.Study)
	if err != nil {
		return err
	}
	if p.Artifact.Given {
		err = h.find(&p, s)
	} else {
		p.Built.Path, err = h.program(p)
	}
	if err != nil {
		return err
	}
	if p.Tree != nil {
		root, err := h.tree(p.Tree)
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
	h.machine.Receive(local.Delivery{Artifact: p.Artifact, Built: p.Built, Relink: h.relinker(p), Study: s, Variants: p.Variants})
	h.mu.Lock()
	defer h.mu.Unlock()
	h.artifacts[p.Artifact.ID] = p.Artifact
	return nil
}

// find finds a program that assay did not build, and checks that it is the same.
func (h *Handler) find(p *placing, s *assay.Study) (err error) {
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
func (h *Handler) program(p placing) (string, error) {
	sum := p.Binary.Sum
	if !blob.IsSum(sum) || p.Name != filepath.Base(p.Name) || !filepath.IsLocal(p.Name) {
		return "", fmt.Errorf("a program %q with the digest %q", p.Name, sum)
	}
	dir := filepath.Join(h.dir, sum[:16])
	to := filepath.Join(dir, p.Name)
	if disk.IsFile(to) {
		return to, nil
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	return to, h.executable(sum, to)
}

// executable makes a program of a blob.
func (h *Handler) executable(sum, to string) error {
	data, err := os.Open(h.opt.Blobs.Path(sum))
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
func (h *Handler) relinker(p placing) local.Relinker {
	if !p.Artifact.CanLayout {
		return nil
	}
	return func(ctx context.Context, layout uint64, align int, out string) (b build.Artifact, err error) {
		start := time.Now()
		if b = p.Built; p.Kit != nil {
			err = p.Kit.Link(ctx, build.KitPlace{Blob: h.opt.Blobs.Path, Dir: h.dir}, layout, align, out)
		} else {
			h.mu.Lock()
			made, ok := h.linked[linkName(p.Artifact.ID, layout, align)]
			h.mu.Unlock()
			if !ok {
				return b, fmt.Errorf("no link of %q with the layout %d was sent", p.Artifact.ID, layout)
			}
			err = h.executable(made.Binary.Sum, out)
		}
		if err != nil {
			return b, err
		}
		b.ID, b.Path, b.Cached, b.Link = fmt.Sprintf("%s-%x", p.Built.ID, layout), out, false, time.Since(start)
		b.SHA256, err = disk.Digest(out)
		return b, err
	}
}

func (h *Handler) link(ctx context.Context, r request) (any, error) {
	l, err := read[link](r)
	if err != nil {
		return nil, err
	}
	x, err := h.artifact(l.Artifact)
	if err != nil {
		return nil, err
	}
	made, err := h.machine.Link(ctx, lab.LinkRequest{Artifact: x, Layout: l.Layout, Align: l.Align})
	if err != nil {
		return nil, err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.artifacts[made.ID] = made
	return made, nil
}

func (h *Handler) drop(r request) error {
	ids, err := read[[]string](r)
	if err != nil {
		return err
	}
	var list []lab.Artifact
	h.mu.Lock()
	for _, id := range ids {
		if x, ok := h.artifacts[id]; ok {
			list = append(list, x)
			delete(h.artifacts, id)
		}
	}
	h.mu.Unlock()
	h.machine.Drop(list)
	return nil
}

// request returns a run as the machine here knows it.
func (h *Handler) request(one run) (out lab.RunRequest, err error) {
	out = one.RunRequest
	if out.Study, err = h.study(one.Study); err != nil {
		return out, err
	}
	if out.Workload < 0 || out.Workload >= len(out.Study.Workloads) {
		return out, fmt.Errorf("there is no workload %d", out.Workload)
	}
	out.Artifact, err = h.artifact(one.Artifact)
	return out, err
}

func (h *Handler) run(ctx context.Context, r request) (any, error) {
	one, err := read[run](r)
	if err != nil {
		return nil, err
	}
	do, err := h.request(one)
	if err != nil {
		return nil, err
	}
	return h.machine.Run(ctx, do)
}

func (h *Handler) together(ctx context.Context, r request) (any, error) {
	t, err := read[together](r)
	if err != nil {
		return nil, err
	}
	if len(t.Arms) == 0 {
		return nil, errors.New("nothing to run side by side")
	}
	do := lab.TogetherRequest{Warm: t.Warm, Rounds: t.Rounds, Turns: t.Turns, CPUs: t.CPUs, Memory: t.Memory}
	for _, arm := range t.Arms {
		one, err := h.request(arm)
		if err != nil {
			return nil, err
		}
		do.Arms = append(do.Arms, one)
	}
	return h.machine.Together(ctx, do)
}

func (h *Handler) block(ctx context.Context, r request, event func(any) error) error {
	b, err := read[block](r)
	if err != nil {
		return err
	}
	h.mu.Lock()
	plan := h.plans[b.Plan]
	h.mu.Unlock()
	if plan == nil {
		return fmt.Errorf("no plan %q was sent", b.Plan)
	}
	do := lab.BlockRequest{Plan: plan, Next: b.Next, Index: b.Index, Attempt: b.Attempt, Artifacts: map[string][]lab.Artifact{}}
	for v, ids := range b.Artifacts {
		for _, id := range ids {
			x, err := h.artifact(id)
			if err != nil {
				return err
			}
			do.Artifacts[v] = append(do.Artifacts[v], x)
		}
	}
	return h.machine.Block(ctx, do, func(t assay.Trial, raw record.Raw) error { return event(trialDone{t, raw}) })
}

// study returns a study that was sent.
func (h *Handler) study(hash string) (*assay.Study, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if s := h.studies[hash]; s != nil {
		return s, nil
	}
	return nil, fmt.Errorf("no study %q was sent", hash)
}

// artifact returns an artifact that was placed or linked.
func (h *Handler) artifact(id string) (lab.Artifact, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if x, ok := h.artifacts[id]; ok {
		return x, nil
	}
	return lab.Artifact{}, fmt.Errorf("no artifact %q was sent", id)
}

// tree unpacks a parcel, once, and returns its folder. All folders have names of one
// length.
func (h *Handler) tree(t *tree) (string, error) {
	if t == nil {
		return "", nil
	}
	if !blob.IsSum(t.Sum) {
		return "", fmt.Errorf("a tree with the digest %q", t.Sum)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if dir, ok := h.trees[t.Sum]; ok {
		return dir, nil
	}
	dir := filepath.Join(h.dir, fmt.Sprintf("tree-%06d", len(h.trees)+1))
	if err := unpack(dir, h.opt.Blobs.Path(t.Sum)); err != nil {
		return "", err
	}
	h.trees[t.Sum] = dir
	return dir, nil
}

// linkName names a link that was made at the other end.
func linkName(id string, layout uint64, align int) string {
	return strings.Join([]string{id, fmt.Sprint(layout), fmt.Sprint(align)}, " ")
}
