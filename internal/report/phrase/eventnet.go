package phrase

import (
	"cmp"
	"fmt"
	"net"
	"strconv"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/wording"
)

// describeNet names the destination, by host name if there is one.
func describeNet(d *mcpsf.NetDetail) string {
	if d.Family == "dns" {
		return failed(wording.Joined(d.Type, d.Name), d.Error)
	}
	return failed(wording.Joined(d.Type, place(d)), d.Error)
}

// place returns the other end of a connection.
func place(d *mcpsf.NetDetail) string {
	switch {
	case d == nil:
		return ""
	case d.Port == 0:
		return wording.Joined(d.Name, d.Address)
	case d.Name != "":
		return net.JoinHostPort(d.Name, strconv.Itoa(d.Port))
	}
	return net.JoinHostPort(d.Address, strconv.Itoa(d.Port))
}

func describeLeak(d *mcpsf.LeakDetail) string {
	s := fmt.Sprintf("%s to %s", d.Source, d.Destination)
	if len(d.Chain) > 0 {
		s += " as " + strings.Join(d.Chain, " of ")
	}
	return s
}

func describeExecProof(d *mcpsf.ExecProofDetail) string {
	if d.What == mcpsf.ExecProofShell {
		return "a command from " + d.Source + " was obeyed"
	}
	return "a script from " + d.Source + " was run"
}

func describeHTTP(d *mcpsf.HTTPDetail) string {
	s := wording.Joined(d.Method, d.URL)
	if d.Size > 0 {
		s += ", " + wording.Size(d.Size)
	}
	return s
}

func describeTLS(d *mcpsf.TLSDetail, to *mcpsf.NetDetail) string {
	name := d.SNI
	if name == "" {
		name = place(to)
	}
	return failed(wording.Joined(name, d.Version), d.Rejected)
}

func describeFlow(d *mcpsf.FlowDetail, to *mcpsf.NetDetail) string {
	return fmt.Sprintf("%s %s, %s sent, %s received", place(to), cmp.Or(d.Service, d.Protocol), wording.Size(d.Sent), wording.Size(d.Received))
}

func describeEnv(d *mcpsf.EnvDetail) string {
	if d.All {
		return "all of them"
	}
	return d.Name
}
