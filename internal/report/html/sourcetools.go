package html

import (
	"slices"

	"github.com/mcpsf/mcpsf"
)

// sourceToolsView compares the tools in the source with those that the server
// listed.
type sourceToolsView struct {
	Total int
	// Compared is set if it is known what the server listed.
	Compared bool
	// Unlisted are in the source only, Unfound were listed only, Common counts those
	// in both, by name. Without a listing Unlisted are all tools in the source.
	Unlisted     []sourceToolView
	Unfound      []string
	Common       int
	MoreUnlisted int
	MoreUnfound  int
}

type sourceToolView struct{ Name, Where, Description string }

func (b compositionSection) sourceTools(all []mcpsf.SourceTool) sourceToolsView {
	v := sourceToolsView{Total: len(all), Compared: len(all) > 0 && b.listed()}
	defined, listed := map[string]bool{}, map[string]bool{}
	if v.Compared {
		for _, t := range b.Report.Session.Tools {
			listed[t.Name] = true
		}
	}
	for _, t := range all {
		if defined[t.Tool.Name] {
			continue
		}
		defined[t.Tool.Name] = true
		switch {
		case listed[t.Tool.Name]:
			v.Common++
		case len(v.Unlisted) == maxTools:
			v.MoreUnlisted++
		default:
			v.Unlisted = append(v.Unlisted, sourceToolView{
				b.line(t.Tool.Name, maxName), b.inFile(t.Path, t.Line), b.line(t.Tool.Description, maxName),
			})
		}
	}
	if !v.Compared {
		return v
	}
	for _, t := range b.Report.Session.Tools {
		switch {
		case defined[t.Name]:
		case len(v.Unfound) == maxTools:
			v.MoreUnfound++
		default:
			v.Unfound = append(v.Unfound, b.line(t.Name, maxName))
		}
	}
	return v
}

// listed tells whether the server answered a request for its tools.
func (b compositionSection) listed() bool {
	s := b.Report.Session
	return !b.Report.Coverage.Static && (len(s.Tools) > 0 || slices.ContainsFunc(s.Calls, func(c mcpsf.Call) bool {
		return c.Method == "tools/list" && c.Status == mcpsf.CallOK
	}))
}
