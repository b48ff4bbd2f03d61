//go:build !unix

package secret

import (
	"io/fs"
	"os"
)

// openPlain opens a file that is not a link.
func openPlain(file string) (*os.File, error) {
	if isLink(file) {
		return nil, errLink
	}
	return os.Open(file)
}

// checkRights checks nothing: the folder of the user's settings is the user's own, and
// modes say nothing here.
func checkRights(fs.FileInfo) error { return nil }
