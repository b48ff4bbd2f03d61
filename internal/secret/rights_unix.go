//go:build unix

package secret

import (
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// openPlain opens a file that is not a link. It does not wait for the other end of a pipe.
func openPlain(file string) (*os.File, error) {
	f, err := os.OpenFile(file, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if err != nil && isLink(file) {
		return nil, errLink
	}
	return f, err
}

// checkRights returns an error for a file of somebody else, or one that others can read.
func checkRights(info fs.FileInfo) error {
	if mode := info.Mode().Perm(); mode&0o077 != 0 {
		return &problem{fmt.Sprintf("has the mode %04o, so that others can use it", mode), chmod}
	}
	st, ok := info.Sys().(*syscall.Stat_t)
	switch {
	case !ok:
	case int(st.Uid) != os.Geteuid():
		return &problem{"belongs to another user", "chown \"$USER\" FILE && " + chmod}
	case st.Nlink > 1:
		return &problem{"has another name elsewhere (a hard link)", "cp FILE FILE.new && mv FILE.new FILE && " + chmod}
	}
	return nil
}
