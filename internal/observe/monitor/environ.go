package monitor

import (
	"maps"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/sandbox/wire"
)

// environment reports which environment variables were read. Node reads
// variables one by one even if the program wanted all, so the names that a task
// reads are collected until it does something else.
type environment struct {
	attr  *attribution
	log   *eventLog
	folds *folds
	// variables maps the variables that hold a decoy to its id.
	variables map[string]string

	bursts map[int32]*burst // by task
	held   int              // names in all bursts
}

// burst is a series of variables that a task read in a row.
type burst struct {
	origin
	nanos int64
	// names are in the order of the first read; seen has the same names.
	names []string
	seen  map[string]bool
	// passing is set if the burst began like a runtime that starts a process.
	passing bool
}

// no gap: bounds how names are joined into one event; all are reported
const (
	maxBursts = 1024
	// maxBurst is how many names of a task are collected before they are
	// reported, and maxHeld how many of all tasks.
	maxBurst = 4096
	maxHeld  = 2 * maxBurst
	// maxVariable is how much of a name is reported.
	maxVariable = 256
	// fewNames is the size up to which a burst is reported as soon as another
	// thread acts: that may be a consequence of it.
	fewNames = 3
)

// environ handles the read of a variable.
func (env *environment) environ(o *origin, r *wire.Record) {
	if r.Flags&wire.FlagCreated != 0 {
		env.log.totals.Hooked++
		return
	}
	if r.Flags&wire.FlagAll != 0 {
		env.endBurst(r.TID, false)
		env.readAll(o)
		return
	}
	name := clean(r.Text)
	name = clean(name[:min(len(name), maxVariable)])
	if name == coverage {
		// Node reads this variable first when it starts a process, and then all
		// others.
		env.endBurst(r.TID, false)
	}
	b := env.bursts[r.TID]
	if b == nil {
		if len(env.bursts) >= maxBursts || env.held >= maxHeld {
			env.settleBursts()
		}
		b = &burst{origin: *o, nanos: r.Nanos, seen: map[string]bool{}, passing: name == coverage}
		env.bursts[r.TID] = b
	}
	if !b.seen[name] {
		b.names, b.seen[name] = append(b.names, name), true
		env.held++
	}
	if len(b.names) >= maxBurst {
		env.endBurst(r.TID, false)
	}
}

// tested precedes the name of a variable of which only was asked whether it is
// set, as loaders of .env files do.
const tested = "?"

// coverage is a variable that Node itself passes to its children.
const coverage = "NODE_V8_COVERAGE"

// interrupt ends bursts: that of the record's own task, and short ones of other
// tasks of the process. Waiting does not end a burst, because the runtime waits
// to collect garbage, nor do its reports about code.
func (env *environment) interrupt(r *wire.Record) {
	if len(env.bursts) == 0 || r.Op == wire.OpSleep || r.Op == wire.OpRan {
		return
	}
	if b := env.bursts[r.TID]; b != nil && (r.Op != wire.OpEnv || b.call != env.attr.timeline.at(offset(r.Epoch))) {
		env.endBurst(r.TID, r.Op == wire.OpFork && r.Flags&wire.FlagThread == 0)
	}
	for _, tid := range slices.Sorted(maps.Keys(env.bursts)) {
		if b := env.bursts[tid]; b.pid == r.PID && tid != r.TID && len(b.names) <= fewNames && (!b.passing || handsOn(r)) {
			env.endBurst(tid, false)
		}
	}
}

// handsOn reports whether a value that was read may leave the process by what is
// recorded. Where a runtime is about to read all variables for a process that it
// starts, nothing else of its other threads ends the burst: what they look up
// meanwhile would make one of these variables look like one that the program wants.
func handsOn(r *wire.Record) bool {
	switch r.Op {
	case wire.OpStat, wire.OpOpen, wire.OpRead, wire.OpName, wire.OpExit, wire.OpEnv, wire.OpProbe:
		return false
	case wire.OpFork:
		return r.Flags&wire.FlagThread == 0
	}
	return true
}

func (env *environment) settleBursts() {
	for _, tid := range slices.Sorted(maps.Keys(env.bursts)) {
		env.endBurst(tid, false)
	}
}

// endBurst reports the burst of a task. A task that read nearly all variables has
// read the whole environment; if it did so to start a process, it was the runtime
// and not the program.
func (env *environment) endBurst(tid int32, starts bool) {
	b := env.bursts[tid]
	if b == nil {
		return
	}
	delete(env.bursts, tid)
	env.held -= len(b.names)
	env.log.at(b.nanos, func() {
		switch {
		case !b.all():
			for _, name := range b.names {
				env.read(&b.origin, name)
			}
		case !starts || !b.passing:
			env.readAll(&b.origin)
		}
	})
}

// all reports whether at least four of five variables were read.
func (b *burst) all() bool {
	const few = 5
	if b.proc == nil || b.proc.variables < few {
		return false
	}
	return int64(len(b.names))*5 >= min(b.proc.variables, maxBurst/2)*4
}

func (env *environment) read(o *origin, name string) {
	id, planted := env.variables[name] // a name with tested before it holds nothing
	name = strings.TrimPrefix(name, tested)
	if !planted && ofTheRuntime(name) {
		return
	}
	if !planted && env.log.full() {
		env.log.totals.Suppressed++
		return
	}
	env.tellRead(o, &mcpsf.EnvDetail{Name: name, Canary: id})
}

func (env *environment) readAll(o *origin) { env.tellRead(o, &mcpsf.EnvDetail{All: true}) }

// ownEnviron reports whether a file is the environment of the process that
// reads it.
func ownEnviron(o *origin, name string) bool {
	owner, what, ok := procPath(name)
	if !ok || !o.own(owner) {
		return false
	}
	if task, ok := strings.CutPrefix(what, "task/"); ok {
		_, what, _ = strings.Cut(task, "/")
	}
	return what == "environ"
}

func (env *environment) tellRead(o *origin, d *mcpsf.EnvDetail) {
	key := keyOf(o, mcpsf.KindEnvRead)
	key.path = d.Name
	env.folds.fold(key, 0, func() mcpsf.Event {
		e := env.log.base(o, mcpsf.KindEnvRead)
		e.Env = d
		return e
	})
}

// ofTheRuntime reports whether runtimes and their libraries read a name by
// themselves, or whether it is no variable but a property of every JavaScript
// object.
func ofTheRuntime(name string) bool {
	switch name {
	case "HOME", "LANG", "LANGUAGE", "TZ", "TERM", "COLORTERM", "NO_COLOR", "FORCE_COLOR",
		"WATCH_REPORT_DEPENDENCIES", "SIMDUTF_FORCE_IMPLEMENTATION", "UNDICI_NO_FG", "JEST_WORKER_ID",
		"SETUPTOOLS_USE_DISTUTILS":
		return true
	case "constructor", "hasOwnProperty", "toString", "toLocaleString", "valueOf", "toJSON", "then",
		"isPrototypeOf", "propertyIsEnumerable", "__proto__", "inspect":
		return true
	}
	for _, prefix := range []string{"NODE_", "PYTHON", "LC_", "UV_", "OPENSSL_", "ICU_"} {
		if strings.HasPrefix(name, prefix) {
			return !likeSecret(name)
		}
	}
	return false
}

func likeSecret(name string) bool {
	for _, word := range []string{"TOKEN", "SECRET", "PASS", "KEY", "AUTH", "CRED"} {
		if strings.Contains(name, word) {
			return true
		}
	}
	return false
}
