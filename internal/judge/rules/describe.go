package rules

import (
	"strings"

	"github.com/mcpsf/mcpsf"
)

// describe fills f with what there is to say of e. It runs for every event that a
// rule looks at.
func (r *run) describe(e *mcpsf.Event, f *fields) {
	*f = fields{originFields: originFields{
		Kind: string(e.Kind), Phase: string(e.Phase), Call: e.Call, Proc: e.Proc,
		Program: r.processes.programs[e.PID].path, pid: e.PID, seq: e.Seq, t: e.T,
		Server: e.PID != 0 && e.PID == r.processes.server,
	}}
	if e.Phase == mcpsf.PhaseInstall {
		f.script = r.processes.scriptBehind(e, r.box)
	}
	if c := r.calls.calls[e.Call]; c != nil {
		f.Method, f.Tool, f.Pending = c.method, c.tool, !c.answered
		f.prompt = c.prompt
		if a := c.attack; a != nil {
			f.Attack, f.Place, f.Payload, f.Sign = a.Class, a.Place, a.Payload, string(a.Sign)
			f.Plain, f.Why, f.by, f.encoded = a.Plain, a.Why, a.By, a.Encoded
		}
	}
	switch {
	case e.ExecProof != nil:
		f.fillExecProof(e.ExecProof)
	case e.Leak != nil:
		r.describeTraffic(e, f)
	case e.File != nil:
		r.describeFile(e, f)
	case e.Process != nil:
		f.fillProcess(e.Process)
	case e.Canary != nil:
		f.Decoy, f.Path, f.What = e.Canary.Kind, e.Canary.Source, e.Canary.How
		f.To = e.Canary.Path
		f.Subject = f.Path
	case e.Net != nil:
		r.describeTraffic(e, f)
	case e.Env != nil:
		f.Variable, f.All, f.Subject = e.Env.Name, e.Env.All, e.Env.Name
		f.Planted = e.Env.Canary != ""
	case e.MCP != nil:
		f.fillMCP(e.MCP)
		if e.MCP.FromServer && asksClient(e.MCP.Method) {
			f.fillAsk(e.MCP, r.domains)
		}
	case e.Change != nil:
		f.fillChange(e.Change)
	case e.Disruption != nil:
		f.fillDisruption(e.Disruption)
	case e.Agent != nil:
		f.fillAgent(e.Agent)
	case e.Remote != nil:
		f.fillRemote(e.Remote)
	case e.Text != nil:
		f.fillText(e.Text)
	case e.Privilege != nil:
		f.Syscall, f.What, f.Detail = e.Privilege.Syscall, e.Privilege.What, e.Privilege.Detail
		f.Error, f.Subject, f.target = e.Privilege.Error, e.Privilege.What, e.Privilege.Detail
	case e.Probe != nil:
		f.What, f.Detail, f.Subject = e.Probe.What, e.Probe.Detail, e.Probe.What
	case e.Limit != nil:
		f.Limit, f.Action, f.Subject = e.Limit.Name, e.Limit.Action, e.Limit.Name
	case e.Sandbox != nil:
		f.Detail = e.Sandbox.Text
	}
}

func (r *run) describeFile(e *mcpsf.Event, f *fields) {
	d := e.File
	f.Path, f.To, f.Flags, f.Error = d.Path, d.To, d.Flags, d.Error
	f.Subject, f.Decoy = d.Path, d.CanaryKind
	worked := d.Error == ""
	f.Runnable = worked && d.Mode&0o111 != 0 && !strings.Contains(d.Flags, "d")
	f.OpenToAll = worked && d.Mode&0o002 != 0 && e.Kind == mcpsf.KindFileChmod
	switch e.Kind {
	case mcpsf.KindFileOpen:
		f.Changed = worked && strings.ContainsAny(d.Flags, "wct")
		f.Destroyed = worked && strings.Contains(d.Flags, "t")
	case mcpsf.KindFileWrite:
		f.Changed = worked
		f.Destroyed = worked && !strings.Contains(d.Flags, "a")
	case mcpsf.KindFileDelete:
		f.Changed, f.Destroyed = worked, worked
	case mcpsf.KindFileRename:
		f.Changed, f.Destroyed = worked, worked
		r.renamed(d, f)
	case mcpsf.KindFileLink:
		f.Changed = worked
		if worked || d.CanaryKind == "" || r.declared.places.persistent(d.To) {
			f.Subject, f.Decoy = d.To, "" // a refused one is about the decoy
		}
	case mcpsf.KindFileCreate, mcpsf.KindFileChmod:
		f.Changed = worked
	}
}

// renamed decides which of the two names the event is about. Of a decoy the
// event does not say whether it was moved away or replaced: it was replaced if
// the other file is known to be none. Of other files it is the name that was
// written, unless that one is harmless and the old one is not.
func (r *run) renamed(d *mcpsf.FileDetail, f *fields) {
	if d.CanaryKind != "" {
		if !r.files.decoys[d.Path] && (r.files.written[d.Path] || r.declared.places.own(d.Path)) {
			f.Subject = d.To
		}
		return
	}
	if !r.declared.places.own(d.To) || r.declared.places.persistent(d.To) {
		f.Subject = d.To
	}
}
