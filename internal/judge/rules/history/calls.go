package history

import (
	"encoding/json"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/rules/declared"
	"github.com/mcpsf/mcpsf/internal/judge/rules/event"
	"github.com/mcpsf/mcpsf/internal/judge/rules/lex"
)

// Calls holds the requests to the server, and the server's own requests.
type Calls struct {
	declared *declared.Declaration
	// ByID are the calls of the current sandbox. odd is the last request if it
	// was a malformed message. asks are the calls made so far.
	ByID map[string]*Call
	odd  *Call
	asks map[askedFor]bool
	// roots are the folders that the client told the server. Logged is the last
	// line of standard error.
	roots  []string
	Logged string
	Memory Memory
	ours   ours
	// lastTool is the call of a tool that was made last in this sandbox.
	lastTool *Call
	// opened are the folders that earlier calls opened in this sandbox.
	opened []opened
}

func newCalls(d *declared.Declaration) *Calls {
	l := &Calls{declared: d, Memory: newMemory()}
	l.restart()
	return l
}

// restart clears the state when a sandbox ends.
func (l *Calls) restart() {
	l.ByID, l.asks = map[string]*Call{}, map[askedFor]bool{}
	l.roots, l.Logged = nil, ""
	l.ours, l.lastTool, l.opened = ours{}, nil, nil
}

// AttackOf returns the attack of a call, nil if it is an ordinary call.
func (l *Calls) AttackOf(id string) *mcpsf.AttackDetail {
	if c := l.ByID[id]; c != nil {
		return c.Attack
	}
	return nil
}

// notified counts a notification of the server during a call.
func (l *Calls) notified(e *mcpsf.Event) {
	if e.MCP != nil && e.MCP.FromServer {
		l.ByID[e.Call].heard(e)
	}
}

// request adds a request to the server. Requests from the server are no calls
// and explain nothing, because the server wrote them.
func (l *Calls) request(e *mcpsf.Event) {
	if e.MCP != nil && e.MCP.FromServer && event.AsksClient(e.MCP.Method) {
		l.ByID[e.Call].heard(e)
	}
	if e.MCP == nil || e.MCP.FromServer || e.Call == "" || l.ByID[e.Call] != nil {
		return
	}
	if l.odd != nil && isLifeSign(e) {
		l.ByID[e.Call] = l.odd // the server may read both at once
		return
	}
	has := l.paramsOf(e.MCP)
	c := &Call{Method: e.MCP.Method, tool: e.MCP.Tool, Params: has.params, Size: e.MCP.Size, Attack: e.MCP.Attack, server: has.server}
	if c.Method == "prompts/get" {
		c.prompt = promptName(c.Params)
	}
	c.again = l.repeated(c)
	l.ByID[e.Call], l.Memory.newest, l.odd = c, c, nil
	if c.tool != "" {
		l.lastTool = c
	}
	if c.Attack != nil {
		l.ours.calls = append(l.ours.calls, c)
	}
	if c.Attack != nil && c.Attack.Class == mcpsf.ClassProtocol {
		l.odd = c
	}
}

// isLifeSign tells whether a request only checks that the server still responds
// after a message that needs no answer. Events in it belong to that message.
func isLifeSign(e *mcpsf.Event) bool {
	return e.Phase == mcpsf.PhaseAttack && e.MCP.Attack == nil && (e.MCP.Method == "ping" || e.MCP.Method == "tools/list")
}

// promptName returns the name in the params of a prompts/get.
func promptName(params json.RawMessage) string {
	var p struct {
		Name string `json:"name"`
	}
	if len(params) > lex.MaxParams || json.Unmarshal(params, &p) != nil {
		return ""
	}
	return p.Name
}

func (l *Calls) response(e *mcpsf.Event) {
	if e.MCP == nil {
		return
	}
	if event.AsksClient(e.MCP.Method) { // this is our own response
		switch e.MCP.Method {
		case event.MethodRoots:
			l.folders(e)
		case event.MethodElicit:
			l.rememberForm(e.MCP)
		}
		return
	}
	c := l.ByID[e.Call]
	if c == nil {
		return
	}
	c.answered = true
	l.keep(c, e)
}
