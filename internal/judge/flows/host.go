package flows

import (
	"net/netip"
	"strconv"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// host adds a host that was contacted. Its answers can contain text of
// strangers; data sent to it leaves the machine.
func (r *reader) host(a *mcpsf.Access) {
	name, port := splitPort(a.Name)
	arg := r.text[a.Tool]
	answers := because(a, "its answers can hold what %s sends", a.Name)
	sends := because(a, "it sent to %s%s", a.Name, arg.with())
	by := a.Explanation.By
	switch {
	case by == mcpsf.ByNature && !(isDatabase(port) && isLoopback(name)): // the machine itself, a package registry
	case a.Tool == "" && by != mcpsf.ByConfiguration && by != mcpsf.ByNature: // no call can influence it
	case by == mcpsf.ByArgument:
		r.trait(a.Tool, Untrusted, KindAddress, Open, answers)
		r.trait(a.Tool, Out, KindAddress, Open, because(a, "it sent to %s", a.Name))
	case isMailbox(port):
		r.trait(a.Tool, Untrusted, KindMail, Open, because(a, "it read a mailbox at %s, and anybody can write to one", a.Name))
		r.trait(a.Tool, Private, KindMail, Seen, because(a, "it read a mailbox at %s", a.Name))
	case isPost(port):
		if arg.any && a.Tool != "" {
			r.trait(a.Tool, Out, KindMail, Open, because(a, "it sends mail through %s%s", a.Name, arg.with()))
		}
	case isDatabase(port):
		r.trait(a.Tool, Untrusted, KindDatabase, Seen, answers)
		r.trait(a.Tool, Private, KindDatabase, Seen, because(a, "it asked the database at %s", a.Name))
		if arg.any && a.Tool != "" && by != mcpsf.ByNature {
			r.trait(a.Tool, Out, KindDatabase, Seen, sends)
		}
	case a.Tool != "":
		r.service(a, answers, sends)
	}
}

// service adds a host that the caller cannot choose.
func (r *reader) service(a *mcpsf.Access, answers, sends Evidence) {
	r.trait(a.Tool, Untrusted, KindService, Seen, answers)
	by := a.Explanation.By
	if r.credential != "" && (by == mcpsf.ByConfiguration || by == mcpsf.ByPurpose) {
		r.trait(a.Tool, Private, KindAccount, Seen,
			because(a, "it asked %s, and the server uses the credential %s", a.Name, r.credential))
	}
	if r.text[a.Tool].any {
		r.trait(a.Tool, Out, KindService, Seen, sends)
	}
}

func splitPort(name string) (host string, port int) {
	i := strings.LastIndexByte(name, ':')
	if i < 0 {
		return name, 0
	}
	port, err := strconv.Atoi(name[i+1:])
	if err != nil {
		return name, 0
	}
	return strings.Trim(name[:i], "[]"), port
}

func isLoopback(host string) bool {
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true
	}
	addr, err := netip.ParseAddr(host)
	return err == nil && addr.Unmap().IsLoopback()
}

// isPost tells whether a port accepts mail.
func isPost(port int) bool { return port == 25 || port == 465 || port == 587 || port == 2525 }

// isMailbox tells whether a port serves mailboxes.
func isMailbox(port int) bool { return port == 110 || port == 143 || port == 993 || port == 995 }

// isDatabase tells whether a port is that of a database or directory.
func isDatabase(port int) bool {
	switch port {
	case 389, 636, 1433, 1521, 3050, 3306, 5432, 5433, 5984, 6379, 7000, 7687, 8086, 9042, 9200, 11211, 26257, 27017, 33060:
		return true
	}
	return false
}
