package noninterference

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// message is one thing that a call sent or returned.
type message struct {
	call  string // its id in the trace
	tool  string
	t     float64 // when it was sent
	parts []part
}

// part is a named part of a message.
type part struct{ name, text string }

// place is where messages are compared: a call, a host, and what is sent there.
type place struct {
	start int
	// again is how often the server had been started again, because a call had taken
	// it down, where no call is to compare by.
	again int
	tool  string
	// inputs are what the tool was called with, after how often that was done before;
	// "" is no call.
	inputs string
	host   string
	kind   kind
	// answers is the method that a result or a request of the server belongs to.
	answers string
}

// call returns the place where the call of a place is noted, or the start of the
// server if there is none.
func (p place) call() place {
	return place{start: p.start, again: p.again, tool: p.tool, inputs: p.inputs, kind: call}
}

// kind is what a message is.
type kind string

const (
	request    kind = "request"
	mail       kind = "mail"
	lookup     kind = "lookup"
	connection kind = "connection"
	handshake  kind = "handshake"
	order      kind = "order"   // of the hosts that a call sent requests to
	pace       kind = "pace"    // the times of all messages of a call
	lookups    kind = "lookups" // how often each name is looked up
	result     kind = "result"
	call       kind = "call" // that it was made
)

// unordered tells whether the order of messages means nothing: resolvers and
// connections run beside each other.
func (k kind) unordered() bool { return k == lookup || k == connection || k == handshake }

// comparedByText tells whether it is compared text by text. Some things are never
// quite the same, and compared by measure.
func (k kind) comparedByText() bool { return k != pace && k != lookups && k != call }

// concurrent tells whether a thread may send it while the next call is made.
func (k kind) concurrent() bool { return k.unordered() || k == request || k == mail }

// Messages are what starts of the server sent and returned, in order.
type Messages map[place][]message

// Sends tells whether anything left.
func (m Messages) Sends() bool {
	for at := range m {
		if at.host != "" {
			return true
		}
	}
	return false
}

// Read reads what left the sandbox, and what calls returned, from the events of
// one start after another.
func Read(starts ...[]mcpsf.Event) Messages {
	out := Messages{}
	for n, events := range starts {
		r := &reader{start: n, again: -1, out: out, calls: map[string]place{}, made: map[string]int{}}
		for i := range events {
			r.read(&events[i])
		}
	}
	for _, at := range slices.SortedFunc(maps.Keys(out), inOrder) {
		list := out[at]
		if at.kind == order && !strings.Contains(list[0].parts[0].text, " ") {
			delete(out, at) // one host has no order
		}
		if !at.kind.unordered() {
			continue
		}
		slices.SortStableFunc(list, func(a, b message) int { return slices.CompareFunc(a.parts, b.parts, byText) })
		if at.kind == lookup {
			out.countLookups(at, list)
			list = withoutRepetition(list)
		}
		out[at] = list
	}
	return out
}

func withoutRepetition(list []message) []message {
	return slices.CompactFunc(list, func(a, b message) bool { return slices.Equal(a.parts, b.parts) })
}

func byText(a, b part) int { return strings.Compare(a.text, b.text) }

// reader reads the events of one start.
type reader struct {
	start int
	again int
	out   Messages
	calls map[string]place
	made  map[string]int
}

func (r *reader) read(e *mcpsf.Event) {
	if e.Phase == mcpsf.PhaseInstall {
		return
	}
	if e.Kind == mcpsf.KindMCPRequest && e.MCP != nil && !e.MCP.FromServer && e.Call != "" {
		name := e.MCP.Method + " " + e.MCP.Tool + " " + input(e.MCP.Body)
		r.made[name]++
		at := place{tool: e.MCP.Tool, inputs: strconv.Itoa(r.made[name]) + " " + name}
		r.calls[e.Call] = at
		at.start, at.kind = r.start, call
		r.add(at, e, nil)
		return
	}
	if e.Kind == mcpsf.KindSandboxStart {
		r.again++
		r.add(place{start: r.start, again: r.again, kind: call}, e, nil)
		return
	}
	at, called := r.calls[e.Call]
	if at.start = r.start; !called {
		at.again = max(0, r.again)
	}
	switch {
	case e.MCP != nil && e.MCP.FromServer:
		r.said(at, e)
	case e.Net != nil:
		at.host = hostOf(e)
		var parts []part
		if at.kind, parts = outward(e); at.kind != "" {
			r.add(at, e, parts)
			r.inOrder(at, e)
			r.inTime(at, e)
		}
	}
}

