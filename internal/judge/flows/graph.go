package flows

import "github.com/mcpsf/mcpsf"

// Role is what a tool adds to an agent.
type Role string

// The roles.
const (
	// Untrusted: what it answers can hold what strangers wrote.
	Untrusted Role = "untrusted"
	// Private: what it answers can hold what is the user's own.
	Private Role = "private"
	// Out: what it is given can reach others.
	Out Role = "out"
)

// Roles are all of them, in the order in which something flows.
func Roles() []Role { return []Role{Untrusted, Private, Out} }

// Level is how sure a role or a flow is, and how far it reaches.
type Level string

// The levels, weakest first.
const (
	// Declared: only the tool or its source says so.
	Declared Level = "declared"
	// Seen: it happened in the run, with a place that whoever calls cannot choose.
	Seen Level = "seen"
	// Open: it happened, and whoever calls chooses the place, or anybody can be
	// at its other end.
	Open Level = "open"
)

// Levels are all of them, weakest first.
func Levels() []Level { return []Level{Declared, Seen, Open} }

// rank is 0 for no level at all.
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

// Kind is the place that a role is about.
type Kind string

// The kinds.
const (
	KindAddress  Kind = "address"  // whatever host an argument names
	KindService  Kind = "service"  // one host
	KindMail     Kind = "mail"     // a mailbox, or mails to anybody
	KindDatabase Kind = "database" // one that listens, or a file
	KindFile     Kind = "file"     // files that arguments or the configuration name
	KindSecret   Kind = "secret"   // planted secrets that nobody named
	KindAccount  Kind = "account"  // what a service keeps for who has the user's credential
	KindStore    Kind = "store"    // what earlier calls left
	KindCommand  Kind = "command"  // a program or a line for a shell that an argument holds
	KindListener Kind = "listener" // a port that other machines reach
	KindShared   Kind = "shared"   // a folder whose files others get
	KindClaim    Kind = "claim"    // what a tool says of itself
	KindSource   Kind = "source"   // what the source of a tool can do
)

// State says what the run showed of a tool.
type State string

// The states. Only of the first it is known what the tool does.
const (
	// StateSeen: at least one call was answered while the sandbox looked on.
	StateSeen State = "seen"
	// StateRefused: it was called, and no call was answered with a result.
	StateRefused State = "refused"
	// StateNever: it was never called.
	StateNever State = "never-called"
	// StateUnwatched: it was called, but its server runs elsewhere.
	StateUnwatched State = "unwatched"
)

// Agent is the node in the middle, as edges name it.
const Agent = "agent"

// Graph is what the servers of one agent bring together.
type Graph struct {
	Servers []Server `json:"servers"`
	Tools   []Tool   `json:"tools"`
	// Edges run from a tool to the agent, or from the agent to a way out.
	Edges []Edge `json:"edges"`
	Flows []Flow `json:"flows"`
	// MoreFlows is how many there are beyond those.
	MoreFlows int `json:"more_flows,omitempty"`
	// Caveats are those of all servers together, most important first.
	Caveats []string `json:"caveats"`
}

// Server is one that the agent uses.
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
	// Missing says why nothing is known of it, "" if something is.
	Missing string `json:"missing,omitempty"`
	// Tools is how many it lists, Unseen how many of them were not seen to work.
	Tools  int `json:"tools"`
	Unseen int `json:"unseen"`
	// Roles are the strongest levels of its tools.
	Roles map[Role]Level `json:"roles"`
	// Caveats say why roles may be missing.
	Caveats []string `json:"caveats"`
}

// Tool is a tool of a server. One without a name stands for what the server does
// without any: its start, its listings, its resources and prompts.
type Tool struct {
	ID     string  `json:"id"`
	Server string  `json:"server"`
	Name   string  `json:"name"`
	State  State   `json:"state"`
	Traits []Trait `json:"traits"`
}

// Trait is a role of a tool, and why it has it.
type Trait struct {
	Role  Role  `json:"role"`
	Kind  Kind  `json:"kind"`
	Level Level `json:"level"`
	// Evidence is at most a few; Count is how much there is in all.
	Evidence []Evidence `json:"evidence"`
	Count    int        `json:"count"`
}

// Evidence is one reason for a role.
type Evidence struct {
	Why string `json:"why"`
	// Event is the number of the event that shows it, 0 for none.
	Event int64 `json:"event,omitempty"`
	// Access is what was used there.
	Access mcpsf.AccessKind `json:"access,omitempty"`
	// Finding is the rule whose finding shows it.
	Finding string `json:"finding,omitempty"`
	// File and Line are the place in the source.
	File string `json:"file,omitempty"`
	Line int    `json:"line,omitempty"`
}

// Edge is what goes between a tool and the agent.
type Edge struct {
	From    string `json:"from"`
	To      string `json:"to"`
	Carries Role   `json:"carries"`
	Level   Level  `json:"level"`
}

// Flow is untrusted input, private data and a way out that come together. It
// stands for every triple of such tools among its servers.
type Flow struct {
	ID    string `json:"id"`
	Level Level  `json:"level"`
	// Parties are who it takes: one server of each. None can be left out.
	Parties []Party `json:"parties"`
	// Legs are the tools by role, in the order of [Roles].
	Legs []Leg `json:"legs"`
	// Triples is how many there are.
	Triples int64 `json:"triples"`
	// AtStake are other servers whose private data can leave in the same way.
	AtStake []string `json:"at_stake"`
}

// Party are servers that add the same roles.
type Party struct {
	Servers []string `json:"servers"`
	Roles   []Role   `json:"roles"`
}

// Leg is one role of a flow with the tools that have it, strongest first.
type Leg struct {
	Role  Role     `json:"role"`
	Tools []string `json:"tools"`
}

// Level is the strongest one that the tool has of a role, "" for none.
func (t *Tool) Level(role Role) Level {
	if best := t.Best(role); best != nil {
		return best.Level
	}
	return ""
}

// Best is the strongest trait of a role, the first of several; nil for none.
func (t *Tool) Best(role Role) *Trait {
	var best *Trait
	for i := range t.Traits {
		if tr := &t.Traits[i]; tr.Role == role && (best == nil || rank(tr.Level) > rank(best.Level)) {
			best = tr
		}
	}
	return best
}

// Worst is the strongest level of a flow, "" if there is none.
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
