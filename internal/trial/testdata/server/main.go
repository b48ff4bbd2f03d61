//go:build unix

// Command server plays the parts of a trial of a service: "role-server PORT
// MODE", "role-load URL REQUESTS MODE", "role-hang FILE", "role-churn RATE" and
// "role-garbage". Each leaves a file that is named after its number in the folder it runs
// in. They are no parts of the test binary because that is also the
// starter of trials, whose memory is the floor under a trial's.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"

	assay "github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/collect/load"
)

func main() {
	_ = os.WriteFile("pid-"+strconv.Itoa(os.Getpid()), nil, 0o600)
	switch role, args := os.Args[1], os.Args[2:]; role {
	case "role-server":
		playServer(args[0], args[1])
	case "role-load":
		playLoad(args[0], args[1], args[2])
	case "role-garbage":
		for range 200 {
			garbage = make([]byte, 1<<20)
		}
	case "role-churn":
		churn(args[0])
	case "role-hang":
		_ = os.WriteFile(args[0], nil, 0o600)
		time.Sleep(time.Hour)
	}
}

// churn collects so many times a second, until it is ended.
func churn(rate string) {
	n, _ := strconv.Atoi(rate)
	for range time.Tick(time.Second / time.Duration(max(1, n))) {
		if n > 0 {
			runtime.GC()
		}
	}
}

// garbage is what the server of tests makes.
var garbage []byte

func playServer(port, mode string) {
	term := make(chan os.Signal, 1)
	signal.Notify(term, syscall.SIGTERM)
	fmt.Println("version 1")
	switch mode {
	case "dies":
		fmt.Fprintln(os.Stderr, "no \033[31mdata\033[0m folder")
		os.Exit(3)
	case "silent":
		fmt.Println("loading data")
		<-term
		os.Exit(0)
	case "daemon":
		child := exec.Command(os.Args[0], "role-server", port, "deaf")
		child.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		if err := child.Start(); err != nil {
			panic(err)
		}
		<-term
		os.Exit(0)
	case "deaf":
		signal.Ignore(syscall.SIGTERM)
	}
	listen(port)
	<-term
	switch mode {
	case "grumpy":
		fmt.Println("stopping")
		os.Exit(7)
	case "thrifty":
		fmt.Printf("used %d ns\n", cpuNow())
	}
}

// listen serves in the background.
func listen(port string) {
	l, err := net.Listen("tcp4", net.JoinHostPort("127.0.0.1", port))
	if err != nil {
		panic(err)
	}
	begin := time.Now()
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) { garbage = make([]byte, 1<<20) })
	mux.HandleFunc("/work", func(w http.ResponseWriter, _ *http.Request) {
		garbage = make([]byte, 1<<20)
		time.Sleep(5 * time.Millisecond)
	})
	mux.HandleFunc("/burn", func(http.ResponseWriter, *http.Request) { burn(5 * time.Millisecond) })
	mux.HandleFunc("/killed", func(http.ResponseWriter, *http.Request) { _ = syscall.Kill(os.Getpid(), syscall.SIGKILL) })
	mux.HandleFunc("/panic", func(http.ResponseWriter, *http.Request) { go panic("out of cheese") })
	mux.HandleFunc("/soon", func(w http.ResponseWriter, _ *http.Request) {
		if time.Since(begin) < 100*time.Millisecond {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	})
	fmt.Println("accepting on", port) // before any answer
	go func() { panic(http.Serve(l, mux)) }()
}

// burn uses CPU time, of this process alone.
func burn(d time.Duration) {
	for end := cpuNow() + d; cpuNow() < end; {
	}
}

func cpuNow() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// playLoad makes requests, one after another, and prints what assay load would.
func playLoad(url, requests, mode string) {
	n, _ := strconv.Atoi(requests)
	r := load.Result{Intended: 1000}
	var latencies []float64
	begin := time.Now()
	if mode == "warm" { // as a load generator that warms up by itself
		getAll(url, n, &latencies)
		latencies, begin = nil, time.Now()
	}
	r.Errors = getAll(url, n, &latencies)
	r.Requests, r.Seconds = len(latencies), time.Since(begin).Seconds()
	r.Rate, r.Latency = float64(r.Requests)/r.Seconds, assay.NewHistogram(latencies)
	text, _ := json.Marshal(r)
	switch mode {
	case "stays":
		time.Sleep(time.Hour)
	case "cut":
		text = text[:len(text)/2]
	case "long":
		text = append(text, strings.Repeat(" ", 3<<20)...)
	case "file":
		if err := os.WriteFile("out-"+strconv.Itoa(os.Getpid())+".json", text, 0o600); err != nil {
			panic(err)
		}
		text = nil
	}
	_, _ = os.Stdout.Write(text)
	if mode == "fails" {
		fmt.Fprintln(os.Stderr, "warning: few requests\nlost a thread")
		os.Exit(2)
	}
	if mode == "complains" {
		fmt.Println("\nFATAL: unable to connect")
		os.Exit(1)
	}
	runtime.KeepAlive(garbage)
}

func getAll(url string, n int, latencies *[]float64) (errors int) {
	for range n {
		begin := time.Now()
		resp, err := http.Get(url)
		if err != nil || resp.StatusCode >= 400 {
			errors++
			continue
		}
		_, _ = io.Copy(io.Discard, resp.Body)
		_ = resp.Body.Close()
		*latencies = append(*latencies, time.Since(begin).Seconds())
	}
	return errors
}