// said adds what the server says to the client: a result, a request, such as a form
// to fill in, or a notification.
func (r *reader) said(at place, e *mcpsf.Event) {
	name := "result"
	switch e.Kind {
	case mcpsf.KindMCPResponse:
	case mcpsf.KindMCPRequest:
		name = "request to the client"
	case mcpsf.KindMCPNotification:
		name = "notification"
	default:
		return
	}
	at.kind, at.answers = result, e.MCP.Method
	r.add(at, e, []part{{name, compact(e.MCP.Body)}, {restPart, e.MCP.Digest}})
}

// compact returns a message without blanks between its values: events that were kept
// on disk have none.
func compact(body json.RawMessage) string {
	var out bytes.Buffer
	if json.Compact(&out, body) != nil {
		return string(body) // cut
	}
	return out.String()
}

// input returns what a call of ours is made with, without the number that it has in
// its session. What a server returned decides what it is called with next, so equal
// calls are compared and not those that have the same number.
func input(body json.RawMessage) string {
	var params map[string]json.RawMessage
	if json.Unmarshal(body, &params) != nil {
		return compact(body)
	}
	delete(params, "_meta")
	text, err := json.Marshal(params)
	if err != nil {
		return compact(body)
	}
	return string(text)
}

func (r *reader) add(at place, e *mcpsf.Event, parts []part) {
	if len(r.out[at]) < maxMessages {
		r.out[at] = append(r.out[at], message{e.Call, at.tool, e.T, parts})
	}
}

// inOrder notes the host of a request after those of the call before it.
func (r *reader) inOrder(at place, e *mcpsf.Event) {
	if at.kind != request {
		return
	}
	host := at.host
	at.host, at.kind = severalHosts, order
	list := r.out[at]
	if len(list) == 0 {
		r.out[at] = []message{{e.Call, at.tool, e.T, []part{{"order of hosts", host}}}}
		return
	}
	if p := &list[0].parts[0]; !strings.HasSuffix(" "+p.text, " "+host) {
		p.text += " " + host
	}
}

// inTime notes when a request or a look-up was sent. The end of a connection is
// the network's.
func (r *reader) inTime(at place, e *mcpsf.Event) {
	if at.kind != request && at.kind != lookup && at.kind != mail {
		return
	}
	host := at.host
	at.host, at.kind = "", pace
	r.add(at, e, []part{{"host", host}})
}

// maxMessages bounds the messages of one call to one host that are compared.
// gap: not-compared
const maxMessages = 1000

// outward returns the kind and the parts of what an event sends, "" if it sends
// nothing.
func outward(e *mcpsf.Event) (kind, []part) {
	switch {
	case e.HTTP != nil:
		return request, append(requestParts(e.HTTP), part{"port", strconv.Itoa(e.Net.Port)})
	case e.Kind == mcpsf.KindNetDNS:
		return lookup, []part{{"name", e.Net.Name}, {"type of record", e.Net.Type}, {questionPart, e.Net.Digest}}
	case e.SMTP != nil:
		return mail, []part{{"sender", e.SMTP.From}, {"recipients", strings.Join(e.SMTP.To, " ")}, {"subject", e.SMTP.Subject}, {"body", e.SMTP.Body}, {sizePart, number(e.SMTP.Size)}}
	case e.TLS != nil:
		return handshake, []part{{handshakePart, e.TLS.Hello}}
	case e.Flow != nil:
		return connection, []part{
			{"port", strconv.Itoa(e.Net.Port)}, {"first bytes", e.Flow.First}, {streamPart, e.Flow.Digest}, {localPart, strconv.Itoa(e.Net.Local)},
		}
	}
	return "", nil
}

// resolver stands for the host that names are looked up at.
const resolver = "DNS"

// severalHosts stands for the host where the order of hosts is compared.
const severalHosts = "several hosts"

const (
	streamPart    = "stream"                         // everything on a connection, by its digest
	handshakePart = "TLS handshake"                  // by its digest
	questionPart  = "further records of a DNS query" // by its digest
	restPart      = "rest of the result"             // behind what is kept of it, by its digest
	localPart     = "source port"                    // random by nature
	sizePart      = "size"
)

func isDigest(part string) bool {
	return part == streamPart || part == handshakePart || part == questionPart || part == restPart
}

func hostOf(e *mcpsf.Event) string {
	switch {
	case e.Kind == mcpsf.KindNetDNS:
		return resolver
	case e.Net.Name != "":
		return strings.ToLower(e.Net.Name)
	}
	return e.Net.Address
}

// requestParts returns the parts of a request. The order of its headers is one.
func requestParts(d *mcpsf.HTTPDetail) []part {
	names := make([]string, len(d.Headers))
	parts := []part{{"request", d.Method + " " + d.URL}}
	for i, h := range d.Headers {
		names[i] = h.Name
		parts = append(parts, part{"header " + h.Name, h.Value})
	}
	return append(parts, part{"header order", strings.Join(names, " ")}, part{"body", d.Body}, part{sizePart, number(d.Size)})
}

func number(n int64) string { return strconv.FormatInt(n, 10) }
