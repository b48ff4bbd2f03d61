//go:build unix

package sshtest

import (
	"cmp"
	"fmt"
	"maps"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/shirou/gopsutil/v4/process"
)

// Options say how a machine differs from a plain one.
type Options struct {
	// Home is the HOME of its sessions; "" is a new folder.
	Home string
	// Force is a shell command that takes the place of every session's own, which is in
	// SSH_ORIGINAL_COMMAND; "" is none.
	Force string
	// Env are more variables of its sessions.
	Env map[string]string
	// System and Processor are what uname -s and uname -m say there; "" is the truth.
	System, Processor string
	// Lines are more lines of sshd_config. Of a key that stands twice they win.
	Lines []string
}

// A Machine is a computer with an ssh server.
type Machine struct {
	Name string
	// Home is the HOME of its sessions. Their working folder is the user's real one.
	Home string
	Port int

	network *Network
	opt     Options
	hostKey string
	server  *exec.Cmd
	done    chan struct{}
}

// Machine starts a machine under a name.
func (n *Network) Machine(name string, opt Options) *Machine {
	n.t.Helper()
	m := &Machine{Name: name, Home: opt.Home, network: n, opt: opt, hostKey: n.Key("host-" + name)}
	if m.Home == "" {
		m.Home = filepath.Join(n.dir, "home-"+name)
		if err := os.Mkdir(m.Home, 0o755); err != nil {
			n.t.Fatal(err)
		}
	}
	n.t.Cleanup(func() {
		m.Thaw()
		m.Kill()
		for _, pid := range m.Programs() {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
		if n.t.Failed() {
			n.t.Logf("sshd of %s:\n%s", m.Name, m.log())
		}
	})
	m.Start()
	n.machines = append(n.machines, m)
	n.configure()
	n.know(m)
	return m
}

// Address is the machine's, as --on takes it.
func (m *Machine) Address() string { return "ssh:" + m.Name }

// Start starts the server, again on the same port after a Kill.
func (m *Machine) Start() {
	t := m.network.t
	t.Helper()
	for range 20 {
		if m.tryStart() {
			return
		}
		m.Kill()
		if m.network.has(m) {
			time.Sleep(50 * time.Millisecond) // its port is not free yet
		}
	}
	t.Fatalf("sshd of %s does not start:\n%s", m.Name, m.log())
}

// has reports whether a machine has its place, and so its port, in the network.
func (n *Network) has(m *Machine) bool { return slices.Contains(n.machines, m) }

// tryStart starts the server and reports whether it listens.
func (m *Machine) tryStart() bool {
	n := m.network
	if !n.has(m) {
		m.Port = freePort(n)
	}
	conf := "sshd-" + m.Name
	n.write(conf, m.config())
	// sshd starts itself anew for every connection, and wants to be called by its path.
	m.server = exec.Command(n.sshd, "-D", "-e", "-f", filepath.Join(n.dir, conf))
	log, err := os.OpenFile(m.logFile(), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		n.t.Fatal(err)
	}
	defer log.Close()
	m.server.Stderr = log
	if err := m.server.Start(); err != nil {
		n.t.Fatal(err)
	}
	m.done = make(chan struct{})
	go func(cmd *exec.Cmd, done chan struct{}) {
		_ = cmd.Wait()
		close(done)
	}(m.server, m.done)
	for range 500 {
		if m.answers() {
			return true
		}
		select {
		case <-m.done:
			return false
		case <-time.After(10 * time.Millisecond):
		}
	}
	return false
}

func (m *Machine) logFile() string { return filepath.Join(m.network.dir, "log-"+m.Name) }

// log is what sshd has said.
func (m *Machine) log() []byte {
	text, _ := os.ReadFile(m.logFile())
	return text
}

// answers reports whether an ssh server listens on the port.
func (m *Machine) answers() bool {
	c, err := net.DialTimeout("tcp", fmt.Sprintf("127.0.0.1:%d", m.Port), time.Second)
	if err != nil {
		return false
	}
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(5 * time.Second))
	var greeting [4]byte
	_, err = c.Read(greeting[:])
	return err == nil && string(greeting[:]) == "SSH-"
}

