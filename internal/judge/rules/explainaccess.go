package rules

import (
	"path"
	"slices"

	"github.com/mcpsf/mcpsf"
)

// explainAccess answers for whatever an event uses. Files and hosts are
// explained as the rules see it; beyond that it says what needs no excuse,
// because every program does it.
func (x *explainer) explainAccess(f *fields, kind mcpsf.AccessKind) mcpsf.Explanation {
	var why explanation
	switch kind {
	case mcpsf.AccessProgram:
		why = x.explainProgram(f)
	case mcpsf.AccessRead, mcpsf.AccessWrite:
		why = x.explainFile(f, kind)
	case mcpsf.AccessHost:
		why = x.explainContact(f)
	case mcpsf.AccessListen:
		why = explanation{mcpsf.ByNobody, "other machines can reach it"}
		if f.Reach == "loopback" {
			why = explanation{mcpsf.ByNature, "only this machine can reach it"}
		}
	case mcpsf.AccessVariable:
		why = x.explainSetting(f)
	}
	return mcpsf.Explanation{By: why.By, Reason: why.Reason}
}

func (x *explainer) explainProgram(f *fields) explanation {
	name := path.Base(f.Path)
	switch {
	case f.Server && f.Call == "":
		return explanation{mcpsf.ByNature, "it is the server"}
	case f.Phase == string(mcpsf.PhaseInstall):
		if f.script == nil {
			return explanation{mcpsf.ByNature, "the package manager runs it"}
		}
		return explanation{mcpsf.ByNobody, "a script of the installation runs it"}
	case under(f.Path, x.declared.scope.WorkDir) && !x.run.files.written[f.Path]:
		return explanation{mcpsf.ByNature, "it came with the server"}
	case x.declared.mentions(f.Tool, name):
		return explanation{mcpsf.ByPurpose, "the tool or the name of the package names it"}
	case x.declared.executes(f.Tool, f.prompt):
		return explanation{mcpsf.ByPurpose, "the tool says that it runs commands"}
	case x.run.processes.startedByProgram(f):
		return explanation{mcpsf.ByNature, "a program of the system runs it for its own work"}
	case f.Call != "" && slices.Contains(x.run.calls.argumentWords(f.Call), name):
		return explanation{mcpsf.ByArgument, "an argument names it"}
	}
	return explanation{mcpsf.ByNobody, "no argument, no tool and no name of the package names it"}
}

func (x *explainer) explainFile(f *fields, kind mcpsf.AccessKind) explanation {
	if f.Decoy == "" && f.Phase == string(mcpsf.PhaseInstall) {
		if f.script == nil {
			return explanation{mcpsf.ByNature, "the package manager uses it"}
		}
		if x.declared.places.own(f.Subject) {
			return explanation{mcpsf.ByNature, "the installation may use it"}
		}
	}
	why := x.explain(f)
	switch {
	case why.ok():
	case f.Decoy == "" && x.declared.places.own(f.Subject):
		return explanation{mcpsf.ByNature, "it is a place of the server's own"}
	case f.Decoy == "" && kind == mcpsf.AccessRead && !under(f.Subject, x.declared.scope.Home) && f.Subject != x.declared.scope.Home:
		return explanation{mcpsf.ByNature, "it is part of the system"}
	case f.Decoy == "" && x.run.files.newPlace(f):
		return explanation{mcpsf.ByNature, "the server made the folder itself"}
	case f.Decoy != "" && x.usedByOwner(f):
		return explanation{mcpsf.ByNature, "the program that keeps it reads it"}
	case f.Decoy != "" && x.declared.purpose.covers(f.Phase, f.Subject):
		return explanation{mcpsf.ByPurpose, "the name of the package is that of the service it opens"}
	case f.Decoy != "" && x.byHabit(f):
		return explanation{mcpsf.ByNature, "a common library reads it unasked"}
	case f.Decoy != "" && x.inGivenFolder(f):
		return explanation{mcpsf.ByConfiguration, "the configured folder was walked through, and it lies there"}
	}
	return why
}

// explainContact answers for a host that was spoken to.
func (x *explainer) explainContact(f *fields) explanation {
	switch {
	case f.Registry:
		return explanation{mcpsf.ByNature, "packages come from there"}
	case f.Reach == "loopback":
		return explanation{mcpsf.ByNature, "it is the machine itself"}
	}
	h := x.explainHost(f, f.Host)
	switch h.by {
	case byArgument:
		return explanation{mcpsf.ByArgument, h.reason}
	case byConfiguration:
		return explanation{mcpsf.ByConfiguration, h.reason}
	case byName, byDocument, byServer:
		return explanation{mcpsf.ByPurpose, h.reason}
	}
	return explanation{mcpsf.ByNobody, h.reason}
}

// explainSetting answers for a variable that was asked for.
func (x *explainer) explainSetting(f *fields) explanation {
	switch {
	case f.All:
		return explanation{mcpsf.ByNobody, "all of them were asked for at once"}
	case x.declared.config.sets(f.Variable):
		return explanation{mcpsf.ByConfiguration, "it is configured"}
	case x.declared.hosts.variable(f.Variable):
		return explanation{mcpsf.ByPurpose, "it is that of a service that the package names"}
	case !f.Planted:
		return explanation{mcpsf.ByNature, "it holds no secret"}
	}
	return explanation{mcpsf.ByNobody, "no tool and no name of the package names it"}
}
