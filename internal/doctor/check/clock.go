package check

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
)

// Findings that affect the clock rate, the core or the memory of a trial.

func (f *Facts) governor() []Finding {
	switch g := f.Governor; g {
	case "":
		return unknown(assay.CodeGovernor, "frequency governor")
	case "performance":
		return fine(assay.CodeGovernor, "the frequency governor is performance")
	default:
		return []Finding{{Code: assay.CodeGovernor, Level: Note, Text: "the frequency governor is " + g,
			Effect: "2 to 5 %: short trials begin on a slow clock", Cure: write("performance", everyGovernor), Undo: f.formerGovernors()}}
	}
}

func (f *Facts) turbo() []Finding {
	switch t := f.linux.turbo; {
	case t.file == "":
		return unknown(assay.CodeTurbo, "turbo")
	case t.now == t.off:
		return fine(assay.CodeTurbo, "turbo is off")
	default:
		return []Finding{{Code: assay.CodeTurbo, Level: Note, Text: "turbo is on",
			Effect: "1 to 3 %: the clock falls as the machine warms up; blocks even it out",
			Cure:   write(t.off, t.file), Undo: write(t.now, t.file)}}
	}
}

// thermal reports whether heat slows the machine down.
func (f *Facts) thermal() []Finding {
	const cool = "let it cool down, free its vents, or turn turbo off"
	switch h := f.linux.heat; {
	case !h.known:
		return unknown(assay.CodeThrottled, "temperatures")
	case h.now > 0:
		return []Finding{{Code: assay.CodeThrottled, Level: Severe, Text: fmt.Sprintf("the CPUs are too hot and were slowed down %d times while looking", h.now),
			Effect: "the clock falls to its base rate or below: up to 50 %, and it comes and goes", Cure: cool}}
	case h.zone != "" && h.limit-h.degrees < nearTrip:
		return []Finding{{Code: assay.CodeThrottled, Level: Note, Text: fmt.Sprintf("sensor %s is at %.0f °C; from %.0f °C on the kernel slows the CPUs down", h.zone, h.degrees, h.limit),
			Effect: "a run warms the machine further; then up to 50 %, and it comes and goes", Cure: cool}}
	case h.throttled > 0:
		return []Finding{{Code: assay.CodeThrottled, Level: Note, Text: fmt.Sprintf("heat has slowed the CPUs down %d times since the machine was started", h.throttled),
			Effect: "where it happens in a run, up to 50 % in some trials; blocks even it out", Cure: cool}}
	case h.zone != "":
		return fine(assay.CodeThrottled, fmt.Sprintf("heat has not slowed the CPUs down; sensor %s is at %.0f °C of %.0f °C", h.zone, h.degrees, h.limit))
	}
	return fine(assay.CodeThrottled, "heat has not slowed the CPUs down")
}

func (f *Facts) macThermal() []Finding {
	switch s := f.mac.speed; {
	case s == 0:
		return unknown(assay.CodeThrottled, "temperatures")
	case s < 100:
		return []Finding{{Code: assay.CodeThrottled, Level: Severe, Text: fmt.Sprintf("heat limits the clock to %d %%", s),
			Effect: fmt.Sprintf("time per operation grows by up to %d %%, and it comes and goes", (100-s)*100/s), Cure: "let it cool down, free its vents"}}
	}
	return fine(assay.CodeThrottled, "heat does not limit the clock")
}

func (f *Facts) battery() []Finding {
	switch {
	case f.linux.battery || strings.HasPrefix(f.Power, "battery"):
		text := "the machine runs on battery"
		if strings.Contains(f.Power, "low power") {
			text += ", in low power mode"
		}
		return []Finding{{Code: assay.CodeBattery, Level: Note, Text: text, Effect: "the clock follows the charge", Cure: "plug it in"}}
	case strings.Contains(f.Power, "low power"):
		return []Finding{{Code: assay.CodeBattery, Level: Note, Text: "the machine is in low power mode", Effect: "the clock is kept low, by up to a half",
			Cure: "sudo pmset -c lowpowermode 0", Undo: "sudo pmset -c lowpowermode 1"}}
	case slices.Contains([]string{"low-power", "quiet", "cool"}, f.Profile):
		found := Finding{Code: assay.CodeBattery, Level: Note, Text: "the platform profile is " + f.Profile, Effect: "the firmware keeps the clock low, by up to a half",
			Cure: "choose a faster one in the firmware"}
		for _, fast := range []string{"performance", "balanced"} {
			if slices.Contains(f.linux.profiles, fast) {
				found.Cure, found.Undo = write(fast, profileFile), write(f.Profile, profileFile)
				break
			}
		}
		return []Finding{found}
	case f.Power == "mains":
		return fine(assay.CodeBattery, "the machine runs on mains")
	}
	return nil // no battery
}

