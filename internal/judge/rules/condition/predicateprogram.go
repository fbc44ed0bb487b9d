package condition

import (
	"path"
	"slices"

	"github.com/mcpsf/mcpsf/internal/judge/rules/programs"
)

// programPredicates concern started programs.
//
//nolint:funlen // a table
func programPredicates() []Predicate {
	return []Predicate{
		{
			`isShell`, []string{"path"}, `it is a command shell`,
			`isShell(Path)`,
			func(e *Env, path string) bool { return programs.IsShell(path, e.Args) },
		},
		{
			`isInterpreter`, []string{"path"}, `the program runs the code or the command that it is given`,
			`isInterpreter(Program)`,
			func(_ *Env, name string) bool {
				return programs.IsRuntime(path.Base(name)) || programs.PassesOn(path.Base(name))
			},
		},
		{
			`isBuildTool`, []string{"path"}, `building takes the program: compilers, runtimes, what shell scripts use`,
			`!isBuildTool(Path)`,
			func(_ *Env, path string) bool { return programs.IsBuildTool(path) },
		},
		{
			`isRoutineSyscall`, []string{"name"}, `runtimes and libraries of good repute try that system call`,
			`!isRoutineSyscall(Syscall)`,
			func(_ *Env, name string) bool { return programs.IsRoutineSyscall(name) },
		},
		{
			`startedBySystemProgram`, nil, `a program of the system started it on its own account, as tar does with gzip`,
			`!startedBySystemProgram()`,
			func(e *Env) bool { return e.Known.Run.Processes.StartedByProgram(&e.Fields) },
		},
		{
			`runsDroppedFile`, nil, `the program, or the script of an interpreter, was written in this run, outside the work directory`,
			`runsDroppedFile()`,
			func(e *Env) bool { return e.Known.Run.Files.Dropped(&e.Fields, e.Known.Run.Processes) },
		},
		{
			`runsDownloadedFile`, nil, `the program came into being in the work directory after something had been downloaded`,
			`runsDownloadedFile()`,
			func(e *Env) bool {
				return e.Known.Run.Answers.Downloaded && e.Known.Run.Files.Fetched(&e.Fields, e.Known.Run.Processes)
			},
		},
		{
			`loadsDownloadedLibrary`, nil, `a library is opened that came into being after a download`,
			`loadsDownloadedLibrary()`,
			func(e *Env) bool {
				return e.Known.Run.Answers.Downloaded && e.Known.Run.Files.LoadsNew(&e.Fields, e.Known.Run.Program(&e.Fields))
			},
		},
		{
			`runsNetworkResponse`, nil, `a shell or interpreter was given as its command what the network had answered and the caller had not given`,
			`runsNetworkResponse()`,
			func(e *Env) bool { return e.Known.Run.RunsAnswer(&e.Fields) },
		},
		{
			`pipesDownloadToShell`, nil, "a shell was started with a line that runs what it downloads or decodes, as piping curl into sh",
			`pipesDownloadToShell()`,
			func(e *Env) bool { return programs.PipesDownloadToShell(e.Path, e.Args) },
		},
		{
			`opensReverseShell`, nil, `the command line ties a shell to a connection`,
			`opensReverseShell()`,
			func(e *Env) bool { return programs.OpensReverseShell(e.Path, e.Args) },
		},
		{
			`schedulesExecution`, nil, `the program is run to have something run later: crontab, systemctl enable, git config of what git runs`,
			`schedulesExecution() && !toolRunsCommands()`,
			func(e *Env) bool { return programs.SchedulesExecution(path.Base(e.Path), e.Args) },
		},
		{
			`gitDestroysData`, nil, `git throws away what cannot be had back, and neither the tool nor the package speaks of it`,
			`gitDestroysData()`,
			destroysByGit,
		},
	}
}

// destroysByGit tells whether git discards something that neither the tool nor
// the package name mentions.
func destroysByGit(e *Env) bool {
	if path.Base(e.Path) != "git" || e.Error != "" || e.Known.declared.Executes(e.Tool, e.Prompt) {
		return false
	}
	return slices.ContainsFunc(programs.GitDestroys(e.Args), func(command string) bool {
		return !e.Known.declared.Mentions(e.Tool, command) || !e.Known.declared.Tools.Says(e.Tool, programs.WordsOfDestruction(command))
	})
}

// installPredicates concern installations.
func installPredicates() []Predicate {
	return []Predicate{
		{
			`byInstallScript`, nil, `a script or build that the package manager ran did it, or what that started, and not the package manager itself`,
			`Phase == "install" && byInstallScript()`,
			func(e *Env) bool { return e.Script != nil },
		},
		{
			`byPackageManager`, nil, `a package manager of the system did it, not on behalf of a script`,
			`byPackageManager()`,
			func(e *Env) bool { return e.Script == nil && e.Known.Run.Program(&e.Fields).Installer },
		},
		{
			`installsPackage`, nil, `a package manager of the system put a package where packages belong: in a call one that the caller names, and into the search path a program that its command line names`,
			`!installsPackage()`,
			func(e *Env) bool {
				prog := e.Known.Run.Program(&e.Fields)
				return e.Known.Run.Files.ByInstaller(&e.Fields, prog) && e.Known.Run.AskedInstall(&e.Fields, prog)
			},
		},
		{
			`outlivesInstall`, nil, `it belongs to a script, and the package manager has ended`,
			`outlivesInstall()`,
			func(e *Env) bool { return e.Script != nil && e.Known.Run.Processes.Lineage.Ended },
		},
		{
			`hasFact`, []string{"kind"}, `static inspection left a fact of that kind`,
			`hasFact("manifest.script") && Phase == "install"`,
			func(e *Env, kind string) bool { return e.Known.facts.Has(kind) },
		},
		{
			`hasFactText`, []string{"kind", "part"}, `static inspection left a fact of that kind with that in its text`,
			`hasFactText("manifest.script", "curl")`,
			func(e *Env, kind, part string) bool { return e.Known.facts.HasText(kind, part) },
		},
		{
			`hasFactFile`, []string{"kind", "path"}, `static inspection left a fact of that kind about that file`,
			`hasFactFile("code.encoded", Path)`,
			func(e *Env, kind, path string) bool { return e.Known.facts.HasFile(kind, path) },
		},
	}
}
