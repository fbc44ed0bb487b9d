package flows

import "github.com/mcpsf/mcpsf"

// Role is what a tool contributes to a toxic flow.
type Role string

// The roles.
const (
	// Untrusted: its answers can contain text that strangers wrote.
	Untrusted Role = "untrusted"
	// Private: its answers can contain the user's private data.
	Private Role = "private"
	// Out: its arguments can reach others.
	Out Role = "out"
)

// Roles lists the roles in the order in which data flows.
func Roles() []Role { return []Role{Untrusted, Private, Out} }

// Level is how certain a role or a flow is, and how much the caller controls.
type Level string

// The levels, weakest first.
const (
	// Declared: only the tool or its source says so.
	Declared Level = "declared"
	// Seen: it happened in the run, with a fixed host or file that the caller cannot choose.
	Seen Level = "seen"
	// Open: it happened, and the caller chooses the host or file, or anybody can
	// be at its other end.
	Open Level = "open"
)

// Levels lists the levels, weakest first.
func Levels() []Level { return []Level{Declared, Seen, Open} }

// rank returns 0 for no level.
func rank(l Level) int {
	switch l {
	case Declared:
		return 1
	case Seen:
		return 2
	case Open:
		return 3
	}
	return 0
}

// Kind is the kind of place that a role concerns.
type Kind string

// The kinds.
const (
	KindAddress  Kind = "address"  // any host that an argument names
	KindService  Kind = "service"  // one fixed host
	KindMail     Kind = "mail"     // a mailbox, or mails to anybody
	KindDatabase Kind = "database" // one that listens, or a file
	KindFile     Kind = "file"     // files that arguments or the configuration name
	KindSecret   Kind = "secret"   // decoys that nobody named
	KindAccount  Kind = "account"  // data that a service holds for the user's credential
	KindStore    Kind = "store"    // data that earlier calls stored
	KindCommand  Kind = "command"  // a program or shell command in an argument
	KindListener Kind = "listener" // a port that other machines reach
	KindShared   Kind = "shared"   // a folder whose files others receive
	KindClaim    Kind = "claim"    // what a tool states about itself
	KindSource   Kind = "source"   // what the source of a tool can do
)

// State says what the run showed of a tool.
type State string

// The states. Only for the first is it known what the tool does.
const (
	// StateSeen: at least one call was answered in the sandbox.
	StateSeen State = "seen"
	// StateRefused: it was called, and every call failed.
	StateRefused State = "refused"
	// StateNever: it was never called.
	StateNever State = "never-called"
	// StateUnwatched: it was called, but its server runs elsewhere, out of sight.
	StateUnwatched State = "unwatched"
)

// Agent is the name of the agent's node in edges.
const Agent = "agent"

// Graph holds the servers of one agent and their flows.
type Graph struct {
	Servers []Server `json:"servers"`
	Tools   []Tool   `json:"tools"`
	// Edges run from a tool to the agent, or from the agent to a tool that sends data out.
	Edges []Edge `json:"edges"`
	Flows []Flow `json:"flows"`
	// MoreFlows is how many flows there are beyond those listed.
	MoreFlows int `json:"more_flows,omitempty"`
	// Caveats are those of all servers, most important first.
	Caveats []string `json:"caveats"`
}

// Server is a server that the agent uses.
type Server struct {
	ID string `json:"id"`
	// Name is unique in the graph.
	Name    string     `json:"name"`
	Kind    string     `json:"kind,omitempty"`
	Package string     `json:"package,omitempty"`
	Version string     `json:"version,omitempty"`
	Digest  string     `json:"digest,omitempty"`
	Run     string     `json:"run,omitempty"`
	Band    mcpsf.Band `json:"band,omitempty"`
	// Missing says why nothing is known of the server, "" if something is.
	Missing string `json:"missing,omitempty"`
	// Tools is how many it lists, Unseen how many of them never answered a call.
	Tools  int `json:"tools"`
	Unseen int `json:"unseen"`
	// Roles are the highest levels among its tools.
	Roles map[Role]Level `json:"roles"`
	// Caveats say why roles may be missing.
	Caveats []string `json:"caveats"`
}

// Tool is a tool of a server. The tool without a name stands for what the server
// does outside of tool calls: its start, listings, resources and prompts.
type Tool struct {
	ID     string  `json:"id"`
	Server string  `json:"server"`
	Name   string  `json:"name"`
	State  State   `json:"state"`
	Traits []Trait `json:"traits"`
}

// Trait is a role of a tool, and the reason.
type Trait struct {
	Role  Role  `json:"role"`
	Kind  Kind  `json:"kind"`
	Level Level `json:"level"`
	// Evidence holds the first few reasons; Count is the number of all.
	Evidence []Evidence `json:"evidence"`
	Count    int        `json:"count"`
}

// Evidence is one reason for a role.
type Evidence struct {
	Why string `json:"why"`
	// Event is the number of the event that shows it, 0 for none.
	Event int64 `json:"event,omitempty"`
	// Access is the kind of the access in that event.
	Access mcpsf.AccessKind `json:"access,omitempty"`
	// Finding is the rule of the finding that shows it.
	Finding string `json:"finding,omitempty"`
	// File and Line are the place in the source.
	File string `json:"file,omitempty"`
	Line int    `json:"line,omitempty"`
}

// Edge is data that passes between a tool and the agent.
type Edge struct {
	From    string `json:"from"`
	To      string `json:"to"`
	Carries Role   `json:"carries"`
	Level   Level  `json:"level"`
}

// Flow is a combination of untrusted input, private data and a way out. It
// stands for every triple of such tools among its servers.
type Flow struct {
	ID    string `json:"id"`
	Level Level  `json:"level"`
	// Parties are the servers it needs: one of each party. All are needed.
	Parties []Party `json:"parties"`
	// Legs are the tools by role, in the order of [Roles].
	Legs []Leg `json:"legs"`
	// Triples is the number of such triples.
	Triples int64 `json:"triples"`
	// AtStake are other servers whose private data can leave in the same way.
	AtStake []string `json:"at_stake"`
}

// Party is a set of servers with the same roles in a flow.
type Party struct {
	Servers []string `json:"servers"`
	Roles   []Role   `json:"roles"`
}

// Leg is one role of a flow with the tools that have it, strongest first.
type Leg struct {
	Role  Role     `json:"role"`
	Tools []string `json:"tools"`
}

// Level returns the tool's highest level for a role, "" for none.
func (t *Tool) Level(role Role) Level {
	if best := t.Best(role); best != nil {
		return best.Level
	}
	return ""
}

// Best returns the strongest trait of a role, the first of several; nil for none.
func (t *Tool) Best(role Role) *Trait {
	var best *Trait
	for i := range t.Traits {
		if tr := &t.Traits[i]; tr.Role == role && (best == nil || rank(tr.Level) > rank(best.Level)) {
			best = tr
		}
	}
	return best
}

// Worst returns the highest level of a flow, "" if there is none.
func (g *Graph) Worst() Level {
	var worst Level
	for _, f := range g.Flows {
		if rank(f.Level) > rank(worst) {
			worst = f.Level
		}
	}
	return worst
}

// Reaches tells whether a level is at or above another.
func (l Level) Reaches(other Level) bool { return l != "" && rank(l) >= rank(other) }

// Unsure tells whether there may be flows that were not found.
func (g *Graph) Unsure() bool {
	for _, s := range g.Servers {
		if s.Missing != "" || len(s.Caveats) > 0 {
			return true
		}
	}
	return false
}
