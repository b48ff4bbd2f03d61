package ssh

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/seed-1318a441/assay"
)

// binDir is the folder of assay's executables over there, for a shell.
const binDir = `${XDG_CACHE_HOME:-$HOME/.cache}/assay/bin`

// probeMark is the line in front of what the probe says.
const probeMark = "assay-probe\n"

// probeScript describes a machine. sh reads it from its input, so that no login shell has
// to understand its quotes.
const probeScript = `echo assay-probe
LC_ALL=C
export LC_ALL
bin="` + binDir + `"
echo "kernel $(uname -s)"
echo "machine $(uname -m)"
echo "home $HOME"
echo "bin $bin"
if command -v gzip >/dev/null 2>&1; then echo "gzip yes"; fi
for f in "$bin"/assay-*; do
	if [ -x "$f" ]; then echo "have ${f##*/} $(wc -c <"$f" | tr -d ' ')"; fi
done
echo "end yes"
`

// probe asks the machine what it is.
func (d dialer) probe(ctx context.Context) (System, error) {
	limited, cancel := context.WithTimeout(ctx, loginTime)
	defer cancel()
	out, x, err := d.run(limited, "sh", strings.NewReader(probeScript))
	switch {
	case ctx.Err() != nil:
		return System{}, err
	case limited.Err() != nil:
		return System{}, d.tooSlow("log in", loginTime, x)
	case err != nil:
		return System{}, err
	}
	if magic.MatchString(out) {
		return System{forced: true}, nil
	}
	noise, said, ok := strings.Cut(out, probeMark)
	s, whole := readProbe(said)
	switch {
	case !ok && x.status() == sshFailed:
		return System{}, d.connectFailure(x.stderr.String())
	case ok && !whole && x.status() == sshFailed:
		return System{}, d.lost(x)
	case !ok || !whole:
		return System{}, d.noShell(out, x)
	}
	d.logNoise(noise)
	return s, d.checkSystem(s)
}

// readProbe reads what the probe says; whole is false if its last line is missing.
func readProbe(text string) (s System, whole bool) {
	s.have = map[string]int64{}
	for line := range strings.Lines(text) {
		key, value, _ := strings.Cut(strings.TrimRight(line, "\r\n"), " ")
		switch key {
		case "kernel":
			s.Kernel, s.GOOS = value, systems[value]
		case "machine":
			s.Machine, s.GOARCH = value, architecture(value)
		case "home":
			s.Home = value
		case "bin":
			s.Bin = value
		case "gzip":
			s.gzip = true
		case "have":
			name, size, _ := strings.Cut(value, " ")
			if n, err := strconv.ParseInt(size, 10, 64); err == nil {
				s.have[name] = n
			}
		case "end":
			whole = true
		}
	}
	return s, whole
}

// systems are the names of systems in Go, by what uname -s says.
var systems = map[string]string{
	"Linux": "linux", "Darwin": "darwin", "FreeBSD": "freebsd", "NetBSD": "netbsd", "OpenBSD": "openbsd",
}

// architecture returns Go's name for what uname -m says, "" if there is none.
func architecture(machine string) string {
	switch machine {
	case "x86_64", "amd64":
		return "amd64"
	case "aarch64", "arm64":
		return "arm64"
	case "i386", "i486", "i586", "i686":
		return "386"
	case "ppc64le", "ppc64", "s390x", "riscv64", "mips64", "mips":
		return machine
	case "loongarch64":
		return "loong64"
	}
	if strings.HasPrefix(machine, "armv6") || strings.HasPrefix(machine, "armv7") || strings.HasPrefix(machine, "armv8") {
		return "arm"
	}
	return ""
}

// checkSystem refuses a machine that no assay runs on.
func (d dialer) checkSystem(s System) error {
	name := d.address.Name()
	switch {
	case isWindows(s.Kernel):
		return d.windows([]string{"uname says " + strconv.Quote(s.Kernel)})
	case s.GOOS == "" || s.GOARCH == "":
		return refuse(assay.CodeNoShell, fmt.Sprintf("no assay runs on %s: its system is %q on %q", name, s.Kernel, s.Machine), nil, "")
	case !strings.HasPrefix(s.Home, "/"):
		return refuse(assay.CodeNoShell, fmt.Sprintf("%s has no home folder to put assay into", name), []string{fmt.Sprintf("HOME is %q there", s.Home)}, "")
	}
	return nil
}

// isWindows reports whether uname names a Unix shell on Windows.
func isWindows(kernel string) bool {
	for _, prefix := range []string{"MINGW", "MSYS", "CYGWIN", "Windows", "UCRT", "CLANG"} {
		if strings.HasPrefix(kernel, prefix) {
			return true
		}
	}
	return false
}
