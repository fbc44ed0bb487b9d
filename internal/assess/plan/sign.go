package plan

import (
	"path"
	"slices"

	"github.com/mcpsf/mcpsf"
)

// ShowsSuccess tells whether an event is the sign of a successful attack. It is
// for deciding what to try next; the rules decide what is reported.
func ShowsSuccess(e *mcpsf.Event, a *mcpsf.AttackDetail) bool {
	if a.Marker == "" {
		return false
	}
	switch a.Sign {
	case mcpsf.SignExec:
		return executed(e) && (path.Base(e.Process.Path) == a.Marker ||
			slices.ContainsFunc(e.Process.Args[:min(2, len(e.Process.Args))], func(s string) bool { return path.Base(s) == a.Marker }))
	case mcpsf.SignArgument:
		return executed(e) && a.IsOption(e.Process.Args)
	case mcpsf.SignOpen:
		return e.File != nil && e.File.Error == "" && a.Opens(e.File.Path)
	case mcpsf.SignRequest:
		return e.Net != nil && (e.Net.Name == a.Marker || e.Net.Address == a.Marker)
	case mcpsf.SignAnswer, mcpsf.SignEcho:
		return e.Kind == mcpsf.KindMCPResponse && e.MCP != nil && e.MCP.Attack != nil && e.MCP.Attack.Shown
	}
	return false
}

func executed(e *mcpsf.Event) bool {
	return e.Kind == mcpsf.KindProcessExec && e.Process != nil && e.Process.Error == ""
}
