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

// watchRun tells the script what a run does: the stream of the API, with its
// events in the words of reports.
func (p *pages) watchRun(w http.ResponseWriter, r *http.Request, k *job.Key) error {
	return p.api.Events.Serve(&worded{ResponseWriter: w}, r, k)
}

// worded writes a stream in which events are rows. Its pieces are whole: an
// event begins and ends in one.
type worded struct {
	http.ResponseWriter

	name string
}

// Unwrap is for [http.ResponseController].
func (w *worded) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func (w *worded) Write(p []byte) (int, error) {
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
		out.Write(reword(w.name, bytes.TrimSpace(data)))
		out.WriteByte('\n')
	}
	if _, err := w.ResponseWriter.Write(out.Bytes()); err != nil {
		return 0, err
	}
	return len(p), nil
}

// reword makes of what a job tells what the script shows.
func reword(name string, data []byte) []byte {
	var said any
	switch name {
	case "event":
		var e mcpsf.Event
		if json.Unmarshal(data, &e) != nil {
			return []byte("{}")
		}
		said = rowOf(&e)
	case "progress":
		var at job.Progress
		if json.Unmarshal(data, &at) != nil {
			return []byte("{}")
		}
		said = job.Progress{Percent: min(max(at.Percent, 0), 100), Step: line(at.Step, 40), Text: line(at.Text, maxLine)}
	case "note":
		var text string
		if json.Unmarshal(data, &text) != nil {
			return []byte(`""`)
		}
		said = line(text, maxProse)
	default: // the end: the page is asked for again then
		return []byte("{}")
	}
	text, err := json.Marshal(said)
	if err != nil {
		return []byte("{}")
	}
	return text
}

// row is an event as the script shows it. Its texts are clean and cut.
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
	// Bad rows touch what was planted.
	Bad bool `json:"bad,omitempty"`
	// Title is what was called, with the request that begins a call; Attack
	// what it is to find out.
	Title  string `json:"title,omitempty"`
	Attack string `json:"attack,omitempty"`
	// PID and Parent are of what happens to processes: Child is a new one,
	// Program what it runs, Exit how it ended.
	PID     int    `json:"pid,omitempty"`
	Parent  int    `json:"parent,omitempty"`
	Child   int    `json:"child,omitempty"`
	Program string `json:"program,omitempty"`
	Exit    string `json:"exit,omitempty"`
	// Host is who was spoken to, Name a name that was only asked for.
	Host    string `json:"host,omitempty"`
	Address string `json:"address,omitempty"`
	Name    string `json:"name,omitempty"`
	// Anew is set when the processes are others from here on.
	Anew bool `json:"anew,omitempty"`
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
	r.process(e)
	r.peer(e)
	return r
}

func (r *row) process(e *mcpsf.Event) {
	d := e.Process
	if d == nil || d.Thread || d.Error != "" {
		return
	}
	r.PID, r.Parent = e.PID, e.PPID
	switch e.Kind {
	case mcpsf.KindProcessFork:
		r.Child = d.Child
	case mcpsf.KindProcessExec:
		r.Program = r.What
	case mcpsf.KindProcessExit:
		r.Exit = r.What
	}
}

// dnsPort is where resolvers are asked.
const dnsPort = 53

func (r *row) peer(e *mcpsf.Event) {
	d := e.Net
	switch {
	case d == nil || d.Family == "unix" || e.Kind == mcpsf.KindNetListen:
	case e.Kind == mcpsf.KindNetDNS:
		r.Name = line(d.Name, maxName)
	case d.Port == dnsPort && d.Type == "dgram":
	default:
		host := cmp.Or(d.Name, d.Address)
		if d.Port > 0 {
			host = net.JoinHostPort(host, strconv.Itoa(d.Port))
		}
		r.Host, r.Address = line(host, maxName), line(d.Address, 60)
	}
}
