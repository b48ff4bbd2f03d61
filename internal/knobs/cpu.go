package knobs

import (
	"fmt"
	"runtime"
	"strings"

	"golang.org/x/sys/cpu"

	"github.com/seed-1318a441/assay"
)

// A feature is what a level requires of the processor.
type feature struct {
	level string
	name  string
	has   bool
}

// CheckCPU returns nil if this machine's processor can run programs built for a level,
// else an *assay.Error (cpu-level, exit 5) with what it lacks. It checks GOAMD64 and
// GOARM64, as far as the system reports the processor's features. A program built for
// more would end with "illegal instruction", or at its start.
func CheckCPU(a Asker, name, value string) error {
	lacks := missing(value, features(name))
	if len(lacks) == 0 {
		return nil
	}
	return cpuError(a, name, value, lacks)
}

func cpuError(a Asker, name, value string, lacks []string) *assay.Error {
	return assay.NewError(assay.ExitRefused, assay.CodeCPULevel, fmt.Sprintf("%s: this machine's CPU cannot run %s=%s", a, name, value), listed("it lacks: ", lacks), "")
}

// missing lists the missing features that a level needs. Levels of one generation ascend:
// each needs what those below it need.
func missing(value string, known []feature) []string {
	level, _, _ := strings.Cut(value, ",")
	var out []string
	for _, f := range known {
		needed := f.level <= level
		if strings.HasPrefix(f.level, ",") {
			needed = strings.Contains(value+",", f.level+",")
		}
		if needed && !f.has {
			out = append(out, f.name)
		}
	}
	return out
}

// features returns what is known about this machine; nil for another architecture's
// variable, or if the processor is unknown.
func features(name string) []feature {
	switch {
	case name == "GOAMD64" && runtime.GOARCH == "amd64" && cpu.X86.HasSSE2:
		return amd64Features()
	case name == "GOARM64" && runtime.GOARCH == "arm64" && cpu.ARM64.HasASIMD:
		return arm64Features(runtime.GOOS)
	}
	return nil
}

// amd64Features are the lists of the x86-64 psABI, section 3.1.1
// "Microarchitecture levels".
func amd64Features() []feature {
	x := &cpu.X86
	return []feature{
		{"v2", "CMPXCHG16B", x.HasCX16}, {"v2", "LAHF-SAHF", x.HasLAHF}, {"v2", "POPCNT", x.HasPOPCNT},
		{"v2", "SSE3", x.HasSSE3}, {"v2", "SSSE3", x.HasSSSE3}, {"v2", "SSE4.1", x.HasSSE41}, {"v2", "SSE4.2", x.HasSSE42},
		{"v3", "AVX", x.HasAVX}, {"v3", "AVX2", x.HasAVX2}, {"v3", "BMI1", x.HasBMI1}, {"v3", "BMI2", x.HasBMI2},
		{"v3", "F16C", x.HasF16C}, {"v3", "FMA", x.HasFMA}, {"v3", "LZCNT", x.HasLZCNT}, {"v3", "MOVBE", x.HasMOVBE}, {"v3", "OSXSAVE", x.HasOSXSAVE},
		{"v4", "AVX512F", x.HasAVX512F}, {"v4", "AVX512BW", x.HasAVX512BW}, {"v4", "AVX512CD", x.HasAVX512CD},
		{"v4", "AVX512DQ", x.HasAVX512DQ}, {"v4", "AVX512VL", x.HasAVX512VL},
	}
}

// arm64Features are mandatory from a version of the Arm architecture on ("Feature names
// in A-profile architecture"). Windows and the BSDs report few, so there only the atomics
// count, which are all that a Go program tests at its start. v9.0 has what v8.5 has.
func arm64Features(goos string) []feature {
	x := &cpu.ARM64
	out := []feature{
		{"v8.1", "LSE", x.HasATOMICS}, {",lse", "LSE", x.HasATOMICS},
	}
	if goos != "linux" && goos != "darwin" {
		return out
	}
	return append(out,
		feature{"v8.1", "CRC32", x.HasCRC32}, feature{"v8.1", "RDM", x.HasASIMDRDM}, feature{"v8.2", "DPB", x.HasDCPOP},
		feature{"v8.3", "FCMA", x.HasFCMA}, feature{"v8.3", "JSCVT", x.HasJSCVT}, feature{"v8.3", "LRCPC", x.HasLRCPC},
		feature{"v8.4", "DotProd", x.HasASIMDDP}, feature{"v8.4", "DIT", x.HasDIT},
		feature{",crypto", "AES", x.HasAES}, feature{",crypto", "PMULL", x.HasPMULL},
		feature{",crypto", "SHA1", x.HasSHA1}, feature{",crypto", "SHA256", x.HasSHA2},
	)
}
