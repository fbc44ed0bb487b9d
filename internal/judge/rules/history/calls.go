package history

import (
	"encoding/json"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/rules/declared"
	"github.com/mcpsf/mcpsf/internal/judge/rules/event"
	"github.com/mcpsf/mcpsf/internal/judge/rules/lex"
)

// Calls is what was asked of the server, and what it asked in turn.
type Calls struct {
	declared *declared.Declaration
	// ByID are those of the present sandbox by their ids, odd the last request
	// if it was an odd message, asks what was asked for so far.
	ByID map[string]*Call
	odd  *Call
	asks map[askedFor]bool
	// roots are the folders that the server was told, logged is the last line of
	// its standard error.
	roots  []string
	Logged string
	listed listed
	Memory Memory
}

func newCalls(d *declared.Declaration) *Calls {
	l := &Calls{declared: d, Memory: newMemory()}
	l.restart()
	return l
}

// restart forgets what ended with a sandbox.
func (l *Calls) restart() {
	l.ByID, l.asks = map[string]*Call{}, map[askedFor]bool{}
	l.roots, l.Logged = nil, ""
}

// AttackOf is the attack that a call made, nil if it made none.
func (l *Calls) AttackOf(id string) *mcpsf.AttackDetail {
	if c := l.ByID[id]; c != nil {
		return c.Attack
	}
	return nil
}

// notified counts what the server tells unasked while a call is made.
func (l *Calls) notified(e *mcpsf.Event) {
	if e.MCP != nil && e.MCP.FromServer {
		l.ByID[e.Call].heard(e)
	}
}

// request remembers a request of ours. One that the server sends is no call,
// and its content explains nothing: the server wrote it.
func (l *Calls) request(e *mcpsf.Event) {
	if e.MCP != nil && e.MCP.FromServer && event.AsksClient(e.MCP.Method) {
		l.ByID[e.Call].heard(e)
	}
	if e.MCP == nil || e.MCP.FromServer || e.Call == "" || l.ByID[e.Call] != nil {
		return
	}
	if l.odd != nil && isLifeSign(e) {
		l.ByID[e.Call] = l.odd // both may have been read at once
		return
	}
	c := &Call{Method: e.MCP.Method, tool: e.MCP.Tool, Params: l.paramsOf(e.MCP), Size: e.MCP.Size, Attack: e.MCP.Attack}
	if c.Method == "prompts/get" {
		c.prompt = promptName(c.Params)
	}
	if c.tool == "" { // what was listed by now counts, not what will be
		l.Claims(c)
		l.Hosts(c)
	}
	c.again = l.repeated(c)
	l.ByID[e.Call], l.Memory.newest, l.odd = c, c, nil
	if c.Attack != nil && c.Attack.Class == mcpsf.ClassProtocol {
		l.odd = c
	}
}

// isLifeSign tells whether a request asks whether the server is still there,
// after a message that it need not answer. Its work is for that message.
func isLifeSign(e *mcpsf.Event) bool {
	return e.Phase == mcpsf.PhaseAttack && e.MCP.Attack == nil && (e.MCP.Method == "ping" || e.MCP.Method == "tools/list")
}

// promptName is the name in the parameters of a prompts/get.
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
	if event.AsksClient(e.MCP.Method) { // it is ours
		if e.MCP.Method == event.MethodRoots {
			l.folders(e)
		}
		return
	}
	c := l.ByID[e.Call]
	if c == nil {
		return
	}
	c.answered = true
	if c.Attack == nil {
		l.tells(e.MCP)
	}
	if c.Method == "resources/list" {
		l.listed.add(e.MCP)
	}
}
