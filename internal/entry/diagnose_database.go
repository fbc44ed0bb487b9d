package entry

import (
	"regexp"
	"slices"
	"strings"
)

var (
	unreachable = regexp.MustCompile(`(?i)ECONNREFUSED|ENOTFOUND|EAI_AGAIN|connection (?:refused|failed|timed out)|(?:could not|cannot|can't|failed to|unable to) connect|no such host|name or service not known`)
	unopened    = regexp.MustCompile(`(?i)unable to open database|SQLITE_CANTOPEN|cannot open database`)
	rootedFile  = regexp.MustCompile(`^sqlite:////`)
	databaseURL = regexp.MustCompile(`(?i)^(?:postgres(?:ql)?|mysql|mariadb|mssql|sqlserver)(?:\+\w+)?://`)
)

// unreachableDatabase answers a server that could not reach the database it
// was given with one that is a file: many speak to either.
func unreachableDatabase(d *diagnosis) {
	at, old, file := slices.IndexFunc(d.lines, unreachable.MatchString), databaseURL, "sqlite:////path/to/database.db"
	if at < 0 {
		// Not everybody takes the fourth slash for the root directory.
		at, old, file = slices.IndexFunc(d.lines, unopened.MatchString), rootedFile, "sqlite:///path/to/database.db"
	}
	if at < 0 {
		return
	}
	args := slices.Clone(d.tried.Args)
	for i, arg := range args {
		name, option, hasValue := cutOption(arg)
		switch {
		case old.MatchString(arg):
			args[i] = file
		case option && hasValue && old.MatchString(arg[len(name)+1:]):
			args[i] = name + "=" + file
		}
	}
	var env []string
	for _, v := range d.tried.Env {
		if name, value, _ := strings.Cut(v, "="); old.MatchString(value) {
			env = append(env, name+"="+file)
		}
	}
	if slices.Equal(args, d.tried.Args) {
		d.add(Fix{Env: env}, d.lines[at])
		return
	}
	d.add(Fix{Args: args, Replace: true, Env: env}, d.lines[at])
}
