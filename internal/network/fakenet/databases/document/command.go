package document

import (
	"errors"
	"strings"
)

// Run executes a command. documents are those that came in a part of the message of
// their own. It returns false if it does not know the command.
func (s *Store) Run(command Doc, documents List) (Doc, bool) {
	if len(command) == 0 {
		return nil, false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	c := &call{Store: s, cmd: command, db: command.Text("$db"), work: &work{}, more: documents}
	if c.db == "" {
		c.db = "test"
	}
	if s.spent > maxTotal { // a tired server: what takes work is not done any more
		c.work.steps = maxSteps - 2000
	}
	s.named(c.db)
	f, found := c.handler(command[0].Name)
	if !found {
		return nil, false
	}
	before := c.work.steps
	reply, err := f()
	s.spent += c.work.steps - before + 50
	if err != nil {
		return failed(err), true
	}
	return append(reply, Member{"ok", 1.0}), true
}

// failed is the answer to a command that failed.
func failed(err error) Doc {
	e := &Error{8000, "InternalError", "internal error"}
	errors.As(err, &e)
	return Doc{{"ok", 0.0}, {"errmsg", e.Message}, {"code", int32(e.Code)}, {"codeName", e.Name}}
}

// call is the execution of one command.
type call struct {
	*Store
	*work

	cmd  Doc
	db   string
	more List // documents, updates or deletes beside the command
}

func (c *call) handler(name string) (func() (Doc, error), bool) {
	switch name {
	case "find":
		return c.findDocs, true
	case "aggregate":
		return pipeline{c}.aggregate, true
	case "count":
		return c.countDocs, true
	case "distinct":
		return c.distinct, true
	case "insert":
		return c.insert, true
	case "update":
		return c.update, true
	case "delete":
		return c.remove, true
	case "findAndModify", "findandmodify":
		return c.findAndModify, true
	case "getMore":
		return c.getMore, true
	case "killCursors":
		return func() (Doc, error) { return Doc{{"cursorsKilled", c.cmd.list("cursors")}}, nil }, true
	case "listDatabases":
		return c.listDatabases, true
	case "listCollections":
		return c.listCollections, true
	case "listIndexes":
		return c.listIndexes, true
	case "createIndexes":
		return c.createIndexes, true
	case "dropIndexes":
		return func() (Doc, error) { return Doc{{"nIndexesWas", int32(2)}}, nil }, true
	case "create", "drop", "dropDatabase", "renameCollection", "collMod":
		return c.define, true
	}
	return c.information(name)
}

// information are the commands that tell something about the server.
func (c *call) information(name string) (func() (Doc, error), bool) {
	answer := func(d Doc) (func() (Doc, error), bool) { return func() (Doc, error) { return d, nil }, true }
	switch name {
	case "dbStats", "dbstats":
		n, size := c.total(c.db, "")
		return answer(Doc{{"db", c.db}, {"collections", int32(len(c.ofDatabase()))}, {"views", int32(0)}, {"objects", int32(n)}, {"avgObjSize", 180.0}, {"dataSize", float64(size)},
			{"storageSize", 110592.0}, {"indexes", int32(len(c.ofDatabase()))}, {"indexSize", 61440.0}, {"totalSize", 172032.0}})
	case "collStats", "collstats":
		n, size := c.total(c.db, c.target())
		return answer(append(Doc{{"ns", c.db + "." + c.target()}}, stats(n, size)...))
	case "serverStatus":
		return answer(Doc{{"host", "db-1:27017"}, {"version", Version}, {"process", "mongod"}, {"pid", int64(1)}, {"uptime", 3551211.0},
			{"connections", Doc{{"current", int32(3)}, {"available", int32(51197)}}}, {"opcounters", Doc{{"insert", int64(13)}, {"query", int64(911)}}},
			{"mem", Doc{{"resident", int32(142)}, {"virtual", int32(2710)}}}, {"storageEngine", Doc{{"name", "wiredTiger"}}}})
	case "getLog":
		return answer(Doc{{"totalLinesWritten", int32(0)}, {"log", List{}}})
	case "explain":
		return answer(c.explain())
	case "connectionStatus":
		return answer(Doc{{"authInfo", Doc{{"authenticatedUsers", List{}}, {"authenticatedUserRoles", List{}}, {"authenticatedUserPrivileges", List{}}}}})
	case "hostInfo":
		return answer(Doc{{"system", Doc{{"hostname", "db-1"}, {"cpuAddrSize", int32(64)}, {"memSizeMB", int64(7950)}, {"numCores", int32(4)}}}, {"os", Doc{{"type", "Linux"}}}})
	case "getParameter":
		return answer(Doc{{"featureCompatibilityVersion", Doc{{"version", "7.0"}}}})
	case "usersInfo":
		return answer(Doc{{"users", List{}}})
	case "mapReduce", "mapreduce", "eval", "$eval":
		return func() (Doc, error) { return nil, &Error{59, "CommandNotFound", "no such command: '" + name + "'"} }, true
	case "replSetGetStatus":
		return func() (Doc, error) { return nil, &Error{76, "NoReplicationEnabled", "not running with --replSet"} }, true
	}
	return nil, false
}

// Version is the version that the server says it is.
const Version = "7.0.14"

// target is the collection that a command names.
func (c *call) target() string {
	s, _ := c.cmd[0].Value.(string)
	return s
}

func (c *call) ofDatabase() []*collection {
	var list []*collection
	for _, o := range c.collections {
		if o.db == c.db {
			list = append(list, o)
		}
	}
	return list
}

// total counts the documents and bytes of a database or a collection.
func (c *call) total(db, name string) (count, bytes int) {
	for _, o := range c.collections {
		if o.db != db || name != "" && o.name != name {
			continue
		}
		count += len(o.docs)
		for _, d := range o.docs {
			bytes += size(d)
		}
	}
	return count, bytes
}

func stats(count, bytes int) Doc {
	return Doc{{"size", int32(bytes)}, {"count", int32(count)}, {"avgObjSize", int32(bytes / max(count, 1))}, {"storageSize", int32(36864)},
		{"nindexes", int32(1)}, {"totalIndexSize", int32(20480)}, {"totalSize", int32(57344)}, {"capped", false}}
}

func (c *call) explain() Doc {
	inner := c.cmd.doc("explain")
	name := ""
	if len(inner) > 0 {
		name, _ = inner[0].Value.(string)
	}
	n, _ := c.total(c.db, name)
	plan := Doc{{"stage", "COLLSCAN"}, {"filter", inner.doc("filter")}, {"direction", "forward"}}
	return Doc{{"explainVersion", "1"}, {"queryPlanner", Doc{{"namespace", c.db + "." + name}, {"indexFilterSet", false}, {"winningPlan", plan}, {"rejectedPlans", List{}}}},
		{"executionStats", Doc{{"executionSuccess", true}, {"nReturned", int32(n)}, {"executionTimeMillis", int32(0)}, {"totalKeysExamined", int32(0)}, {"totalDocsExamined", int32(n)}}}}
}

func (c *call) listDatabases() (Doc, error) {
	list, total := List{}, 0
	for _, db := range append([]string{"admin", "config", "local"}, c.databases()...) {
		_, bytes := c.total(db, "")
		list = append(list, Doc{{"name", db}, {"sizeOnDisk", int64(40960 + bytes)}, {"empty", false}})
		total += 40960 + bytes
	}
	return Doc{{"databases", list}, {"totalSize", int64(total)}, {"totalSizeMb", int64(0)}}, nil
}

func (c *call) listCollections() (Doc, error) {
	var list []Doc
	filter := c.cmd.doc("filter")
	for _, o := range c.ofDatabase() {
		d := Doc{{"name", o.name}, {"type", "collection"}}
		if ok, err := c.matches(d, filter); err != nil || !ok {
			if err != nil {
				return nil, err
			}
			continue
		}
		if !c.cmd.flag("nameOnly") {
			d = append(d, Member{"options", Doc{}}, Member{"info", Doc{{"readOnly", false}}}, Member{"idIndex", o.indexes[0]})
		}
		list = append(list, d)
	}
	return c.answer("$cmd.listCollections", list)
}

func (c *call) listIndexes() (Doc, error) {
	o := c.find(c.db, c.target())
	if o == nil {
		return nil, &Error{26, "NamespaceNotFound", "ns does not exist: " + c.db + "." + clip(c.target())}
	}
	return c.answer(o.name, o.indexes)
}

// collection is the one that a command changes; it is made if it does not exist.
func (c *call) made() (*collection, error) {
	name := c.target()
	if o := c.find(c.db, name); o != nil {
		return o, nil
	}
	if !valid(name) {
		return nil, &Error{73, "InvalidNamespace", "Invalid namespace specified '" + c.db + "." + clip(name) + "'"}
	}
	if len(c.databases()) >= maxDatabases {
		return nil, &Error{14031, "OutOfDiskSpace", "available disk space is less than required minimum"}
	}
	o := c.create(c.db, name)
	if o == nil {
		return nil, &Error{14031, "OutOfDiskSpace", "available disk space is less than required minimum"}
	}
	return o, nil
}

func (c *call) createIndexes() (Doc, error) {
	o, err := c.made()
	if err != nil {
		return nil, err
	}
	before := len(o.indexes)
	for _, v := range c.cmd.list("indexes") {
		d, isDoc := v.(Doc)
		if isDoc && len(o.indexes) < maxDepth && size(d) < maxPattern {
			o.indexes = append(o.indexes, append(Doc{{"v", int32(2)}}, d...))
		}
	}
	return Doc{{"numIndexesBefore", int32(before)}, {"numIndexesAfter", int32(len(o.indexes))}, {"createdCollectionAutomatically", false}}, nil
}

// define makes, renames and drops collections.
func (c *call) define() (Doc, error) {
	name := c.target()
	switch c.cmd[0].Name {
	case "create":
		if c.find(c.db, name) != nil {
			return nil, &Error{48, "NamespaceExists", "Collection " + c.db + "." + clip(name) + " already exists."}
		}
		_, err := c.made()
		return Doc{}, err
	case "drop":
		o := c.find(c.db, name)
		if o == nil {
			return nil, &Error{26, "NamespaceNotFound", "ns not found"}
		}
		c.drop(o)
		return Doc{{"nIndexesWas", int32(len(o.indexes))}, {"ns", c.db + "." + name}}, nil
	case "dropDatabase":
		for _, o := range c.ofDatabase() {
			c.drop(o)
		}
		return Doc{{"dropped", c.db}}, nil
	case "renameCollection":
		from, old, _ := strings.Cut(name, ".")
		to, renamed, _ := strings.Cut(c.cmd.Text("to"), ".")
		o := c.find(from, old)
		switch {
		case o == nil:
			return nil, &Error{26, "NamespaceNotFound", "Source collection " + clip(name) + " does not exist"}
		case !valid(renamed) || c.find(to, renamed) != nil && !c.cmd.flag("dropTarget"):
			return nil, &Error{48, "NamespaceExists", "target namespace exists"}
		}
		if other := c.find(to, renamed); other != nil {
			c.drop(other)
		}
		o.db, o.name = to, renamed
	}
	return Doc{}, nil
}
