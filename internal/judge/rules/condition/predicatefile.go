package condition

import (
	"path"
	"slices"

	"github.com/mcpsf/mcpsf/internal/judge/rules/event"
	"github.com/mcpsf/mcpsf/internal/judge/rules/paths"
)

// pathPredicates tell where a file is, and whether it belongs to the server or the user.
func pathPredicates() []Predicate { return slices.Concat(placePredicates(), filePredicates()) }

// placePredicates tell where a path leads.
func placePredicates() []Predicate {
	return []Predicate{
		{
			`isUnder`, []string{"path", "dir"}, `the path lies below the directory`,
			`isUnder(Path, homeDir() + "/.ssh")`,
			func(_ *Env, path, dir string) bool { return paths.Under(path, dir) },
		},
		{
			`basename`, []string{"path"}, `gives the last part of the path`,
			`basename(Path) == "tar"`,
			func(_ *Env, name string) string { return path.Base(name) },
		},
		{
			`homeDir`, nil, `gives the home directory of the user`,
			`Path == homeDir()`,
			func(e *Env) string { return e.Known.declared.Scope.Home },
		},
		{
			`workDir`, nil, `gives the directory that the server was installed in`,
			`isUnder(Path, workDir())`,
			func(e *Env) string { return e.Known.declared.Scope.WorkDir },
		},
		{
			`isServerPath`, []string{"path"}, `a server may write there unasked: its work directory, temporary files, its own settings and caches`,
			`Changed && !isServerPath(Subject)`,
			func(e *Env, path string) bool { return e.Known.declared.Places.Own(path) },
		},
		{
			`isSharedConfigDir`, []string{"path"}, "it is a folder such as `~/.config`, in which every program has its own",
			`!isSharedConfigDir(Path)`,
			func(e *Env, path string) bool { return e.Known.declared.Places.Shared(path) },
		},
		{
			`isPersistencePath`, []string{"path"}, `what stands there runs or is obeyed later: start-up files, schedules, hooks, settings of agents`,
			`Changed && isPersistencePath(Subject)`,
			func(e *Env, path string) bool { return e.Known.declared.Places.Persistent(path) },
		},
		{
			`inSearchPath`, []string{"path"}, `it lies in a folder of the home in which shells look for programs`,
			`Runnable && inSearchPath(Subject)`,
			func(e *Env, path string) bool { return e.Known.declared.Places.InSearchPath(path) },
		},
	}
}

// filePredicates tell whose file it is, and what is done to it.
func filePredicates() []Predicate {
	return []Predicate{
		{
			`setsGitProgram`, nil, `settings were put into a file of git's, or git is told a setting, by which git runs a program or speaks to another host, and the caller names neither the file nor the setting`,
			`setsGitProgram()`,
			func(e *Env) bool { return e.Known.Explainer.GitProgram(&e.Fields) != "" },
		},
		{
			`isUserFile`, nil, `the subject is a file of the user: the caller named it, or it is in the home and not the server's own`,
			`Destroyed && isUserFile()`,
			func(e *Env) bool { return e.Known.Explainer.UsersFile(&e.Fields) },
		},
		{
			`existedBefore`, nil, `the subject was there before the run`,
			`Destroyed && existedBefore()`,
			func(e *Env) bool { return e.Known.Run.Files.Existed(&e.Fields) },
		},
		{
			`isNew`, nil, `the subject was made in this run`,
			`Changed && !isNew()`,
			func(e *Env) bool { return e.Known.Run.Files.New(&e.Fields) },
		},
		{
			`inNewFolder`, nil, `the subject lies in an entry of the home that was made in this run`,
			`!inNewFolder()`,
			func(e *Env) bool { return e.Known.Run.Files.NewPlace(&e.Fields) },
		},
		{
			`isServerCode`, nil, `the subject is code that came with the server`,
			`Changed && isServerCode()`,
			func(e *Env) bool { return e.Known.Run.Files.OwnCode(&e.Fields, e.Known.Run.Program(&e.Fields)) },
		},
		{
			`isServerEntryPoint`, nil, `the subject is the file that the server was started from`,
			`Changed && isServerEntryPoint()`,
			func(e *Env) bool {
				return e.Known.Run.Files.Shipped(&e.Fields, e.Known.Run.Program(&e.Fields)) && e.Subject == e.Known.Run.Processes.Entry
			},
		},
		{
			`readsOwnEnviron`, nil, "a process opens its own `environ` in `/proc`",
			`readsOwnEnviron()`,
			func(e *Env) bool { return event.OwnVariables(&e.Fields) },
		},
	}
}
