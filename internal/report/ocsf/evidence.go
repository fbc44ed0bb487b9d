package ocsf

import (
	"net/netip"
	"net/url"
	"path"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/report/encode"
	"github.com/mcpsf/mcpsf/internal/report/phrase"
	"github.com/mcpsf/mcpsf/internal/safetext"
	"github.com/mcpsf/mcpsf/internal/wording"
)

// maxProof bounds the events in one line.
// no gap: bounds what is shown; report.json and events.jsonl have everything
const maxProof = 10

// prove adds the events that prove a finding, and their times.
func (line *finding) prove(run mcpsf.Run, f *mcpsf.Finding, events map[int64]*mcpsf.Event) {
	for i, seq := range f.Evidence {
		e := events[seq]
		if e == nil {
			continue
		}
		at := millis(encode.Moment(run, e.T))
		if line.StartTime == 0 || at < line.StartTime {
			line.StartTime = at
		}
		line.EndTime = max(line.EndTime, at)
		if i < maxProof {
			line.Evidences = append(line.Evidences, evidenceOf(e))
		}
	}
}

func evidenceOf(e *mcpsf.Event) evidence {
	verb, what := phrase.Event(e)
	proof := evidence{Data: eventRef{Seq: e.Seq, T: e.T, Kind: phrase.Brief(string(e.Kind), phrase.MaxName), Text: phrase.Brief(wording.Joined(verb, what), phrase.MaxSentence)}}
	if e.PID > 0 {
		proof.Actor = &actor{Process: process{PID: e.PID, Name: phrase.Brief(e.Proc, phrase.MaxName)}}
	}
	if d := e.Process; d != nil && e.Kind == mcpsf.KindProcessExec {
		proof.Process = &process{
			PID: e.PID, Name: phrase.Brief(e.Proc, phrase.MaxName), CmdLine: phrase.Brief(strings.Join(d.Args, " "), phrase.MaxSentence), File: fileOf(d.Path, ""),
		}
		if e.PPID > 0 {
			proof.Process.Parent = &process{PID: e.PPID}
		}
	}
	switch {
	case e.File != nil:
		proof.File = fileOf(e.File.Path, e.File.Flags)
	case e.Canary != nil && path.IsAbs(e.Canary.Source):
		proof.File = fileOf(e.Canary.Source, "")
	case e.Leak != nil && path.IsAbs(e.Leak.Source):
		proof.File = fileOf(e.Leak.Source, "")
	}
	proof.network(e)
	if d := e.MCP; d != nil && d.Method != "" {
		proof.API = &api{Operation: phrase.Brief(d.Method, phrase.MaxName)}
		if d.Tool != "" {
			proof.API.Service = &service{Name: phrase.Brief(d.Tool, phrase.MaxName)}
		}
		if e.Call != "" {
			proof.API.Request = &ID{UID: phrase.Brief(e.Call, phrase.MaxName)}
		}
	}
	return proof
}

func (proof *evidence) network(e *mcpsf.Event) {
	if d := e.Net; d != nil {
		switch {
		case e.Kind == mcpsf.KindNetDNS && d.Name != "":
			proof.Query = &query{Hostname: phrase.Brief(d.Name, phrase.MaxSentence), Type: phrase.Brief(d.Type, phrase.MaxName)}
		case d.Family != "unix":
			proof.DstEndpoint = endpointOf(d)
		}
	}
	if e.HTTP != nil && e.HTTP.URL != "" {
		proof.URL = urlOf(e.HTTP.URL)
	}
}

// endpointOf returns the other end of a connection, nil if it has neither a name
// nor an address.
func endpointOf(d *mcpsf.NetDetail) *endpoint {
	end := &endpoint{Hostname: phrase.Brief(d.Name, phrase.MaxSentence)}
	if addr, err := netip.ParseAddr(d.Address); err == nil {
		end.IP = addr.WithZone("").String()
	}
	if end.IP == "" && end.Hostname == "" {
		return nil
	}
	if d.Port > 0 && d.Port < 1<<16 {
		end.Port = d.Port
	}
	return end
}

func urlOf(s string) *URL {
	out := &URL{URLString: phrase.Brief(s, phrase.MaxSentence)}
	if u, err := url.Parse(safetext.Limit(s)); err == nil {
		out.Scheme, out.Hostname, out.Path = phrase.Brief(u.Scheme, phrase.MaxName), phrase.Brief(u.Hostname(), phrase.MaxSentence), phrase.Brief(u.Path, phrase.MaxSentence)
	}
	return out
}

// fileOf names a file; its type is not always known.
func fileOf(name, flags string) *file {
	if name == "" {
		return nil
	}
	f := &file{Name: phrase.Brief(path.Base(safetext.Limit(name)), phrase.MaxName), Path: phrase.Brief(name, phrase.MaxSentence)}
	if strings.Contains(flags, "d") {
		f.TypeID = 2
	}
	return f
}
