package page

import (
	"bytes"
	"cmp"
	"encoding/json"
	"math"
	"net"
	"net/http"
	"strconv"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/report"
	"github.com/mcpsf/mcpsf/internal/service/job"
)

// watchRun streams a run to the script: the event stream of the API, with events
// as rows of the timeline.
func (p *pages) watchRun(w http.ResponseWriter, r *http.Request, k *job.Key) error {
	return p.api.Events.Serve(&rowWriter{ResponseWriter: w}, r, k)
}

// rowWriter turns the events of a stream into rows. Each write has whole events.
type rowWriter struct {
	http.ResponseWriter

	name string
}

// Unwrap is for [http.ResponseController].
func (w *rowWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func (w *rowWriter) Write(p []byte) (int, error) {
	var out bytes.Buffer
	for text := range bytes.Lines(p) {
		if name, ok := bytes.CutPrefix(text, []byte("event: ")); ok {
			w.name = string(bytes.TrimSpace(name))
		}
		data, ok := bytes.CutPrefix(text, []byte("data: "))
		if !ok || w.name == "state" {
			out.Write(text)
			continue
		}
		out.WriteString("data: ")
		out.Write(rowData(w.name, bytes.TrimSpace(data)))
		out.WriteByte('\n')
	}
	if _, err := w.ResponseWriter.Write(out.Bytes()); err != nil {
		return 0, err
	}
	return len(p), nil
}

// rowData is the data of an event as the script gets it.
func rowData(name string, data []byte) []byte {
	var shown any
	switch name {
	case "event":
		var e mcpsf.Event
		if json.Unmarshal(data, &e) != nil {
			return []byte("{}")
		}
		shown = rowOf(&e)
	case "progress":
		var at job.Progress
		if json.Unmarshal(data, &at) != nil {
			return []byte("{}")
		}
		shown = job.Progress{Percent: min(max(at.Percent, 0), 100), Step: line(at.Step, 40), Text: line(at.Text, maxLine)}
	case "note":
		var text string
		if json.Unmarshal(data, &text) != nil {
			return []byte(`""`)
		}
		shown = line(text, maxProse)
	default: // the end: the script reloads the page
		return []byte("{}")
	}
	text, err := json.Marshal(shown)
	if err != nil {
		return []byte("{}")
	}
	return text
}

// row is an event as the script shows it. Its texts are escaped and cut.
type row struct {
	Seq   int64   `json:"n"`
	T     float64 `json:"t"`
	Phase string  `json:"phase"`
	Call  string  `json:"call,omitempty"`
	Proc  string  `json:"proc,omitempty"`
	Kind  string  `json:"kind"`
	Verb  string  `json:"verb"`
	What  string  `json:"what"`
	Count int64   `json:"count,omitempty"`
	// Loud rows are shown, the others counted.
	Loud bool `json:"loud,omitempty"`
	// Bad rows access a decoy, leak a secret or prove an execution.
	Bad bool `json:"bad,omitempty"`
	// Title is the tool or method of a request, Attack the class of its attack.
	Title  string `json:"title,omitempty"`
	Attack string `json:"attack,omitempty"`
	// Anew is set when the sandbox starts: process ids begin again.
	Anew bool `json:"anew,omitempty"`

	processRow
	peerRow
}

// processRow is set for events of processes. Child is the pid of a new process,
// Program what it runs, Exit how it ended.
type processRow struct {
	PID     int    `json:"pid,omitempty"`
	Parent  int    `json:"parent,omitempty"`
	Child   int    `json:"child,omitempty"`
	Program string `json:"program,omitempty"`
	Exit    string `json:"exit,omitempty"`
}

// peerRow is set for events of the network. Host was connected to, Name was only
// resolved.
type peerRow struct {
	Host    string `json:"host,omitempty"`
	Address string `json:"address,omitempty"`
	Name    string `json:"name,omitempty"`
}

func rowOf(e *mcpsf.Event) row {
	verb, what := report.Describe(e)
	family, _, _ := strings.Cut(string(e.Kind), ".")
	r := row{
		Seq: e.Seq, T: e.T, Phase: line(string(e.Phase), 40), Call: line(e.Call, 40), Proc: line(e.Proc, 40), Kind: line(family, 40),
		Verb: line(verb, 40), What: line(what, maxLine), Count: e.Count, Loud: report.Loud(e), Bad: e.Canary != nil || e.Leak != nil || e.ExecProof != nil,
		Anew: e.Kind == mcpsf.KindSandboxStart,
	}
	if math.IsNaN(r.T) || math.IsInf(r.T, 0) {
		r.T = 0
	}
	if d := e.MCP; d != nil && e.Kind == mcpsf.KindMCPRequest && !d.FromServer {
		r.Title = line(cmp.Or(d.Tool, d.Method), maxName)
		if d.Attack != nil {
			r.Attack = line(d.Attack.Class, 60)
		}
	}
	r.processRow, r.peerRow = processOf(e, r.What), peerOf(e)
	return r
}

func processOf(e *mcpsf.Event, what string) processRow {
	d := e.Process
	if d == nil || d.Thread || d.Error != "" {
		return processRow{}
	}
	r := processRow{PID: e.PID, Parent: e.PPID}
	switch e.Kind {
	case mcpsf.KindProcessFork:
		r.Child = d.Child
	case mcpsf.KindProcessExec:
		r.Program = what
	case mcpsf.KindProcessExit:
		r.Exit = what
	}
	return r
}

// dnsPort is the port of DNS resolvers.
const dnsPort = 53

func peerOf(e *mcpsf.Event) peerRow {
	d := e.Net
	switch {
	case d == nil || d.Family == "unix" || e.Kind == mcpsf.KindNetListen || d.Port == dnsPort && d.Type == "dgram" && e.Kind != mcpsf.KindNetDNS:
		return peerRow{}
	case e.Kind == mcpsf.KindNetDNS:
		return peerRow{Name: line(d.Name, maxName)}
	}
	host := cmp.Or(d.Name, d.Address)
	if d.Port > 0 {
		host = net.JoinHostPort(host, strconv.Itoa(d.Port))
	}
	return peerRow{Host: line(host, maxName), Address: line(d.Address, 60)}
}
