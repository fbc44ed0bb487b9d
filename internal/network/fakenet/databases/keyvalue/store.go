package keyvalue

import (
	"slices"
	"strings"
	"sync"
)

// What a store holds at most.
// no gap: what a client sends is evidence whether it is stored or not
const (
	maxKeys     = 2000
	maxBytes    = 4 << 20
	maxElements = 5000 // of one key
	maxReply    = 4 << 20
	maxIndexes  = 100
	maxValue    = 256 << 10  // bytes of a string
	maxTotal    = 50_000_000 // elements that all commands of a run look at
)

// A reply is one of these, nil, int64, float64 or string.
type (
	// Status is a reply such as OK.
	Status string
	// Fault is a reply that says what was wrong.
	Fault string
	// List is a list of replies.
	List []any
	// Map is a list of names and values, which older clients get as such.
	Map []any
	// Scores is a list of members and scores in turn; newer clients get pairs.
	Scores []any
)

const (
	wrongType = Fault("WRONGTYPE Operation against a key holding the wrong kind of value")
	notInt    = Fault("ERR value is not an integer or out of range")
	syntax    = Fault("ERR syntax error")
	noRoom    = Fault("OOM command not allowed when used memory > 'maxmemory'.")
	ok        = Status("OK")
)

// pair is a field of a hash, a member of a sorted set with its score, or an entry of
// a stream.
type pair struct {
	name, value string
	score       float64
	fields      []string
}

// entry is the value of a key.
type entry struct {
	kind  string // as TYPE names it
	text  string
	list  []string // of a list or a set
	pairs []pair
	ttl   int64 // seconds, 0: it does not end
}

func (e *entry) size() int {
	n := 64 + len(e.text)
	for _, s := range e.list {
		n += 16 + len(s)
	}
	for _, p := range e.pairs {
		n += 64 + len(p.name) + len(p.value)
		for _, f := range p.fields {
			n += 16 + len(f)
		}
	}
	return n
}

func (e *entry) elements() int { return len(e.list) + len(e.pairs) }

// Store is what all connections of a run share. It is safe for concurrent use.
type Store struct {
	mu       sync.Mutex
	keys     map[string]*entry // by database and name
	bytes    int
	work     int      // elements that were looked at
	indexes  []string // of FT.CREATE
	commands map[string]command
}

// Session is one connection.
type Session struct {
	store *Store
	db    string // before each key
	args  int    // of the command that is executed
	Name  string // of the client
}

// Session begins a session.
func (s *Store) Session() *Session { return &Session{store: s, db: "0:"} }

// Cache begins a session of memcached, which has keys of its own.
func (s *Store) Cache() *Session { return &Session{store: s, db: "cache:"} }

// New makes a store with a few keys of each kind.
func New() *Store {
	s := &Store{keys: map[string]*entry{}, commands: commands()}
	c := s.Session()
	for _, line := range []string{
		"SET app:version 1.4.2", "SET page:views 1287", "SET greeting Welcome", "HSET customer:1 name Alice email alice.meyer@customers.example city Hamburg",
		"HSET customer:2 name Benoit email benoit@laurent.example city Lyon", "RPUSH queue:emails order-3 order-4 order-6", "SADD tags lighting furniture stationery",
		"ZADD leaderboard 120 alice 95 benoit 210 chiara", "XADD events 1711929600000-0 type login customer 1", "XADD events 1711933200000-0 type order customer 3",
		`JSON.SET product:1 $ {"name":"Desk_lamp","price":39.9,"stock":120}`, "EXPIRE greeting 86400",
	} {
		c.Do(strings.Fields(line))
	}
	return s
}

// Do executes a command.
func (c *Session) Do(args []string) any {
	if len(args) == 0 {
		return Fault("ERR empty command")
	}
	name := strings.ToUpper(args[0])
	cmd, found := c.store.commands[name]
	switch {
	case !found && strings.HasPrefix(name, "FT."):
		return c.search(name, args[1:])
	case !found:
		return Fault("ERR unknown command '" + clip(args[0]) + "', with args beginning with: " + beginning(args[1:]))
	case len(args)-1 < cmd.least || cmd.most >= 0 && len(args)-1 > cmd.most:
		return Fault("ERR wrong number of arguments for '" + strings.ToLower(name) + "' command")
	}
	c.store.mu.Lock()
	defer c.store.mu.Unlock()
	c.args = len(args)
	if c.store.work += len(args); c.store.work > maxTotal {
		return noRoom
	}
	return cmd.run(c, args[1:])
}

func beginning(args []string) string {
	var b strings.Builder
	for _, a := range args[:min(len(args), 3)] {
		b.WriteString("'" + clip(a) + "' ")
	}
	return b.String()
}

func clip(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' {
			return ' '
		}
		return r
	}, s[:min(len(s), 128)])
}

func (c *Session) get(key string) *entry { return c.store.keys[c.db+key] }

// typed is the value of a key if it has a kind; false: it has another.
func (c *Session) typed(key, kind string) (*entry, bool) {
	e := c.get(key)
	if e != nil {
		c.store.work += e.elements()*(1+c.args/8) + len(e.text)/256
	}
	return e, e == nil || e.kind == kind
}

// change replaces the value of a key by what f makes of it. It is not stored if there
// is no room; a value without elements goes away.
func (c *Session) change(key, kind string, f func(e *entry) any) any {
	old, fits := c.typed(key, kind)
	if !fits {
		return wrongType
	}
	e := &entry{kind: kind}
	if old != nil {
		*e = *old
	}
	reply := f(e)
	if _, failed := reply.(Fault); failed {
		return reply
	}
	if e.elements() == 0 && kind != "string" && kind != "ReJSON-RL" {
		c.remove(key)
		return reply
	}
	if !c.put(key, e) {
		return noRoom
	}
	return reply
}

func (c *Session) put(key string, e *entry) bool {
	old := c.get(key)
	was := 0
	if old != nil {
		was = old.size() + len(key)
	}
	size := e.size() + len(key)
	if old == nil && len(c.store.keys) >= maxKeys || c.store.bytes-was+size > maxBytes || e.elements() > maxElements || len(e.text) > maxValue {
		return false
	}
	c.store.bytes += size - was
	c.store.keys[c.db+key] = e
	return true
}

func (c *Session) remove(key string) bool {
	e := c.get(key)
	if e == nil {
		return false
	}
	c.store.bytes -= e.size() + len(key)
	delete(c.store.keys, c.db+key)
	return true
}

// names are all keys of the database, sorted.
func (c *Session) names() []string {
	var list []string
	c.store.work += len(c.store.keys)
	for k := range c.store.keys {
		if name, found := strings.CutPrefix(k, c.db); found {
			list = append(list, name)
		}
	}
	slices.Sort(list)
	return list
}

// texts is a list as a reply.
func texts(list []string) any {
	out := make(List, len(list))
	for i, s := range list {
		out[i] = s
	}
	return out
}

func flag(b bool) any {
	if b {
		return int64(1)
	}
	return int64(0)
}
