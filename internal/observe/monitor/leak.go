package monitor

import (
	"encoding/json"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// leakage searches the server's messages, command lines and written files for
// planted secrets.
type leakage struct {
	log    *eventLog
	finder Leaks // nil: no search
}

// give records what the server will receive: a tool's arguments, or an answer
// of the client. It must be recorded before the server can send it anywhere.
func (lk *leakage) give(msg *mcpsf.Message) {
	if lk.finder == nil || msg.Stream != mcpsf.Stdin {
		return
	}
	switch {
	case msg.Kind == mcpsf.MessageResponse:
		lk.finder.Answer(msg.Body)
		lk.fill(msg.Body, msg.ServerValues)
	case msg.Kind == mcpsf.MessageRequest && msg.Tool != "":
		var params struct {
			Arguments json.RawMessage            `json:"arguments"`
			Responses map[string]json.RawMessage `json:"inputResponses"` //nolint:tagliatelle // the protocol's own name
		}
		if json.Unmarshal(msg.Body, &params) != nil {
			return
		}
		if len(params.Arguments) > 0 {
			lk.finder.Give(msg.Call, msg.Tool, ofCaller(params.Arguments, msg.ServerValues.Inside("/arguments")))
		}
		for _, name := range slices.Sorted(maps.Keys(params.Responses)) {
			lk.fill(params.Responses[name], msg.ServerValues.Inside("/inputResponses/"+mcpsf.PointerPart(name)))
		}
	}
}

// fill records what an answer of the client fills into a form. Only an answer to a
// form says what the user did.
func (lk *leakage) fill(answer json.RawMessage, server mcpsf.ServerValues) {
	var form struct {
		Action  string          `json:"action"`
		Content json.RawMessage `json:"content"`
	}
	if json.Unmarshal(answer, &form) == nil && form.Action == "accept" && len(form.Content) > 0 {
		lk.finder.Fill(ofCaller(form.Content, server.Inside("/content")))
	}
}

// ofCaller returns the arguments without the values that the server made: what it
// gets back is not given to it, and it may not send it on as if it were.
func ofCaller(arguments json.RawMessage, server mcpsf.ServerValues) json.RawMessage {
	var value any
	if len(server) == 0 || json.Unmarshal(arguments, &value) != nil {
		return arguments
	}
	left, err := json.Marshal(without(value, "", server))
	if err != nil {
		return nil
	}
	return left
}

func without(value any, at string, server mcpsf.ServerValues) any {
	if from := server.At(at); from.Repeats() || from == mcpsf.OriginUnknown {
		return nil
	}
	switch v := value.(type) {
	case map[string]any:
		for name := range v {
			v[name] = without(v[name], at+"/"+mcpsf.PointerPart(name), server)
		}
	case []any:
		for i := range v {
			v[i] = without(v[i], at+"/"+strconv.Itoa(i), server)
		}
	}
	return value
}

// in finds planted secrets in the server's message.
func (lk *leakage) in(msg *mcpsf.Message) []mcpsf.LeakDetail {
	if lk.finder == nil || len(msg.Whole) == 0 {
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
	return lk.finder.Message(channel, clean(destination), partOf(msg), msg.Whole)
}

// opaque measures what of a tool's result nobody can read.
func (lk *leakage) opaque(msg *mcpsf.Message) *mcpsf.OpaqueDetail {
	if lk.finder == nil || len(msg.Whole) == 0 || msg.Kind != mcpsf.MessageResponse || msg.Stream == mcpsf.Stdin {
		return nil
	}
	return lk.finder.Opaque("", "result", msg.Whole)
}

// partOf separates deliberately provoked errors from other answers, so that
// they are reported even if many other answers leaked the same secret.
func partOf(msg *mcpsf.Message) string {
	if a := msg.Attack; a != nil && a.Class == "secret-in-error" && msg.Failed {
		return "error"
	}
	return ""
}

// inArguments reports planted secrets on the command line of a program.
func (lk *leakage) inArguments(e *mcpsf.Event) {
	if lk.finder == nil || e.Process.Error != "" || len(e.Process.Args) == 0 {
		return
	}
	line := []byte(strings.Join(e.Process.Args, " "))
	found := lk.finder.Message(mcpsf.ChannelArgs, e.Process.Path, "", line)
	lk.leaked(slices.DeleteFunc(found, fromCommandLine), e)
}

// fromCommandLine reports whether a secret was on the server's own command line
// from the beginning, as part of its configuration.
func fromCommandLine(d mcpsf.LeakDetail) bool {
	return d.Configured && strings.HasPrefix(d.Source, mcpsf.SourceArgument)
}

// inFile reports planted secrets in data written to a file that is not a decoy.
func (lk *leakage) inFile(o *origin, f openFile, data []byte) {
	if lk.finder == nil || f.decoy != nil || !path.IsAbs(f.path) || strings.HasPrefix(f.path, "/dev/") || strings.HasPrefix(f.path, "/proc/") {
		return
	}
	e := lk.log.base(o, mcpsf.KindFileWrite)
	lk.leaked(lk.finder.Message(mcpsf.ChannelFile, f.path, "", data), &e)
}

// leaked reports the leaks found in the subject of another event.
func (lk *leakage) leaked(found []mcpsf.LeakDetail, of *mcpsf.Event) {
	for i := range found {
		e := *of
		e.Kind, e.Count = mcpsf.KindCanaryLeak, 0
		if of.Seq != 0 {
			e.Cause = of.Seq
		}
		e.MCP, e.Process, e.Leak = nil, nil, &found[i]
		lk.log.emit(&e)
	}
}
