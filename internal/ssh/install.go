package ssh

import (
	"compress/gzip"
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/seed-1318a441/assay/internal/fault"
	"github.com/seed-1318a441/assay/internal/printable"
)

// installScript puts its input into binDir. It stands on one line in single quotes, and
// has none of the characters that a login shell such as csh or fish would read there.
// Whatever happens, assay-SUM is whole or not there. It keeps five executables, those used
// last.
const installScript = `umask 077; bin="` + binDir + `"; new="$bin/.new-NONCE"; ` +
	`mkdir -p "$bin" || exit 3; ` +
	`UNPACK >"$new" || { rm -f "$new"; exit 4; }; ` +
	`n=$(wc -c <"$new"); if [ "$n" -ne SIZE ]; then rm -f "$new"; echo "$n of SIZE bytes arrived" >&2; exit 4; fi; ` +
	`if command -v sha256sum >/dev/null 2>&1; then case "$(sha256sum <"$new")" in SUM*) ;; *) rm -f "$new"; echo "its SHA-256 is another one" >&2; exit 4;; esac; fi; ` +
	`chmod 700 "$new" && mv -f "$new" "$bin/assay-SUM" || { rm -f "$new"; exit 4; }; ` +
	`echo assay-installed; cd "$bin" && ls -t | grep "^assay-" | tail -n +6 | while read -r f; do rm -f "$f"; done; ` +
	`find . -name ".new-*" -mtime +1 -exec rm -f {} + 2>/dev/null`

// install sends an executable.
func (d dialer) install(ctx context.Context, s System, e executable) error {
	f, err := os.Open(e.path)
	if err != nil {
		return fmt.Errorf("send assay to %s: %w", d.address.Name(), err)
	}
	defer f.Close()
	d.log("sends itself to %s:%s, %s MB", d.address.Name(), s.Bin, printable.Int(e.size>>20))
	var input io.Reader = f
	unpack := "cat"
	if s.gzip {
		packed := pack(f)
		defer packed.Close()
		input, unpack = packed, "gzip -dc"
	}
	// Process numbers are not unique in a home folder that several machines share, and one
	// process may connect to a machine twice.
	script := strings.NewReplacer("NONCE", rand.Text(), "UNPACK", unpack, "SIZE", fmt.Sprint(e.size), "SUM", e.sum).Replace(installScript)
	out, x, err := d.run(ctx, "sh -c '"+script+"'", input)
	switch {
	case err != nil:
		return err
	case strings.Contains(out, "assay-installed\n"):
		return nil
	case x.status() == sshFailed:
		return d.lost(x)
	}
	return d.installFailure(s, e, x)
}

// pack compresses a stream: over a slow line half of the bytes take half of the time.
func pack(r io.Reader) io.ReadCloser {
	out, in := io.Pipe()
	go func() {
		defer fault.Exit()
		z, _ := gzip.NewWriterLevel(in, gzip.BestSpeed)
		_, err := io.Copy(z, r)
		if cerr := z.Close(); err == nil {
			err = cerr
		}
		in.CloseWithError(err)
	}()
	return out
}
