package monitor

import (
	"encoding/json"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// give notes the arguments of a tool's call.
func (m *Monitor) give(q *queued) {
	if m.opts.Leaks == nil || q.Tool == "" {
		return
	}
	var params struct {
		Arguments json.RawMessage `json:"arguments"`
	}
	if json.Unmarshal(q.Body, &params) == nil && len(params.Arguments) > 0 {
		m.opts.Leaks.Give(q.Call, q.Tool, params.Arguments)
	}
}

// leaksIn finds planted secrets in what the server says to us.
func (m *Monitor) leaksIn(msg *mcpsf.Message) []mcpsf.LeakDetail {
	if m.opts.Leaks == nil || len(msg.Whole) == 0 {
		return nil
	}
	channel, destination := mcpsf.ChannelMCP, ""
	switch msg.Kind {
	case mcpsf.MessageStderr:
		channel, destination = mcpsf.ChannelStderr, "standard error"
	case mcpsf.MessageResponse:
		destination = "answer to " + strings.TrimSpace(msg.Method+" "+msg.Tool)
	case mcpsf.MessageJunk:
		destination = "standard output"
	default:
		destination = strings.TrimSpace(string(msg.Kind) + " " + msg.Method)
	}
	return m.opts.Leaks.Message(channel, clean(destination), "", msg.Whole)
}

// leaksInArguments tells of planted secrets on the command line of a program.
func (m *Monitor) leaksInArguments(e *mcpsf.Event) {
	if m.opts.Leaks == nil || e.Process.Error != "" || len(e.Process.Args) == 0 {
		return
	}
	line := []byte(strings.Join(e.Process.Args, " "))
	m.leaked(m.opts.Leaks.Message(mcpsf.ChannelArgs, e.Process.Path, "", line), e)
}

// leaked tells what was found in what another event is about.
func (m *Monitor) leaked(found []mcpsf.LeakDetail, of *mcpsf.Event) {
	for i := range found {
		e := *of
		e.Kind, e.Cause, e.Count = mcpsf.KindCanaryLeak, of.Seq, 0
		e.MCP, e.Process, e.Leak = nil, nil, &found[i]
		m.emit(&e)
	}
}
