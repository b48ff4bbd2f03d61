// Package system reads what a system says of itself, in Linux's files and as the output of
// commands. What it does not say is empty: nothing here fails.
package system

import (
	"context"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"slices"
	"strings"
	"time"
)

// Files are Linux's files about itself, as seen from "/". On other systems there are none,
// and every answer is empty.
type Files struct{ FS fs.FS }

// Here are the files of the machine that the program runs on.
var Here = Files{os.DirFS("/")}

// Read returns a file's content without surrounding space, "" if it cannot be read.
func (s Files) Read(name string) string {
	if s.FS == nil {
		return ""
	}
	data, err := fs.ReadFile(s.FS, name)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(data))
}

// Names lists the files that match a pattern.
func (s Files) Names(pattern string) []string {
	if s.FS == nil {
		return nil
	}
	names, _ := fs.Glob(s.FS, pattern) // patterns here are well formed
	return names
}

// Distinct returns the different contents of the files that match a pattern.
func (s Files) Distinct(pattern string) []string {
	var out []string
	for _, n := range s.Names(pattern) {
		if v := s.Read(n); v != "" {
			out = append(out, v)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// OnBattery reports whether a battery is being emptied.
func (s Files) OnBattery() bool {
	return slices.Contains(s.Distinct("sys/class/power_supply/BAT*/status"), "Discharging")
}

// EachGroup calls do with the folder of each cgroup of this process that has a controller,
// and of those around it. Version 1 names the controllers of a group, version 2 does not.
func (s Files) EachGroup(controller string, do func(dir string, v1 bool)) {
	for line := range strings.Lines(s.Read("proc/self/cgroup")) {
		part := strings.SplitN(strings.TrimSpace(line), ":", 3)
		v1 := len(part) == 3 && part[1] != ""
		if len(part) != 3 || v1 && !slices.Contains(strings.Split(part[1], ","), controller) {
			continue
		}
		root := "sys/fs/cgroup"
		if v1 {
			root = path.Join(root, controller)
		}
		for dir := part[2]; ; dir = path.Dir(dir) {
			do(path.Join(root, dir), v1)
			if dir == "/" || dir == "." {
				break
			}
		}
	}
}

// Field finds the value in lines of "name value" or "name: value".
func Field(text, name string) string {
	for line := range strings.Lines(text) {
		if f := strings.Fields(line); len(f) >= 2 && strings.TrimSuffix(f[0], ":") == name {
			return f[1]
		}
	}
	return ""
}

// Output returns the output of a system command. It gives up on one that hangs.
func Output(ctx context.Context, name string, args ...string) string {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	out, err := exec.CommandContext(ctx, name, args...).Output()
	if err != nil {
		return ""
	}
	return string(out)
}
