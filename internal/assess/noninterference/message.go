package noninterference

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// message is one thing that a call sent.
type message struct {
	call  string // its id in the trace
	parts []part
}

// part is a named part of a message.
type part struct{ name, text string }

// place is where messages are compared: a call, by the tool and how often it was
// called before, and a host.
type place struct {
	tool string
	nth  string
	host string
}

// Messages are what one start of the server sent, in order.
type Messages map[place][]message

// Sent reads what left the sandbox from the events of one start. Only calls of
// ours in the drive phase count, and what belongs to no call: attacks are made
// in other starts.
func Sent(events []mcpsf.Event) Messages {
	out, calls, made := Messages{}, map[string]place{}, map[string]int{}
	for i := range events {
		e := &events[i]
		if e.Kind == mcpsf.KindMCPRequest && e.MCP != nil && !e.MCP.FromServer && e.Call != "" {
			name := e.MCP.Method + " " + e.MCP.Tool
			made[name]++
			calls[e.Call] = place{tool: e.MCP.Tool, nth: name + " " + strconv.Itoa(made[name])}
			continue
		}
		host, parts := outward(e)
		if host == "" || e.Phase == mcpsf.PhaseInstall {
			continue
		}
		at := calls[e.Call]
		at.host = host
		if len(out[at]) < maxMessages {
			out[at] = append(out[at], message{e.Call, parts})
		}
	}
	for at, list := range out {
		if at.host == lookups { // resolvers ask for several records at a time, in any order
			slices.SortStableFunc(list, func(a, b message) int { return strings.Compare(a.parts[0].text, b.parts[0].text) })
			out[at] = slices.CompactFunc(list, func(a, b message) bool { return a.parts[0] == b.parts[0] })
		}
	}
	return out
}

// lookups stands for the host of all names that were looked up.
const lookups = "DNS"

// maxMessages bounds the messages of one call to one host that are compared.
// no gap: the first ones decide, and all are searched for secrets
const maxMessages = 1000

// outward returns the host and the parts of what an event sends, "" if it sends
// nothing.
func outward(e *mcpsf.Event) (host string, parts []part) {
	switch {
	case e.Net == nil:
		return "", nil
	case e.HTTP != nil:
		return hostOf(e), request(e.HTTP)
	case e.Kind == mcpsf.KindNetDNS:
		return lookups, []part{{"name", e.Net.Name}}
	case e.SMTP != nil:
		return hostOf(e), []part{{"sender", e.SMTP.From}, {"recipients", strings.Join(e.SMTP.To, " ")}, {"subject", e.SMTP.Subject}, {"body", e.SMTP.Body}}
	case e.Flow != nil && e.Flow.First != "":
		return hostOf(e), []part{{"first bytes", e.Flow.First}, {"size", strconv.FormatInt(e.Flow.Sent, 10)}}
	}
	return "", nil
}

func hostOf(e *mcpsf.Event) string {
	if e.Net.Name != "" {
		return strings.ToLower(e.Net.Name)
	}
	return e.Net.Address
}

// request returns the parts of a request. The order of its headers is a part.
func request(d *mcpsf.HTTPDetail) []part {
	names := make([]string, len(d.Headers))
	parts := []part{{"request", d.Method + " " + d.URL}}
	for i, h := range d.Headers {
		names[i] = h.Name
		parts = append(parts, part{fmt.Sprintf("header %s", h.Name), h.Value})
	}
	return append(parts, part{"header order", strings.Join(names, " ")}, part{"body", d.Body}, part{"size", strconv.FormatInt(d.Size, 10)})
}
