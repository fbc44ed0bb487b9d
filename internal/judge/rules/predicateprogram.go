package rules

import (
	"path"
	"slices"
)

// programPredicates are about programs that are started.
func programPredicates() []predicate {
	return []predicate{
		{
			`isShell`, []string{"path"}, `it is a command shell`,
			`isShell(Path)`,
			func(e *env, path string) bool { return isShell(path, e.Args) },
		},
		{
			`isInterpreter`, []string{"path"}, `the program runs the code or the command that it is given`,
			`isInterpreter(Program)`,
			func(_ *env, name string) bool { return isRuntime(path.Base(name)) || passesOn(path.Base(name)) },
		},
		{
			`isBuildTool`, []string{"path"}, `building takes the program: compilers, runtimes, what shell scripts use`,
			`!isBuildTool(Path)`,
			func(_ *env, path string) bool { return buildTool(path) },
		},
		{
			`isRoutineSyscall`, []string{"name"}, `runtimes and libraries of good repute try that system call`,
			`!isRoutineSyscall(Syscall)`,
			func(_ *env, name string) bool { return routine(name) },
		},
		{
			`startedBySystemProgram`, nil, `a program of the system started it on its own account, as tar does with gzip`,
			`!startedBySystemProgram()`,
			func(e *env) bool { return e.known.run.processes.startedByProgram(&e.fields) },
		},
		{
			`runsDroppedFile`, nil, `the program, or the script of an interpreter, was written in this run, outside the work directory`,
			`runsDroppedFile()`,
			func(e *env) bool { return e.known.run.files.dropped(&e.fields, e.known.run.processes) },
		},
		{
			`runsDownloadedFile`, nil, `the program came into being in the work directory after something had been downloaded`,
			`runsDownloadedFile()`,
			func(e *env) bool {
				return e.known.run.answers.downloaded && e.known.run.files.fetched(&e.fields, e.known.run.processes)
			},
		},
		{
			`loadsDownloadedLibrary`, nil, `a library is opened that came into being after a download`,
			`loadsDownloadedLibrary()`,
			func(e *env) bool {
				return e.known.run.answers.downloaded && e.known.run.files.loadsNew(&e.fields, e.known.run.program(&e.fields))
			},
		},
		{
			`runsNetworkResponse`, nil, `a shell or interpreter was given as its command what the network had answered`,
			`runsNetworkResponse()`,
			func(e *env) bool { return e.known.run.answers.runsAnswer(&e.fields) },
		},
		{
			`pipesDownloadToShell`, nil, "a shell was started with a line that runs what it downloads or decodes, as `curl ... | sh`",
			`pipesDownloadToShell()`,
			func(e *env) bool { return fetchesAndRuns(e.Path, e.Args) },
		},
		{
			`opensReverseShell`, nil, `the command line ties a shell to a connection`,
			`opensReverseShell()`,
			func(e *env) bool { return opensShell(e.Path, e.Args) },
		},
		{
			`schedulesExecution`, nil, `the program is run to have something run later: crontab, systemctl enable, git config of what git runs`,
			`schedulesExecution() && !toolRunsCommands()`,
			func(e *env) bool { return setsUp(path.Base(e.Path), e.Args) },
		},
		{
			`gitDestroysData`, nil, `git throws away what cannot be had back, and neither the tool nor the package speaks of it`,
			`gitDestroysData()`,
			func(e *env) bool { return destroysByGit(e) },
		},
	}
}

// destroysByGit tells whether git throws something away, and nobody speaks of
// it.
func destroysByGit(e *env) bool {
	if path.Base(e.Path) != "git" || e.Error != "" || e.known.declared.executes(e.Tool, e.prompt) {
		return false
	}
	return slices.ContainsFunc(gitDestroys(e.Args), func(command string) bool { return !e.known.declared.mentions(e.Tool, command) })
}

// installPredicates are about installations.
func installPredicates() []predicate {
	return []predicate{
		{
			`byInstallScript`, nil, `a script or build that the package manager ran did it, or what that started, and not the package manager itself`,
			`Phase == "install" && byInstallScript()`,
			func(e *env) bool { return e.script != nil },
		},
		{
			`byPackageManager`, nil, `a package manager of the system did it, not on behalf of a script`,
			`byPackageManager()`,
			func(e *env) bool { return e.script == nil && e.known.run.program(&e.fields).installer },
		},
		{
			`installsPackage`, nil, `a package manager of the system put a package where packages belong`,
			`!installsPackage()`,
			func(e *env) bool { return e.known.run.files.byInstaller(&e.fields, e.known.run.program(&e.fields)) },
		},
		{
			`outlivesInstall`, nil, `it belongs to a script, and the package manager has ended`,
			`outlivesInstall()`,
			func(e *env) bool { return e.script != nil && e.known.run.processes.lineage.ended },
		},
		{
			`hasFact`, []string{"kind"}, `static inspection left a fact of that kind`,
			`hasFact("manifest.script") && Phase == "install"`,
			func(e *env, kind string) bool { return e.known.facts.has(kind) },
		},
		{
			`hasFactText`, []string{"kind", "part"}, `static inspection left a fact of that kind with that in its text`,
			`hasFactText("manifest.script", "curl")`,
			func(e *env, kind, part string) bool { return e.known.facts.hasText(kind, part) },
		},
		{
			`hasFactFile`, []string{"kind", "path"}, `static inspection left a fact of that kind about that file`,
			`hasFactFile("code.obfuscated", Path)`,
			func(e *env, kind, path string) bool { return e.known.facts.hasFile(kind, path) },
		},
	}
}
