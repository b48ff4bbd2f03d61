package nasty

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"
)

var sink []byte

func work(b *testing.B) {
	for range b.N {
		sink = make([]byte, 64)
	}
}

func Benchmark(b *testing.B)       { work(b) }
func BenchmarkPlain(b *testing.B)  { work(b) }
func BenchmarkSilent(b *testing.B) { work(b) }

// What lands between the name and its result.

func BenchmarkNoNewline(b *testing.B) {
	fmt.Print("progress 50%... 42")
	work(b)
}

func BenchmarkLogLines(b *testing.B) {
	fmt.Println("2026/11/21 10:00:00 starting")
	fmt.Println("key: value")
	fmt.Println("goos: plan9")
	fmt.Println("Unit tests are better=than none")
	work(b)
	fmt.Print("done\r")
}

func BenchmarkColours(b *testing.B) {
	fmt.Print("\x1b[31mred\x1b[0m\x1b[2K\r")
	work(b)
	fmt.Print("\x1b[0m")
}

func BenchmarkInvalid(b *testing.B) {
	fmt.Print("\xff\xfe\x00 \t\v\f")
	work(b)
}

func BenchmarkLongLine(b *testing.B) {
	fmt.Print(strings.Repeat("x", 70<<10))
	work(b)
}

func BenchmarkLongLines(b *testing.B) {
	for range 3 {
		fmt.Println(strings.Repeat("y \t", 25<<10))
	}
	work(b)
}

func BenchmarkFakes(b *testing.B) {
	fmt.Println("BenchmarkFake 1 2 ns/op")
	fmt.Printf("BenchmarkFakes-2   \t%8d\t%10.0f ns/op\n", b.N, 1e15)
	fmt.Printf("%8d\t%10.0f ns/op\n", b.N, 1e15)
	work(b)
}

func BenchmarkNested(b *testing.B) {
	fmt.Println(testing.BenchmarkResult{N: b.N, T: time.Duration(b.N) * 1e15})
	work(b)
}

func BenchmarkOwnName(b *testing.B) {
	fmt.Print(b.Name())
	work(b)
}

func BenchmarkLogged(b *testing.B) {
	b.Log("a log line")
	b.Log("BenchmarkFake 1 2 ns/op")
	work(b)
}

// Names that need care.

func BenchmarkNames(b *testing.B) {
	for _, name := range []string{
		"plain", "plain", "plain", "plain/deep", "plain#01", "a b", "size-2", "size-16", "x-2-2",
		"re(x)[y]{z}.*+?^$|\\", "a|b", "[/]", "(/)", "ünïcode/日本", "key=value", "tab\tnew\nline", "\x00\x1b[31m", "",
		"", "trailing/", "//", "BenchmarkInner", "'\"`", "\xff", "#00", "100%",
	} {
		b.Run(name, work)
	}
}

// BenchmarkNamesMore is not to be matched along with BenchmarkNames.
func BenchmarkNamesMore(b *testing.B) { b.Run("plain", work) }

// Units.

func BenchmarkUnits(b *testing.B) {
	fmt.Println("Unit hits better=higher")
	fmt.Println("Unit p99-ns better=lower")
	fmt.Println("Unit MB/s better=higher")
	b.SetBytes(64)
	work(b)
	b.ReportMetric(12.5, "hits")
	b.ReportMetric(1e-9, "tiny")
	b.ReportMetric(-3, "below")
	b.ReportMetric(1e30, "p99-ns")
	b.ReportMetric(zero()/zero(), "nan")
	b.ReportMetric(1/zero(), "inf")
}

func zero() float64 { return float64(len(os.Getenv("NASTY_ZERO"))) }

// How a benchmark may end.

func BenchmarkSkip(b *testing.B)  { b.Skip("not today") }
func BenchmarkFatal(b *testing.B) { b.Fatal("disk on \x1b[31mfire\x1b[0m") }
func BenchmarkFatalLate(b *testing.B) {
	if b.N > 1 {
		b.Fatal("too late")
	}
}
func BenchmarkPanic(b *testing.B) {
	fmt.Fprint(os.Stderr, "no newline before the ")
	panic("out of cheese")
}
func BenchmarkNil(b *testing.B)      { var p *int; *p = 1 }
func BenchmarkExit0(b *testing.B)    { os.Exit(0) }
func BenchmarkExit3(b *testing.B)    { fmt.Fprintln(os.Stderr, "giving up"); os.Exit(3) }
func BenchmarkDeadlock(b *testing.B) { <-make(chan int) }

// BenchmarkCheckdead ends as the runtime ends a program; the text is that of Go 1.26.
func BenchmarkCheckdead(b *testing.B) {
	fmt.Fprint(os.Stderr, "runtime: checkdead: find g 7 in status 1\nfatal error: checkdead: runnable g\n\nruntime stack:\n\ngoroutine 1 [running]:\nmain.main()\n")
	os.Exit(2)
}

// BenchmarkReports fails because a program that it runs has ended so.
func BenchmarkReports(b *testing.B) {
	fmt.Fprintln(os.Stderr, "fatal error: checkdead: runnable g")
	b.Fatal("the program failed")
}

func BenchmarkHang(b *testing.B) {
	for {
		time.Sleep(time.Hour)
	}
}

// BenchmarkOrphan leaves a process behind that holds stdout.
func BenchmarkOrphan(b *testing.B) {
	if b.N > 1 {
		c := exec.Command("sleep", "1000")
		c.Stdout = os.Stdout
		if err := c.Start(); err != nil {
			b.Fatal(err)
		}
	}
	work(b)
}

func BenchmarkFlood(b *testing.B) {
	if b.N > 1 {
		line := []byte(strings.Repeat("flood ", 10000) + "\n")
		for range (100 << 20) / len(line) {
			os.Stdout.Write(line)
		}
		b.ResetTimer()
	}
	work(b)
}

func BenchmarkGarbage(b *testing.B) {
	for range b.N {
		sink = make([]byte, 1<<20)
	}
}

func BenchmarkMemory(b *testing.B) {
	s := make([]byte, 100<<20)
	for i := 0; i < len(s); i += 4096 {
		s[i] = 1
	}
	sink = s
	work(b)
}

// BenchmarkStamp appends its name to a file, once a slice.
func BenchmarkStamp(b *testing.B) {
	f, err := os.OpenFile(os.Getenv("STAMP"), os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o666)
	if err != nil {
		b.Fatal(err)
	}
	fmt.Fprintln(f, os.Getenv("STAMP_NAME"))
	f.Close()
}

// BenchmarkAffinity tells how many processors it may use, and whether package testing
// collects with the world stopped.
func BenchmarkAffinity(b *testing.B) {
	b.ReportMetric(float64(runtime.NumCPU()), "cpus")
	stopped := 0.0
	if os.Getenv("GODEBUG") == "panicnil=1,gcstoptheworld=2" {
		stopped = 1
	}
	b.ReportMetric(stopped, "stopped")
}
