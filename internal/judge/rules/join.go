package rules

import (
	"strconv"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/rules/condition"
	"github.com/mcpsf/mcpsf/internal/judge/rules/event"
	"github.com/mcpsf/mcpsf/internal/judge/rules/history"
	"github.com/mcpsf/mcpsf/internal/judge/rules/rulefile"
)

// joinKeys returns the keys by which an event is joined to others, none if it cannot
// be. A file that is renamed or run has two names; the first is the old one.
func joinKeys(j rulefile.Join, e *mcpsf.Event, env *condition.Env, keys []string) []string {
	f, r := &env.Fields, env.Known.Run
	switch j {
	case rulefile.JoinProcess:
		if e.PID != 0 {
			return append(keys, strconv.Itoa(r.Box)+" "+strconv.Itoa(e.PID))
		}
	case rulefile.JoinFile:
		return fileKeys(e, f, r.Processes, keys)
	case rulefile.JoinFlow:
		if f.Host != "" && f.Port != 0 {
			return append(keys, f.Host+":"+strconv.Itoa(f.Port))
		}
	case rulefile.JoinHost:
		if f.Host != "" {
			return append(keys, f.Host)
		}
	case rulefile.JoinCanary:
		if id := canaryOf(e); id != "" {
			return append(keys, id)
		}
	case rulefile.JoinCall:
		return append(keys, strconv.Itoa(r.Box)+" "+e.Call)
	case rulefile.JoinTool:
		if f.Tool != "" {
			return append(keys, f.Tool)
		}
	case rulefile.JoinNone:
		return append(keys, "")
	}
	return keys
}

func fileKeys(e *mcpsf.Event, f *event.Fields, p *history.Processes, keys []string) []string {
	add := func(p string) {
		if strings.HasPrefix(p, "/") {
			keys = append(keys, p)
		}
	}
	switch {
	case e.File != nil:
		add(e.File.Path)
		add(e.File.To)
	case e.Kind == mcpsf.KindProcessExec:
		p.Runs(f, func(name string) bool { add(name); return false })
	case e.Canary != nil, e.Leak != nil:
		add(f.Path)
	}
	return keys
}

func canaryOf(e *mcpsf.Event) string {
	switch {
	case e.Canary != nil:
		return e.Canary.ID
	case e.Leak != nil:
		return e.Leak.ID
	case e.File != nil:
		return e.File.Canary
	case e.Env != nil:
		return e.Env.Canary
	}
	return ""
}
