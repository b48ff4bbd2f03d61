package hub

import (
	"crypto/x509"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/disk"
	"github.com/seed-1318a441/assay/internal/printable"
)

// userJoinFile is the name of the user's own join file, in the folder of settings.
const userJoinFile = "hub" + JoinSuffix

// ReadUserJoin returns what a word of --hub means: a join file, the URL of a hub whose keys are
// in the user's own join file, or "" for that one. Errors have the codes no-hub and
// hub-file.
func ReadUserJoin(word string) (Join, error) {
	file := word
	if word == "" || strings.Contains(word, "://") {
		dir, err := disk.ConfigDir()
		if err != nil {
			return Join{}, err
		}
		file = filepath.Join(dir, userJoinFile)
	}
	j, err := ReadJoin(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return j, assay.NewError(assay.ExitRefused, assay.CodeNoHub, "assay knows of no hub: there is no "+disk.Tilde(file), nil,
			"--hub=FILE, the join file that the hub's operator gave you; or --on=ssh:HOST, for a machine that ssh reaches")
	case err != nil:
		return j, assay.UsageError(assay.CodeHubFile, printable.OneLine(err), "")
	case j.Role != RoleUser:
		return j, assay.UsageError(assay.CodeHubFile, fmt.Sprintf("the join file %s is of the %s %s, not of a user", disk.Tilde(file), j.Role, j.Name), "on the hub's computer: assay hub add user NAME")
	case strings.Contains(word, "://"):
		j.URLs = []string{word}
		if err := CheckURL(word); err != nil {
			return j, assay.UsageError(assay.CodeHubFile, "--hub: "+err.Error(), "")
		}
	}
	return j, nil
}

// ConnectUser connects a user to a hub. The error says why it cannot be reached.
func ConnectUser(j Join, say func(string)) (*Conn, error) {
	c, err := Connect(j, false, say)
	var unknown x509.UnknownAuthorityError
	var name x509.HostnameError
	switch at := strings.Join(j.URLs, ", "); {
	case err == nil:
		return c, nil
	case errors.Is(err, ErrUnknownKey):
		return nil, assay.NewError(assay.ExitRefused, assay.CodeHubKey, fmt.Sprintf("the hub at %s does not know the key of %s", at, j.Name), nil,
			fmt.Sprintf("on the hub's computer: assay hub add %s %s, which writes a new join file", j.Role, j.Name))
	case errors.As(err, &unknown), errors.As(err, &name):
		return nil, assay.NewError(assay.ExitRefused, assay.CodeHubKey, fmt.Sprintf("what answers at %s is not the hub of the join file", at), []string{printable.OneLine(err)}, "")
	default:
		return nil, assay.NewError(assay.ExitRefused, assay.CodeNoHub, "no hub answers at "+at, []string{printable.OneLine(err)},
			"on that computer: assay hub; or --on=ssh:HOST, for a machine that ssh reaches")
	}
}
