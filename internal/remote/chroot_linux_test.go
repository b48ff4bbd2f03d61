package remote

import (
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/seed-1318a441/assay/internal/build"
	"github.com/seed-1318a441/assay/internal/local"
	"github.com/seed-1318a441/assay/internal/remote/wire"
)

// A machine needs nothing but assay's own file: no Go, no shell, no C library, no /proc.
func TestNothingButTheBinary(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can change the root folder of an agent")
	}
	root := t.TempDir()
	cmd := exec.Command("go", "build", "-o", filepath.Join(root, "assay"), "../../cmd/assay")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, dir := range []string{"tmp", "home"} {
		if err := os.Mkdir(filepath.Join(root, dir), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	b := &bench{builder: build.New(t.TempDir())}
	m, err := Connect(t.Context(), Options{Name: "bare", Builder: b.builder, Link: OverStream(func(context.Context) (io.ReadWriteCloser, error) {
		cmd := exec.Command("/assay", "agent", "--stdio")
		cmd.Env, cmd.Dir, cmd.Stderr = []string{"HOME=/home"}, "/", os.Stderr
		cmd.SysProcAttr = &syscall.SysProcAttr{Chroot: root}
		in, err := cmd.StdinPipe()
		if err != nil {
			return nil, err
		}
		out, err := cmd.StdoutPipe()
		if err != nil {
			return nil, err
		}
		if err := cmd.Start(); err != nil {
			return nil, err
		}
		_, err = wire.Await(out)
		return &process{out, in, cmd}, err
	})})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	b.Machine, b.shop = m, local.NewWorkshop(b.builder, m)
	plan, as := planned(t, b.shop, b, subjectStudy(t))
	if got := runBlock(t, b, requestOf(plan, as, 1)); len(got) < 6 {
		t.Errorf("%d trials", len(got))
	}
}
