package hub

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/disk"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/shell"
)

// A Hub is a hub on this computer, for its operator: the errors of its methods are
// *assay.Error, with what to do.
type Hub struct {
	folder *Folder
	Dir    string
}

// Open opens the folder of a hub, which is made if it is missing. dir is "" for the
// user's own.
func Open(dir string) (*Hub, error) {
	if dir == "" {
		state, err := disk.StateDir()
		if err != nil {
			return nil, err
		}
		dir = filepath.Join(state, "hub")
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, forOperator(err)
	}
	f, err := OpenFolder(dir)
	if err != nil {
		return nil, forOperator(err)
	}
	return &Hub{folder: f, Dir: dir}, nil
}

// forOperator makes an error one of the hub, unless it has a code.
func forOperator(err error) error {
	if err == nil {
		return nil
	}
	if _, told := errors.AsType[*assay.Error](err); told {
		return err
	}
	return assay.NewError(assay.ExitRefused, assay.CodeHub, printable.OneLine(err), nil, "")
}

// Serve serves the hub until ctx ends. say gets what happens.
func (h *Hub) Serve(ctx context.Context, opt Options, say func(string)) error {
	opt.Say = say
	s, err := Start(h.folder, opt)
	if err != nil {
		return forOperator(err)
	}
	defer s.Close()
	urls := s.URLs()
	if err := h.folder.SetURLs(urls); err != nil {
		return forOperator(err)
	}
	err = s.Serve(ctx, func() {
		say("assay: the hub listens at " + strings.Join(urls, ", ") + "; its folder is " + disk.Tilde(h.Dir))
		if members, err := h.folder.Members(); err == nil && len(members) == 0 {
			say("assay: it has no members yet: assay hub add agent NAME, assay hub add user NAME")
		}
	})
	if errors.Is(err, ErrFull) {
		return assay.NewError(assay.ExitRefused, assay.CodeHub, "the hub's disk is full; agents and submitters wait for it", nil, "when there is room in "+disk.Tilde(h.Dir)+": a larger --keep")
	}
	return forOperator(err)
}

// Add adds a member and writes its join file. urls are "" for those that the hub was last
// served at; ca is the file with the certificate that an operator's own NATS is signed
// with; file is "" for NAME.join in the current folder. It returns what to do next.
func (h *Hub) Add(role, name string, urls []string, ca, file string) (lines []string, err error) {
	file = cmp.Or(file, name+JoinSuffix)
	if _, err := os.Lstat(file); err == nil {
		return nil, assay.UsageError(assay.CodeHubFile, disk.Tilde(file)+" is there already", "-o FILE")
	}
	if err := checkURLs(urls); err != nil {
		return nil, err
	}
	cert, err := readCA(ca)
	if err != nil {
		return nil, err
	}
	j, err := h.folder.Add(Role(role), name, urls, cert, time.Now())
	switch {
	case errors.Is(err, ErrMember):
		return nil, assay.UsageError(assay.CodeHubMember, fmt.Sprintf("the hub has a member %s already", name), "assay hub remove "+shell.Quote(name))
	case err != nil:
		return nil, assay.UsageError(assay.CodeHubMember, printable.OneLine(err), "")
	}
	if err := WriteJoin(file, j); err != nil {
		return nil, forOperator(errors.Join(err, h.folder.Remove(name)))
	}
	h.folder.AwaitServer()
	lines = []string{fmt.Sprintf("%s is the key of the %s %s, for %s. Whoever has it is that %[2]s: move it there over a safe way, and keep no copy.", file, role, name, strings.Join(j.URLs, ", "))}
	if Role(role) == RoleAgent {
		return append(lines, "on that machine:  assay agent --join "+shell.Quote(file)), nil
	}
	return append(lines, "as that user:     mkdir -p ~/.config/assay && mv "+shell.Quote(file)+" ~/.config/assay/hub.join",
		"then:             assay machines"), nil
}

// Remove removes a member. A running hub closes its connections.
func (h *Hub) Remove(name string) error {
	err := h.folder.Remove(name)
	if !errors.Is(err, ErrNoMember) {
		h.folder.AwaitServer()
		return forOperator(err)
	}
	return assay.UsageError(assay.CodeHubMember, fmt.Sprintf("the hub has no member %s", printable.Line(name, 100)), "assay hub list")
}

// Members returns the members of the hub.
func (h *Hub) Members() ([]Member, error) {
	members, err := h.folder.Members()
	return members, forOperator(err)
}

// Permissions returns the section of a nats-server's configuration with all members.
func (h *Hub) Permissions() (string, error) {
	text, err := h.folder.ServerConfig()
	return text, forOperator(err)
}

// Prepare makes the hub's streams on an operator's own NATS.
func (h *Hub) Prepare(ctx context.Context, urls []string, ca string, replicas int, keep int64) error {
	cert, err := readCA(ca)
	if err != nil {
		return err
	}
	if err := checkURLs(urls); err != nil {
		return err
	}
	return forOperator(h.folder.PrepareAt(ctx, urls, cert, replicas, cmp.Or(keep, DefaultKeep)))
}

// checkURLs checks what --url says.
func checkURLs(urls []string) error {
	for _, u := range urls {
		if err := CheckURL(u); err != nil {
			return assay.UsageError(assay.CodeHubFile, "--url: "+err.Error(), "")
		}
	}
	return nil
}

// readCA reads the file of --ca; "" is none.
func readCA(file string) (cert string, err error) {
	if file == "" {
		return "", nil
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return "", assay.UsageError(assay.CodeHubFile, "--ca: "+printable.OneLine(err), "")
	}
	return string(data), nil
}