// threads reports simultaneous multithreading.
func (f *Facts) threads() []Finding {
	switch f.linux.smt {
	case "1":
		return []Finding{{Code: assay.CodeSMT, Level: Note, Text: "two CPUs are one core (SMT is on)",
			Effect: "up to 35 % slower while the other half of a core is busy, with the collector of the same program too",
			Cure:   write("off", smtFile), Undo: write("on", smtFile)}}
	case "0":
		return fine(assay.CodeSMT, "every CPU is a core of its own")
	}
	return unknown(assay.CodeSMT, "SMT")
}

// kinds reports machines with fast and slow cores.
func (f *Facts) kinds() []Finding {
	if len(f.linux.fast) == 0 && !f.mac.kinds {
		return nil
	}
	cure := "put this in front of assay: taskset -c " + assay.FormatCPUs(f.linux.fast)
	if f.GOOS == "darwin" {
		cure = "keep the machine idle, so that trials stay on the fast cores"
	}
	return []Finding{{Code: assay.CodeCoreKinds, Level: Note, Text: "there are fast cores and slow ones",
		Effect: "up to a factor of 2 between trials on one kind and on the other", Cure: cure}}
}

// addresses reports the randomisation of the address space. It should be on: each trial
// is then one draw of many, and the blocks average over them. If it is off one draw
// stands for all, and the interval does not include that.
func (f *Facts) addresses() []Finding {
	switch f.linux.aslr {
	case "":
		return unknown(assay.CodeASLR, "address space randomisation")
	case "0":
		return []Finding{{Code: assay.CodeASLR, Level: Note, Text: "address space randomisation is off",
			Effect: "stack and heap lie at the same addresses in every trial: a bias of up to 10 % that no number of blocks shows",
			Cure:   "sudo sysctl kernel.randomize_va_space=2", Undo: "sudo sysctl kernel.randomize_va_space=0"}}
	}
	return fine(assay.CodeASLR, "address space randomisation is on, so that blocks average over addresses")
}

func (f *Facts) hugePages() []Finding {
	switch h := f.linux.hugePages; h {
	case "":
		return unknown(assay.CodeHugePages, "huge pages")
	case "always":
		return []Finding{{Code: assay.CodeHugePages, Level: Note, Text: "transparent huge pages are always used",
			Effect: "peak memory depends on when the kernel merges pages, in steps of 2 MB; time by a few % where it does so in a trial",
			Cure:   write("madvise", hugePagesFile), Undo: write("always", hugePagesFile)}}
	default:
		return fine(assay.CodeHugePages, "transparent huge pages: "+h)
	}
}

// userClocks lists the clocks that a process reads without a system call.
var userClocks = []string{"tsc", "kvm-clock", "hyperv_clocksource_tsc_page", "arch_sys_counter", "riscv_clocksource", "timebase", "tod"}

func (f *Facts) clockSource() []Finding {
	switch c := f.linux.clockSource; {
	case c == "":
		return unknown(assay.CodeClockSource, "clock source")
	case slices.Contains(userClocks, c):
		return fine(assay.CodeClockSource, "the clock is "+c+", read without a system call")
	default:
		found := Finding{Code: assay.CodeClockSource, Level: Note, Text: "the clock is " + c + ", which only the kernel reads",
			Effect: "time.Now takes 0.3 to 3 µs instead of 0.05: what calls it often is measured wrong",
			Cure:   "a machine with another clock: this one has none that programs can read"}
		if i := slices.IndexFunc(userClocks, func(clock string) bool { return slices.Contains(f.linux.clocks, clock) }); i >= 0 {
			found.Cure, found.Undo = write(userClocks[i], clockFile), write(c, clockFile)
		}
		return []Finding{found}
	}
}
