package ssh

import (
	"context"
	"debug/buildinfo"
	"fmt"
	"os"
	"time"

	"github.com/seed-1318a441/assay/internal/disk"
	"github.com/seed-1318a441/assay/internal/memo"
	"github.com/seed-1318a441/assay/internal/printable"
)

// Options say how Dial connects. The zero value is ready.
type Options struct {
	// Log receives a line for what takes long or is odd; it may be nil.
	Log func(string)
	// Executable returns the file of an executable of assay for a platform; nil is
	// Executables.Find with the user's cache.
	Executable func(goos, goarch string) (path string, err error)
	// Config is an ssh_config instead of the user's; "" is the user's.
	Config string
}

// A System is what the other machine said of itself.
type System struct {
	GOOS, GOARCH string
	// Kernel and Machine are what uname says, such as "Linux" and "x86_64".
	Kernel, Machine string
	// Home is the user's home folder, Bin the folder of assay's executables.
	Home, Bin string

	// have are the executables in Bin with their sizes, by name.
	have map[string]int64
	// gzip is true if a stream can be unpacked.
	gzip bool
	// forced is true if the machine starts the agent whatever the command.
	forced bool
}

// How long the machine may take to log in and to describe itself, and the agent to start.
const (
	loginTime = time.Minute
	startTime = 30 * time.Second
)

// Dial connects to the agent on the machine at an address, and puts the agent there if it
// is not there yet. ctx ends the attempt, but not the connection that it returns. The
// error is an *assay.Error unless ctx has ended.
func Dial(ctx context.Context, address string, opt Options) (*Conn, error) {
	a, err := parseAddress(address)
	if err != nil {
		return nil, err
	}
	c, err := newClient(a, opt.Config)
	if err != nil {
		return nil, err
	}
	conn, err := dialer{c, opt}.dial(ctx)
	if err != nil {
		c.close()
		return nil, err
	}
	return conn, nil
}

// A dialer makes one connection.
type dialer struct {
	*client
	opt Options
}

func (d dialer) dial(ctx context.Context) (*Conn, error) {
	system, err := d.probe(ctx)
	if err != nil {
		return nil, err
	}
	if system.forced {
		return d.connect(ctx, system, executable{})
	}
	exe, err := d.executable(ctx, system)
	if err != nil {
		return nil, err
	}
	if system.have[exe.name()] != exe.size {
		if err := d.install(ctx, system, exe); err != nil {
			return nil, err
		}
	}
	return d.connect(ctx, system, exe)
}

// log passes a line on to Options.Log.
func (d dialer) log(format string, args ...any) {
	if d.opt.Log != nil {
		d.opt.Log("assay: " + fmt.Sprintf(format, args...))
	}
}

// logNoise says what a login script prints in front of what was asked for.
func (d dialer) logNoise(noise string) {
	if noise != "" {
		d.log("skips the %s that a login script on %s prints first: %q", printable.Count(len(noise), "byte"), d.address.Name(), printable.Short(noise, 60))
	}
}

// An executable is the file to send.
type executable struct {
	path, sum string
	size      int64
}

// name is its name over there.
func (e executable) name() string { return "assay-" + e.sum }

// usesC reports whether it may need a C library.
func (e executable) usesC() bool {
	info, err := buildinfo.ReadFile(e.path)
	return err != nil || setting(info, "CGO_ENABLED") != "0"
}

// executable finds the executable for a system.
func (d dialer) executable(ctx context.Context, s System) (executable, error) {
	find := d.opt.Executable
	if find == nil {
		find = func(goos, goarch string) (string, error) { return Executables{Log: d.opt.Log}.Find(ctx, goos, goarch) }
	}
	path, err := find(s.GOOS, s.GOARCH)
	if err != nil {
		return executable{}, err
	}
	st, err := os.Stat(path)
	if err != nil {
		return executable{}, fmt.Errorf("read assay's executable: %w", err)
	}
	sum, err := sums.Do(fmt.Sprint(path, "\x00", st.Size(), st.ModTime().UnixNano()), func() (string, error) { return disk.Digest(path) })
	return executable{path: path, sum: sum, size: st.Size()}, err
}

// sums are the hashes of executables, which a reconnect needs again.
var sums memo.Map[string]
