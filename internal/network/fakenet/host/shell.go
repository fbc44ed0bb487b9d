package host

import (
	"bytes"
	"net"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/network/fakenet/services"
)

// shell finds out whether a client of an unknown protocol executes commands: it
// sends one that multiplies two numbers. The product is in no command, so that
// an echo proves nothing.
type shell struct {
	orders []order
	given  int
	// reacted is set when the client sent something since the last command.
	reacted bool
	binary  bool
	tail    []byte
}

// order is a command, and its output if it is executed.
type order struct{ command, product string }

// newShell makes commands that differ for every seed, name and port.
func newShell(seed uint64, name string, port uint16) *shell {
	d := services.Dice(seed, "orders", name, strconv.Itoa(int(port)))
	sh := &shell{}
	for _, form := range []string{
		"echo $((A*B))", // any shell, PowerShell among them
		"expr A * B",    // a client that starts programs without a shell
		"A*B",           // a client that evaluates expressions, and the prompts of Python and Node
		"print(A*B)",    // a client that executes Python
	} {
		a, b := 100_003+d.IntN(899_000), 100_003+d.IntN(899_000)
		command := strings.NewReplacer("A", strconv.Itoa(a), "B", strconv.Itoa(b)).Replace(form)
		sh.orders = append(sh.orders, order{command, strconv.Itoa(a * b)})
	}
	return sh
}

// hear adds what the client sent.
func (sh *shell) hear(p []byte) {
	if len(p) == 0 {
		return
	}
	sh.reacted = true
	sh.binary = sh.binary || !isText(p)
	sh.tail = append(sh.tail, p...)
	sh.tail = sh.tail[max(0, len(sh.tail)-64):]
}

// obeyed is the command whose product the client sent; nil: none. It is called
// after every piece; p is the latest.
func (sh *shell) obeyed(p []byte) *order {
	heard := slices.Concat(sh.tail, p)
	for i, o := range sh.orders[:sh.given] {
		if bytes.Contains(heard, []byte(o.product)) {
			return &sh.orders[i]
		}
	}
	return nil
}

// ready says that the client may get another command if it stays silent. Every
// client gets one; only a client that reacts gets more.
func (sh *shell) ready() bool {
	return !sh.binary && sh.given < len(sh.orders) && (sh.given == 0 || sh.reacted)
}

// patience is how long to wait for the next bytes.
func (sh *shell) patience() time.Duration {
	switch {
	case !sh.ready():
		return idleTime
	case sh.given == 0:
		return silentTime
	}
	return obeyTime
}

func (sh *shell) next() string {
	sh.given++
	sh.reacted = false
	return sh.orders[sh.given-1].command
}

// echoed says whether the first bytes are the beginning of the command that was
// sent.
func (sh *shell) echoed(first []byte) bool {
	command := sh.orders[sh.given-1].command
	n := min(len(first), len(command))
	return string(first[:n]) == command[:n]
}

// unknown reads and reports bytes of an unknown protocol, and sends shell
// commands to a client that waits for some.
func (s *session) unknown(l *line) string {
	if s.shell == nil {
		s.shell = newShell(s.h.o.Seed, s.name, s.port)
	}
	buffer := make([]byte, 16<<10)
	for total := 0; total < maxBody; {
		if err := l.SetReadDeadline(time.Now().Add(s.shell.patience())); err != nil {
			return ""
		}
		n, err := l.Read(buffer)
		total += n
		s.sent("", buffer[:n])
		if o := s.shell.obeyed(buffer[:n]); o != nil && n > 0 {
			s.tell(Observation{ExecProof: &mcpsf.ExecProofDetail{What: mcpsf.ExecProofShell, Source: s.other(), Detail: o.command}})
			sendLine(l, "exit")
			s.linger(&patient{Conn: l}, l)
			return "shell"
		}
		s.shell.hear(buffer[:n])
		switch {
		case err == nil:
		case isTimeout(err) && s.shell.ready():
			sendLine(l, s.shell.next())
		default:
			return ""
		}
	}
	s.unread()
	return ""
}

func sendLine(c net.Conn, command string) {
	_, _ = (&patient{Conn: c}).Write([]byte(command + "\n"))
}

// silence is how long a client may be silent before it is taken for a reverse
// shell. Clients of web servers and databases connect before they have
// something to send, so they get longer.
func silence(port uint16, web bool) time.Duration {
	if web {
		return idleTime
	}
	switch port {
	case 80, 443, 3000, 5000, 8000, 8080, 8443, 8888:
		return politeTime
	case 389, 465, 636, 993, 995, 853, 1433, 1521, 1883, 2181, 5432, 5671, 5672, 6379, 8883, 9042, 9092, 9200, 11211, 27017:
		return idleTime
	}
	return silentTime
}

// other names the other end as the client sees it.
func (s *session) other() string {
	name := s.name
	if name == "" {
		name = s.v.To.Addr().Unmap().String()
	}
	return clean(net.JoinHostPort(name, strconv.Itoa(int(s.port))))
}

// isText distinguishes terminal output from binary data.
func isText(p []byte) bool {
	high := 0
	for _, c := range p {
		switch {
		case c >= 0x80:
			high++
		case c < ' ' && !strings.ContainsRune("\t\n\r\x07\x08\x1b", rune(c)):
			return false
		}
	}
	return high*3 <= len(p)
}