func (m *Machine) config() string {
	n := m.network
	lines := []string{
		fmt.Sprintf("Port %d", m.Port),
		"ListenAddress 127.0.0.1",
		fmt.Sprintf("HostKey %q", m.hostKey),
		fmt.Sprintf("AuthorizedKeysFile %q", filepath.Join(n.dir, "id.pub")),
		"SetEnv " + m.environ(),
		"PidFile none",
		"UsePAM no",
		"StrictModes no",
		"PermitRootLogin yes",
		"PasswordAuthentication no",
		"KbdInteractiveAuthentication no",
		"PrintMotd no",
		"MaxStartups 1000",
		"LogLevel VERBOSE",
	}
	if m.opt.Force != "" {
		n.script("force-"+m.Name, "#!/bin/sh\n"+m.opt.Force+"\n")
		lines = append(lines, fmt.Sprintf("ForceCommand '%s'", filepath.Join(n.dir, "force-"+m.Name)))
	}
	// The first line of a key counts.
	return strings.Join(append(slices.Clone(m.opt.Lines), lines...), "\n") + "\n"
}

// environ is the environment of sessions, as sshd_config has it.
func (m *Machine) environ() string {
	env := maps.Clone(m.opt.Env)
	if env == nil {
		env = map[string]string{}
	}
	env["HOME"] = m.Home
	if env["ASSAY_LOCK_DIR"] == "" { // a computer of its own has a lock of its own
		env["ASSAY_LOCK_DIR"] = m.Home
	}
	if m.opt.System != "" || m.opt.Processor != "" {
		bin := "uname-" + m.Name
		if err := os.MkdirAll(filepath.Join(m.network.dir, bin), 0o755); err != nil {
			m.network.t.Fatal(err)
		}
		m.network.script(bin+"/uname", fmt.Sprintf("#!/bin/sh\ncase $1 in\n-s) echo '%s';;\n-m) echo '%s';;\nesac\n",
			cmp.Or(m.opt.System, uname("-s")), cmp.Or(m.opt.Processor, uname("-m"))))
		env["PATH"] = filepath.Join(m.network.dir, bin) + ":" + cmp.Or(env["PATH"], "/usr/local/bin:/usr/bin:/bin")
	}
	var words []string
	for _, k := range slices.Sorted(maps.Keys(env)) {
		words = append(words, fmt.Sprintf("%s=%q", k, env[k]))
	}
	return strings.Join(words, " ")
}

// uname is what this computer says.
func uname(flag string) string {
	out, _ := exec.Command("uname", flag).Output()
	return strings.TrimSpace(string(out))
}

// Kill kills the server and its sessions' connections at once. The programs of the
// sessions go on, with their input and output closed.
func (m *Machine) Kill() {
	if m.done == nil {
		return // never started
	}
	m.signal(syscall.SIGKILL)
	<-m.done
}

// Drop kills the connections, but not the server.
func (m *Machine) Drop() {
	for _, pid := range m.servers() {
		if pid != m.server.Process.Pid {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	}
}

// Freeze stops the server and its connections, as if the network were gone. The programs
// of the sessions go on.
func (m *Machine) Freeze() { m.signal(syscall.SIGSTOP) }

// Thaw lets a frozen machine go on.
func (m *Machine) Thaw() { m.signal(syscall.SIGCONT) }

// signal sends a signal to the server, first, and to its connections.
func (m *Machine) signal(s syscall.Signal) {
	for _, pid := range m.servers() {
		_ = syscall.Kill(pid, s)
	}
}

// servers are the processes of sshd, the listening one first.
func (m *Machine) servers() []int {
	if m.done == nil {
		return nil
	}
	children := map[int32][]int32{}
	pids, _ := process.Pids()
	for _, pid := range pids {
		if p, err := process.NewProcess(pid); err == nil {
			if parent, err := p.Ppid(); err == nil {
				children[parent] = append(children[parent], pid)
			}
		}
	}
	all := []int{m.server.Process.Pid}
	for i := 0; i < len(all); i++ {
		for _, pid := range children[int32(all[i])] {
			if p, err := process.NewProcess(pid); err == nil {
				if name, err := p.Name(); err == nil && strings.HasPrefix(name, "sshd") {
					all = append(all, int(pid))
				}
			}
		}
	}
	return all
}

// Programs are the processes that run from a file below Home, such as the agent, also
// those whose connection is gone.
func (m *Machine) Programs() []int {
	home, err := filepath.EvalSymlinks(m.Home)
	if err != nil {
		return nil
	}
	var out []int
	pids, _ := process.Pids()
	for _, pid := range pids {
		if p, err := process.NewProcess(pid); err == nil {
			if exe, err := p.Exe(); err == nil && strings.HasPrefix(exe, home+"/") {
				out = append(out, int(pid))
			}
		}
	}
	return out
}

// NewHostKey gives the machine another host key, which the client does not know, and
// starts its server anew.
func (m *Machine) NewHostKey() {
	m.network.t.Helper()
	m.Kill()
	m.hostKey = m.network.Key("host-" + m.Name)
	m.Start()
}

// freePort returns a port on which nobody listens at the moment.
func freePort(n *Network) int {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		n.t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}
