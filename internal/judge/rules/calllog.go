package rules

import (
	"encoding/json"

	"github.com/mcpsf/mcpsf"
)

// callLog is what was asked of the server, and what it asked in turn.
type callLog struct {
	declared *declaration
	// calls are those of the present sandbox by their ids, odd the last request
	// if it was an odd message, asks what was asked for so far.
	calls map[string]*call
	odd   *call
	asks  map[askedFor]bool
	// roots are the folders that the server was told, logged is the last line of
	// its standard error.
	roots  []string
	logged string
	listed listed
	memory memory
}

func newCallLog(d *declaration) *callLog {
	l := &callLog{declared: d, memory: newMemory()}
	l.restart()
	return l
}

// restart forgets what ended with a sandbox.
func (l *callLog) restart() {
	l.calls, l.asks = map[string]*call{}, map[askedFor]bool{}
	l.roots, l.logged = nil, ""
}

// attackOf is the attack that a call made, nil if it made none.
func (l *callLog) attackOf(id string) *mcpsf.AttackDetail {
	if c := l.calls[id]; c != nil {
		return c.attack
	}
	return nil
}

// notified counts what the server tells unasked while a call is made.
func (l *callLog) notified(e *mcpsf.Event) {
	if e.MCP != nil && e.MCP.FromServer {
		l.calls[e.Call].heard(e)
	}
}

// request remembers a request of ours. One that the server sends is no call,
// and its content explains nothing: the server wrote it.
func (l *callLog) request(e *mcpsf.Event) {
	if e.MCP != nil && e.MCP.FromServer && asksClient(e.MCP.Method) {
		l.calls[e.Call].heard(e)
	}
	if e.MCP == nil || e.MCP.FromServer || e.Call == "" || l.calls[e.Call] != nil {
		return
	}
	if l.odd != nil && isLifeSign(e) {
		l.calls[e.Call] = l.odd // both may have been read at once
		return
	}
	c := &call{method: e.MCP.Method, tool: e.MCP.Tool, params: l.paramsOf(e.MCP), size: e.MCP.Size, attack: e.MCP.Attack}
	if c.method == "prompts/get" {
		c.prompt = promptName(c.params)
	}
	if c.tool == "" { // what was listed by now counts, not what will be
		l.claims(c)
		l.hosts(c)
	}
	c.again = l.repeated(c)
	l.calls[e.Call], l.memory.newest, l.odd = c, c, nil
	if c.attack != nil && c.attack.Class == mcpsf.ClassProtocol {
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
	if len(params) > maxParams || json.Unmarshal(params, &p) != nil {
		return ""
	}
	return p.Name
}

func (l *callLog) response(e *mcpsf.Event) {
	if e.MCP == nil {
		return
	}
	if asksClient(e.MCP.Method) { // it is ours
		if e.MCP.Method == methodRoots {
			l.folders(e)
		}
		return
	}
	c := l.calls[e.Call]
	if c == nil {
		return
	}
	c.answered = true
	if c.attack == nil {
		l.tells(e.MCP)
	}
	if c.method == "resources/list" {
		l.listed.add(e.MCP)
	}
}
