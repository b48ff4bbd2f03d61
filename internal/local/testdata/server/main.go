// Command server is the smallest one there is: it answers any line with one
// line, after making garbage. "server fill FILE" is its preparation.
package main

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"runtime"
)

func main() {
	if os.Args[1] == "fill" {
		if err := os.WriteFile(os.Args[2], []byte("data\n"), 0o600); err != nil {
			panic(err)
		}
		return
	}
	if _, err := os.Stat("data"); err != nil {
		panic(err) // it runs in a folder of its own, which was prepared
	}
	l, err := net.Listen("tcp4", "127.0.0.1:"+os.Args[1])
	if err != nil {
		panic(err)
	}
	if os.Getenv("BOOT") != "" {
		boot()
	}
	fmt.Println("serving", os.Getenv("WHERE"))
	for {
		conn, err := l.Accept()
		if err != nil {
			panic(err)
		}
		switch line, _ := bufio.NewReader(conn).ReadString('\n'); line {
		case "die\n":
			panic("asked to")
		case "work\n":
			work(20_000_000)
		case "secret\n":
			panic("asked for " + os.Getenv("WHERE"))
		}
		garbage = make([]byte, 4<<20)
		runtime.Gosched()
		fmt.Fprintln(conn, "ok")
		conn.Close()
	}
}

var (
	garbage []byte
	sum     int
)

// work takes some milliseconds.
//
//go:noinline
func work(n int) {
	for i := range n {
		sum ^= i * sum
	}
}

// boot takes long enough for samples of a profile.
//
//go:noinline
func boot() { work(500_000_000) }
