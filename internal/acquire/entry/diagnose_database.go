package entry

import (
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

var (
	unreachable = lazyregexp.New(`(?i)ECONNREFUSED|ENOTFOUND|EAI_AGAIN|connection (?:refused|failed|timed out)|(?:could not|cannot|can't|failed to|unable to) connect|no such host|name or service not known`)
	unopened    = lazyregexp.New(`(?i)unable to open database|SQLITE_CANTOPEN|cannot open database`)
	rootedFile  = lazyregexp.New(`^sqlite:////`)
	databaseURL = lazyregexp.New(`(?i)^(?:postgres(?:ql)?|mysql|mariadb|mssql|sqlserver)(?:\+\w+)?://`)
)

// unreachableDatabase replaces a database that the server could not reach by
// one that is a file, because many servers support both. Some do not take the
// fourth slash of its URL for the root directory.
func unreachableDatabase(d *diagnosis) {
	if at := slices.IndexFunc(d.lines, unopened.MatchString); at >= 0 && d.exchange(at, rootedFile, "sqlite:///path/to/database.db") {
		return
	}
	if at := slices.IndexFunc(d.lines, unreachable.MatchString); at >= 0 {
		d.exchange(at, databaseURL, "sqlite:////path/to/database.db")
	}
}

// exchange proposes another URL in place of those that match old, because of a
// line, and reports whether there was one.
func (d *diagnosis) exchange(line int, old *lazyregexp.Regexp, address string) bool {
	args := slices.Clone(d.tried.Args)
	for i, arg := range args {
		name, option, hasValue := cutOption(arg)
		switch {
		case old.MatchString(arg):
			args[i] = address
		case option && hasValue && old.MatchString(arg[len(name)+1:]):
			args[i] = name + "=" + address
		}
	}
	var env []string
	for _, v := range d.tried.Env {
		if name, value, _ := strings.Cut(v, "="); old.MatchString(value) {
			env = append(env, name+"="+address)
		}
	}
	if slices.Equal(args, d.tried.Args) {
		if len(env) > 0 {
			d.add(Fix{Env: env}, d.lines[line])
		}
		return len(env) > 0
	}
	d.add(Fix{Args: args, Replace: true, Env: env}, d.lines[line])
	return true
}
