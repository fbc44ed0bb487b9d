package rules

import (
	"strconv"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// join is what the events of a sequence have in common.
type join string

// joins are all of them.
func joins() []join {
	return []join{joinProcess, joinFile, joinFlow, joinHost, joinCanary, joinCall, joinTool, joinNone}
}

// The joins. A flow is a host and a port.
const (
	joinProcess join = "process"
	joinFile    join = "file"
	joinFlow    join = "flow"
	joinHost    join = "host"
	joinCanary  join = "canary"
	joinCall    join = "call"
	joinTool    join = "tool"
	joinNone    join = "none"
)

// keys are what an event can be joined by; none if it takes no part. A file
// that is moved or run has two names, and the first of them is where it was.
func (j join) keys(e *mcpsf.Event, env *env, keys []string) []string {
	f, r := &env.fields, env.known.run
	switch j {
	case joinProcess:
		if e.PID != 0 {
			return append(keys, strconv.Itoa(r.box)+" "+strconv.Itoa(e.PID))
		}
	case joinFile:
		return fileKeys(e, f, r.processes, keys)
	case joinFlow:
		if f.Host != "" && f.Port != 0 {
			return append(keys, f.Host+":"+strconv.Itoa(f.Port))
		}
	case joinHost:
		if f.Host != "" {
			return append(keys, f.Host)
		}
	case joinCanary:
		if id := canaryOf(e); id != "" {
			return append(keys, id)
		}
	case joinCall:
		return append(keys, strconv.Itoa(r.box)+" "+e.Call)
	case joinTool:
		if f.Tool != "" {
			return append(keys, f.Tool)
		}
	case joinNone:
		return append(keys, "")
	}
	return keys
}

func fileKeys(e *mcpsf.Event, f *fields, p *processTable, keys []string) []string {
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
		p.runs(f, func(name string) bool { add(name); return false })
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
