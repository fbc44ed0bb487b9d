package monitor

import (
	"encoding/json"
	"path"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/sandbox/wire"
)

// give notes what the server is about to get: the arguments of a tool's call,
// or what it asked the client for. It must be known before the server can say
// it again.
func (m *Monitor) give(msg *mcpsf.Message) {
	if m.opts.Leaks == nil || msg.Stream != mcpsf.Stdin {
		return
	}
	switch {
	case msg.Kind == mcpsf.MessageResponse:
		m.opts.Leaks.Answer(msg.Body)
	case msg.Kind == mcpsf.MessageRequest && msg.Tool != "":
		var params struct {
			Arguments json.RawMessage `json:"arguments"`
		}
		if json.Unmarshal(msg.Body, &params) == nil && len(params.Arguments) > 0 {
			m.opts.Leaks.Give(msg.Call, msg.Tool, params.Arguments)
		}
	}
}

// leaksIn finds planted secrets in what the server says to us.
func (m *Monitor) leaksIn(msg *mcpsf.Message) []mcpsf.LeakDetail {
	if m.opts.Leaks == nil || len(msg.Whole) == 0 {
		return nil
	}
	channel, destination := mcpsf.ChannelMCP, strings.TrimSpace(string(msg.Kind)+" "+msg.Method)
	switch msg.Kind {
	case mcpsf.MessageStderr:
		channel, destination = mcpsf.ChannelStderr, "standard error"
	case mcpsf.MessageResponse:
		destination = "answer to " + strings.TrimSpace(msg.Method+" "+msg.Tool)
	case mcpsf.MessageJunk:
		destination = "standard output"
	}
	return m.opts.Leaks.Message(channel, clean(destination), partOf(msg), msg.Whole)
}

// partOf tells errors that were provoked for this purpose from other answers,
// so that they are told even if many others have given away the same.
func partOf(msg *mcpsf.Message) string {
	if a := msg.Attack; a != nil && a.Class == "secret-in-error" && msg.Failed {
		return "error"
	}
	return ""
}

// leaksInArguments tells of planted secrets on the command line of a program.
func (m *Monitor) leaksInArguments(e *mcpsf.Event) {
	if m.opts.Leaks == nil || e.Process.Error != "" || len(e.Process.Args) == 0 {
		return
	}
	line := []byte(strings.Join(e.Process.Args, " "))
	found := m.opts.Leaks.Message(mcpsf.ChannelArgs, e.Process.Path, "", line)
	m.leaked(slices.DeleteFunc(found, fromCommandLine), e)
}

// fromCommandLine tells what has stood on a command line from the beginning,
// where whoever configured the server put it.
func fromCommandLine(d mcpsf.LeakDetail) bool {
	return d.Configured && strings.HasPrefix(d.Source, mcpsf.SourceArgument)
}

// leaksInFile tells of planted secrets in what was written to a file that is
// no decoy itself.
func (m *Monitor) leaksInFile(o *origin, r *wire.Record) {
	f := m.files.byID[r.File]
	if m.opts.Leaks == nil || f.decoy != nil || !path.IsAbs(f.path) || strings.HasPrefix(f.path, "/dev/") || strings.HasPrefix(f.path, "/proc/") {
		return
	}
	e := m.base(o, mcpsf.KindFileWrite)
	m.leaked(m.opts.Leaks.Message(mcpsf.ChannelFile, f.path, "", r.Data), &e)
}

// leaked tells what was found in what another event is about.
func (m *Monitor) leaked(found []mcpsf.LeakDetail, of *mcpsf.Event) {
	for i := range found {
		e := *of
		e.Kind, e.Count = mcpsf.KindCanaryLeak, 0
		if of.Seq != 0 {
			e.Cause = of.Seq
		}
		e.MCP, e.Process, e.Leak = nil, nil, &found[i]
		m.emit(&e)
	}
}
