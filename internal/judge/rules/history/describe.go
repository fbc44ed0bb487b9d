package history

import (
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/rules/event"
	"github.com/mcpsf/mcpsf/internal/judge/rules/hostname"
)

// Describe fills f with the description of e. It runs for every event that a
// rule examines.
func (r *Run) Describe(e *mcpsf.Event, f *event.Fields) {
	*f = event.Fields{OriginFields: event.OriginFields{
		Kind: string(e.Kind), Phase: string(e.Phase), Call: e.Call, Proc: e.Proc,
		Program: r.Processes.Programs[e.PID].Path, PID: e.PID, Seq: e.Seq, T: e.T,
		Server: e.PID != 0 && e.PID == r.Processes.Server,
	}}
	if e.Phase == mcpsf.PhaseInstall {
		f.Script = r.Processes.scriptBehind(e, r.Box)
	}
	r.describeCall(e, f)
	switch {
	case e.ExecProof != nil:
		f.FillExecProof(e.ExecProof)
	case e.Leak != nil:
		r.describeTraffic(e, f)
	case e.File != nil:
		r.describeFile(e, f)
	case e.Process != nil:
		f.FillProcess(e.Process)
		f.Package = r.Crashes.CrashedIn(e.Seq)
	case e.Canary != nil:
		describeDecoy(e.Canary, f)
	case e.Net != nil:
		r.describeTraffic(e, f)
	case e.Env != nil:
		f.Variable, f.All, f.Subject = e.Env.Name, e.Env.All, e.Env.Name
		f.Planted = e.Env.Canary != ""
	case e.MCP != nil:
		f.FillMCP(e.MCP)
		r.describeProposal(e, f)
		if e.MCP.FromServer && event.AsksClient(e.MCP.Method) {
			f.FillAsk(e.MCP, r.Domains)
		}
	case e.Change != nil:
		f.FillChange(e.Change)
	case e.SecretFlow != nil:
		describeSecretFlow(e.SecretFlow, f)
	case e.Disruption != nil:
		f.FillDisruption(e.Disruption)
		f.Package = r.Crashes.CrashedIn(e.Cause)
	case e.Agent != nil:
		f.FillAgent(e.Agent)
	case e.Remote != nil:
		f.FillRemote(e.Remote)
	case e.Text != nil:
		f.FillText(e.Text)
	case e.Privilege != nil:
		describePrivilege(e.Privilege, f)
	case e.Probe != nil:
		f.What, f.Detail, f.Subject = e.Probe.What, e.Probe.Detail, e.Probe.What
	case e.Limit != nil:
		f.Limit, f.Action, f.Subject = e.Limit.Name, e.Limit.Action, e.Limit.Name
	case e.Sandbox != nil:
		f.Detail = e.Sandbox.Text
	}
	r.Held.describe(e, f)
	r.describeSource(e, f)
}

// describeCall describes the call that the event is work for.
func (r *Run) describeCall(e *mcpsf.Event, f *event.Fields) {
	c := r.Calls.ByID[e.Call]
	if c == nil {
		return
	}
	f.Method, f.Tool, f.Pending = c.Method, c.tool, !c.answered
	f.Prompt = c.prompt
	if a := c.Attack; a != nil {
		f.Attack, f.Place, f.Payload, f.Sign = a.Class, a.Place, a.Payload, string(a.Sign)
		f.Plain, f.Why, f.By, f.Encoded = a.Plain, a.Why, a.By, a.Encoded
	}
}

func describeDecoy(d *mcpsf.CanaryDetail, f *event.Fields) {
	f.Decoy, f.Path, f.What = d.Kind, d.Source, d.How
	f.To, f.Subject = d.Path, d.Source
}

func describeSecretFlow(d *mcpsf.SecretFlowDetail, f *event.Fields) {
	f.Host, f.Part, f.Was, f.Is = hostname.Canonical(d.Host), d.Part, d.Usual, d.Other
	f.Domain, f.Subject, f.Tool = hostname.Registrable(f.Host), f.Host, d.Tool
}

func describePrivilege(d *mcpsf.PrivilegeDetail, f *event.Fields) {
	f.Syscall, f.What, f.Detail = d.Syscall, d.What, d.Detail
	f.Error, f.Subject, f.Target = d.Error, d.What, d.Detail
}

func (r *Run) describeFile(e *mcpsf.Event, f *event.Fields) {
	d := e.File
	f.Path, f.To, f.Flags, f.Error = d.Path, d.To, d.Flags, d.Error
	f.Subject, f.Decoy = d.Path, d.CanaryKind
	f.Sets = r.Files.setsOf(e)
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
		if worked || d.CanaryKind == "" || r.Declared.Places.Persistent(d.To) {
			f.Subject, f.Decoy = d.To, "" // a failed link is about the decoy
		}
	case mcpsf.KindFileChmod:
		f.Changed = worked
		f.Destroyed = worked && d.Mode&0o400 == 0 // its owner cannot read it any more
	case mcpsf.KindFileCreate:
		f.Changed = worked
	}
}

// renamed chooses the subject of a rename. For a decoy the event does not say
// whether it was moved or overwritten: it was overwritten if the source is known
// to be no decoy. For other files the subject is the new name, unless only the
// old name is sensitive.
func (r *Run) renamed(d *mcpsf.FileDetail, f *event.Fields) {
	if d.CanaryKind != "" {
		if !r.Files.decoys[d.Path] && (r.Files.Written[d.Path] || r.Declared.Places.Own(d.Path)) {
			f.Subject = d.To
		}
		return
	}
	if !r.Declared.Places.Own(d.To) || r.Declared.Places.Persistent(d.To) {
		f.Subject = d.To
	}
}
