package internet

import (
	"fmt"
	"io"
	"net/netip"
	"sync"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/network/capture"
	"github.com/mcpsf/mcpsf/internal/network/fakenet"
)

// maxNoted bounds the flows that are described in the capture.
// no gap: bounds comments in the capture; events have everything
const maxNoted = 4096

// flowNotes collects what is known of each flow, for the capture's comments.
type flowNotes struct {
	mu    sync.Mutex
	notes map[capture.Flow][]string
}

// captured is a flow as it is on the link.
func captured(f fakenet.Flow) capture.Flow {
	if f.On.To.IsValid() {
		f.From, f.To = f.On.From, f.On.To
	}
	return capture.Flow{Proto: f.Protocol, Client: f.From, Server: f.To}
}

// add records an event of a flow.
func (n *flowNotes) add(f fakenet.Flow, e *mcpsf.Event) {
	text := noteOf(e)
	if text == "" {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	key := captured(f)
	if n.notes == nil {
		n.notes = map[capture.Flow][]string{}
	}
	// no gap: bounds comments in the capture; events have everything
	const most = 6 // per flow
	if list, ok := n.notes[key]; (ok || len(n.notes) < maxNoted) && len(list) < most {
		n.notes[key] = append(list, text)
	}
}

func noteOf(e *mcpsf.Event) string {
	switch {
	case e.Leak != nil:
		return fmt.Sprintf("%s: %s (%s)", e.Kind, e.Leak.Source, e.Leak.Kind)
	case e.HTTP != nil:
		return fmt.Sprintf("%s: %s %s", e.Kind, e.HTTP.Method, e.HTTP.URL)
	case e.SMTP != nil:
		return fmt.Sprintf("%s: from %s", e.Kind, e.SMTP.From)
	case e.TLS != nil:
		return fmt.Sprintf("%s: %s", e.Kind, e.TLS.SNI)
	case e.Kind == mcpsf.KindNetDNS && e.Net != nil:
		return fmt.Sprintf("%s: %s %s", e.Kind, e.Net.Type, e.Net.Name)
	}
	return ""
}

// speaker identifies a connection as events name it.
type speaker struct {
	local  uint16
	remote netip.AddrPort
}

// WriteCapture writes the capture as pcapng. The first packet of each flow has a
// comment with its purpose, call and process.
func (n *Internet) WriteCapture(w io.Writer, events []mcpsf.Event) error {
	who := map[speaker]string{}
	for i := range events {
		if e := &events[i]; e.Net != nil && e.Net.Local != 0 {
			addr, err := netip.ParseAddr(e.Net.Address)
			if err != nil {
				continue
			}
			key := speaker{uint16(e.Net.Local), netip.AddrPortFrom(addr, uint16(e.Net.Port))}
			if who[key] == "" {
				who[key] = byWhom(e)
			}
		}
	}
	n.notes.mu.Lock()
	defer n.notes.mu.Unlock()
	return n.spool.Write(w, func(f capture.Flow, first bool, _ time.Time) []string {
		if !first {
			return nil
		}
		notes := n.notes.notes[f]
		if by := who[speaker{f.Client.Port(), f.Server}]; by != "" {
			notes = append([]string{by}, notes...)
		}
		return notes
	})
}

// byWhom names the event, the call and the process.
func byWhom(e *mcpsf.Event) string {
	text := fmt.Sprintf("event %d, phase %s", e.Seq, e.Phase)
	if e.Call != "" {
		text += ", call " + e.Call
	}
	if e.PID != 0 {
		text += fmt.Sprintf(", process %d %s", e.PID, e.Proc)
	}
	return text
}
