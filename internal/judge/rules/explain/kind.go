package explain

import (
	"path"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/rules/declared"
	"github.com/mcpsf/mcpsf/internal/judge/rules/event"
	"github.com/mcpsf/mcpsf/internal/judge/rules/paths"
)

// Access returns who explains an access of any kind. Files and hosts are
// explained as in the rules. Accesses that every program makes need no
// explanation.
func (x *Explainer) Access(f *event.Fields, kind mcpsf.AccessKind) mcpsf.Explanation {
	var why Explanation
	switch kind {
	case mcpsf.AccessProgram:
		why = x.program(f)
	case mcpsf.AccessRead, mcpsf.AccessWrite:
		why = x.file(f, kind)
	case mcpsf.AccessHost:
		why = x.contact(f)
	case mcpsf.AccessListen:
		why = Explanation{By: mcpsf.ByNobody, Reason: "other machines can reach it"}
		if f.Reach == "loopback" {
			why = Explanation{By: mcpsf.ByNature, Reason: "only this machine can reach it"}
		}
	case mcpsf.AccessVariable:
		why = x.setting(f)
	}
	return mcpsf.Explanation{By: why.By, Reason: why.Reason}
}

func (x *Explainer) program(f *event.Fields) Explanation {
	name := path.Base(f.Path)
	switch {
	case f.Server && f.Call == "":
		return Explanation{By: mcpsf.ByNature, Reason: "it is the server"}
	case f.Phase == string(mcpsf.PhaseInstall):
		if f.Script == nil {
			return Explanation{By: mcpsf.ByNature, Reason: "the package manager runs it"}
		}
		return Explanation{By: mcpsf.ByNobody, Reason: "a script of the installation runs it"}
	case paths.Under(f.Path, x.declared.Scope.WorkDir) && !x.run.Files.Written[f.Path]:
		return Explanation{By: mcpsf.ByNature, Reason: "it came with the server"}
	case x.declared.Mentions(f.Tool, name):
		return Explanation{By: mcpsf.ByPurpose, Reason: "the tool or the name of the package names it"}
	case x.declared.Executes(f.Tool, f.Prompt):
		return Explanation{By: mcpsf.ByPurpose, Reason: "the tool says that it runs commands"}
	case x.run.Processes.StartedByProgram(f):
		return Explanation{By: mcpsf.ByNature, Reason: "a program of the system runs it for its own work"}
	case f.Call != "" && x.run.Calls.NamesWord(f.Call, name):
		return Explanation{By: mcpsf.ByArgument, Reason: "an argument names it"}
	}
	return Explanation{By: mcpsf.ByNobody, Reason: "no argument, no tool and no name of the package names it"}
}

func (x *Explainer) file(f *event.Fields, kind mcpsf.AccessKind) Explanation {
	if f.Decoy == "" && f.Phase == string(mcpsf.PhaseInstall) {
		if f.Script == nil {
			return Explanation{By: mcpsf.ByNature, Reason: "the package manager uses it"}
		}
		if x.declared.Places.Own(f.Subject) {
			return Explanation{By: mcpsf.ByNature, Reason: "the installation may use it"}
		}
	}
	why := x.Path(f)
	switch {
	case why.OK():
	case f.Decoy == "" && x.declared.Places.Own(f.Subject):
		return Explanation{By: mcpsf.ByNature, Reason: "it is a place of the server's own"}
	case f.Decoy == "" && kind == mcpsf.AccessRead && !paths.Under(f.Subject, x.declared.Scope.Home) && f.Subject != x.declared.Scope.Home:
		return Explanation{By: mcpsf.ByNature, Reason: "it is part of the system"}
	case f.Decoy == "" && x.run.Files.NewPlace(f):
		return Explanation{By: mcpsf.ByNature, Reason: "the server made the folder itself"}
	case f.Decoy != "" && x.UsedByOwner(f):
		return Explanation{By: mcpsf.ByNature, Reason: "the program that keeps it reads it"}
	case f.Decoy != "" && x.declared.Purpose.Covers(f.Phase, f.Subject):
		return Explanation{By: mcpsf.ByPurpose, Reason: "the name of the package is that of the service it opens"}
	case f.Decoy != "" && x.ByHabit(f):
		return Explanation{By: mcpsf.ByNature, Reason: "a common library reads it unasked"}
	case f.Decoy != "" && x.InGivenFolder(f):
		return Explanation{By: mcpsf.ByConfiguration, Reason: "the configured folder was walked through, and it lies there"}
	}
	return why
}

// contact explains contact with a host.
func (x *Explainer) contact(f *event.Fields) Explanation {
	switch {
	case f.Registry:
		return Explanation{By: mcpsf.ByNature, Reason: "packages come from there"}
	case f.Reach == "loopback":
		return Explanation{By: mcpsf.ByNature, Reason: "it is the machine itself"}
	}
	h := x.Host(f, f.Host)
	switch h.By {
	case declared.ByArgument:
		return Explanation{By: mcpsf.ByArgument, Reason: h.Reason}
	case declared.ByConfiguration:
		return Explanation{By: mcpsf.ByConfiguration, Reason: h.Reason}
	case declared.ByVariable, declared.ByName, declared.ByDocument, declared.ByServer:
		return Explanation{By: mcpsf.ByPurpose, Reason: h.Reason}
	}
	return Explanation{By: mcpsf.ByNobody, Reason: h.Reason}
}

// setting explains the read of an environment variable.
func (x *Explainer) setting(f *event.Fields) Explanation {
	switch {
	case f.All:
		return Explanation{By: mcpsf.ByNobody, Reason: "all of them were asked for at once"}
	case x.declared.Config.Sets(f.Variable):
		return Explanation{By: mcpsf.ByConfiguration, Reason: "it is configured"}
	case x.declared.Variable(f.Variable) >= declared.ByDocument:
		return Explanation{By: mcpsf.ByPurpose, Reason: "it is that of a service that the package names"}
	case !f.Planted:
		return Explanation{By: mcpsf.ByNature, Reason: "it holds no secret"}
	}
	return Explanation{By: mcpsf.ByNobody, Reason: "no tool and no name of the package names it"}
}
