package assay

import "runtime/debug"

// Version returns the version of this program's module, or "devel" with its commit.
// Records keep it, so that a reader knows which rules computed a result.
func Version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "(unknown)"
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			return "devel " + s.Value[:min(len(s.Value), 12)]
		}
	}
	return "devel"
}
