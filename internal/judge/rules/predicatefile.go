package rules

import "path"

// pathPredicates are about where a file lies, and whose it is.
func pathPredicates() []predicate {
	return []predicate{
		{
			`isUnder`, []string{"path", "dir"}, `the path lies below the directory`,
			`isUnder(Path, homeDir() + "/.ssh")`,
			func(_ *env, path, dir string) bool { return under(path, dir) },
		},
		{
			`basename`, []string{"path"}, `gives the last part of the path`,
			`basename(Path) == "tar"`,
			func(_ *env, name string) string { return path.Base(name) },
		},
		{
			`homeDir`, nil, `gives the home directory of the user`,
			`Path == homeDir()`,
			func(e *env) string { return e.known.declared.scope.Home },
		},
		{
			`workDir`, nil, `gives the directory that the server was installed in`,
			`isUnder(Path, workDir())`,
			func(e *env) string { return e.known.declared.scope.WorkDir },
		},
		{
			`isServerPath`, []string{"path"}, `a server may write there unasked: its work directory, temporary files, its own settings and caches`,
			`Changed && !isServerPath(Subject)`,
			func(e *env, path string) bool { return e.known.declared.places.own(path) },
		},
		{
			`isSharedConfigDir`, []string{"path"}, "it is a folder such as `~/.config`, in which every program has its own",
			`!isSharedConfigDir(Path)`,
			func(e *env, path string) bool { return e.known.declared.places.shared(path) },
		},
		{
			`isPersistencePath`, []string{"path"}, `what stands there runs or is obeyed later: start-up files, schedules, hooks, settings of agents`,
			`Changed && isPersistencePath(Subject)`,
			func(e *env, path string) bool { return e.known.declared.places.persistent(path) },
		},
		{
			`isUserFile`, nil, `the subject is a file of the user: the caller named it, or it is in the home and not the server's own`,
			`Destroyed && isUserFile()`,
			func(e *env) bool { return e.known.explainer.usersFile(&e.fields) },
		},
		{
			`existedBefore`, nil, `the subject was there before the run`,
			`Destroyed && existedBefore()`,
			func(e *env) bool { return e.known.run.files.existed(&e.fields) },
		},
		{
			`inNewFolder`, nil, `the subject lies in an entry of the home that was made in this run`,
			`!inNewFolder()`,
			func(e *env) bool { return e.known.run.files.newPlace(&e.fields) },
		},
		{
			`isServerCode`, nil, `the subject is code that came with the server`,
			`Changed && isServerCode()`,
			func(e *env) bool { return e.known.run.files.ownCode(&e.fields, e.known.run.program(&e.fields)) },
		},
		{
			`isServerEntryPoint`, nil, `the subject is the file that the server was started from`,
			`Changed && isServerEntryPoint()`,
			func(e *env) bool {
				return e.known.run.files.shipped(&e.fields, e.known.run.program(&e.fields)) && e.Subject == e.known.run.processes.entry
			},
		},
		{
			`readsOwnEnviron`, nil, "a process opens its own `environ` in `/proc`",
			`readsOwnEnviron()`,
			func(e *env) bool { return ownVariables(&e.fields) },
		},
	}
}
