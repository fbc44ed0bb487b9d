package report

import (
	"net/netip"
	"net/url"
	"path"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/safetext"
	"github.com/mcpsf/mcpsf/internal/wording"
)

// maxProof bounds the events that one line shows.
const maxProof = 10

// prove adds the events that a finding rests on, and when they were.
func (line *ocsfFinding) prove(run mcpsf.Run, f *mcpsf.Finding, events map[int64]*mcpsf.Event) {
	for i, seq := range f.Evidence {
		e := events[seq]
		if e == nil {
			continue
		}
		at := millis(moment(run, e.T))
		if line.StartTime == 0 || at < line.StartTime {
			line.StartTime = at
		}
		line.EndTime = max(line.EndTime, at)
		if i < maxProof {
			line.Evidences = append(line.Evidences, ocsfProof(e))
		}
	}
}

func ocsfProof(e *mcpsf.Event) ocsfEvidence {
	verb, what := describe(e)
	proof := ocsfEvidence{Data: ocsfEventRef{Seq: e.Seq, T: e.T, Kind: brief(string(e.Kind), maxName), Text: brief(wording.Joined(verb, what), maxSentence)}}
	if e.PID > 0 {
		proof.Actor = &ocsfActor{Process: ocsfProcess{PID: e.PID, Name: brief(e.Proc, maxName)}}
	}
	if d := e.Process; d != nil && e.Kind == mcpsf.KindProcessExec {
		proof.Process = &ocsfProcess{
			PID: e.PID, Name: brief(e.Proc, maxName), CmdLine: brief(strings.Join(d.Args, " "), maxSentence), File: ocsfFileOf(d.Path, ""),
		}
		if e.PPID > 0 {
			proof.Process.Parent = &ocsfProcess{PID: e.PPID}
		}
	}
	switch {
	case e.File != nil:
		proof.File = ocsfFileOf(e.File.Path, e.File.Flags)
	case e.Canary != nil && path.IsAbs(e.Canary.Source):
		proof.File = ocsfFileOf(e.Canary.Source, "")
	case e.Leak != nil && path.IsAbs(e.Leak.Source):
		proof.File = ocsfFileOf(e.Leak.Source, "")
	}
	proof.network(e)
	if d := e.MCP; d != nil && d.Method != "" {
		proof.API = &ocsfAPI{Operation: brief(d.Method, maxName)}
		if d.Tool != "" {
			proof.API.Service = &ocsfService{Name: brief(d.Tool, maxName)}
		}
		if e.Call != "" {
			proof.API.Request = &ocsfID{UID: brief(e.Call, maxName)}
		}
	}
	return proof
}

func (proof *ocsfEvidence) network(e *mcpsf.Event) {
	if d := e.Net; d != nil {
		switch {
		case e.Kind == mcpsf.KindNetDNS && d.Name != "":
			proof.Query = &ocsfQuery{Hostname: brief(d.Name, maxSentence), Type: brief(d.Type, maxName)}
		case d.Family != "unix":
			proof.DstEndpoint = ocsfEndpointOf(d)
		}
	}
	if e.HTTP != nil && e.HTTP.URL != "" {
		proof.URL = ocsfURLOf(e.HTTP.URL)
	}
}

// ocsfEndpointOf is the other end of a connection, nil if it has neither a name
// nor an address.
func ocsfEndpointOf(d *mcpsf.NetDetail) *ocsfEndpoint {
	end := &ocsfEndpoint{Hostname: brief(d.Name, maxSentence)}
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

func ocsfURLOf(s string) *ocsfURL {
	out := &ocsfURL{URLString: brief(s, maxSentence)}
	if u, err := url.Parse(safetext.Limit(s)); err == nil {
		out.Scheme, out.Hostname, out.Path = brief(u.Scheme, maxName), brief(u.Hostname(), maxSentence), brief(u.Path, maxSentence)
	}
	return out
}

// ocsfFileOf names a file; what kind of file it was is not always known.
func ocsfFileOf(name, flags string) *ocsfFile {
	if name == "" {
		return nil
	}
	f := &ocsfFile{Name: brief(path.Base(safetext.Limit(name)), maxName), Path: brief(name, maxSentence)}
	if strings.Contains(flags, "d") {
		f.TypeID = 2
	}
	return f
}
