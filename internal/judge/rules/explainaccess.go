package rules

import (
	"path"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// explainAccess answers for whatever an event uses. Files and hosts are
// explained as the rules see it; beyond that it says what needs no excuse,
// because every program does it.
func (r *run) explainAccess(f *fields, kind mcpsf.AccessKind) mcpsf.Explanation {
	var x explanation
	switch kind {
	case mcpsf.AccessProgram:
		x = r.explainProgram(f)
	case mcpsf.AccessRead, mcpsf.AccessWrite:
		x = r.explainFile(f, kind)
	case mcpsf.AccessHost:
		x = r.explainContact(f)
	case mcpsf.AccessListen:
		x = explanation{mcpsf.ByNobody, "other machines can reach it"}
		if f.Reach == "loopback" {
			x = explanation{mcpsf.ByNature, "only this machine can reach it"}
		}
	case mcpsf.AccessVariable:
		x = r.explainSetting(f)
	}
	return mcpsf.Explanation{By: x.By, Reason: x.Reason}
}

func (r *run) explainProgram(f *fields) explanation {
	name := path.Base(f.Path)
	switch {
	case f.Server && f.Call == "":
		return explanation{mcpsf.ByNature, "it is the server"}
	case f.Phase == string(mcpsf.PhaseInstall):
		if f.script == nil {
			return explanation{mcpsf.ByNature, "the package manager runs it"}
		}
		return explanation{mcpsf.ByNobody, "a script of the installation runs it"}
	case under(f.Path, r.scope.WorkDir) && !r.written[f.Path]:
		return explanation{mcpsf.ByNature, "it came with the server"}
	case r.mentions(f, name):
		return explanation{mcpsf.ByPurpose, "the tool or the name of the package names it"}
	case r.declaresExecution(f):
		return explanation{mcpsf.ByPurpose, "the tool says that it runs commands"}
	case r.startedByProgram(f):
		return explanation{mcpsf.ByNature, "a program of the system runs it for its own work"}
	case f.Call != "" && slices.Contains(r.argumentWords(f), name):
		return explanation{mcpsf.ByArgument, "an argument names it"}
	}
	return explanation{mcpsf.ByNobody, "no argument, no tool and no name of the package names it"}
}

// argumentWords are the words in the arguments of the call.
func (r *run) argumentWords(f *fields) []string {
	c := r.calls[f.Call]
	if c == nil {
		return nil
	}
	var words []string
	for _, text := range c.values() {
		words = append(words, strings.FieldsFunc(cut(text, maxPath), betweenWords)...)
	}
	return words
}

func (r *run) explainFile(f *fields, kind mcpsf.AccessKind) explanation {
	if f.Decoy == "" && f.Phase == string(mcpsf.PhaseInstall) {
		if f.script == nil {
			return explanation{mcpsf.ByNature, "the package manager uses it"}
		}
		if r.places.own(f.Subject) {
			return explanation{mcpsf.ByNature, "the installation may use it"}
		}
	}
	x := r.explain(f)
	switch {
	case x.ok():
	case f.Decoy == "" && r.places.own(f.Subject):
		return explanation{mcpsf.ByNature, "it is a place of the server's own"}
	case f.Decoy == "" && kind == mcpsf.AccessRead && !under(f.Subject, r.scope.Home) && f.Subject != r.scope.Home:
		return explanation{mcpsf.ByNature, "it is part of the system"}
	case f.Decoy == "" && r.newPlace(f):
		return explanation{mcpsf.ByNature, "the server made the folder itself"}
	case f.Decoy != "" && r.usedByOwner(f):
		return explanation{mcpsf.ByNature, "the program that keeps it reads it"}
	case f.Decoy != "" && r.inPurpose(f):
		return explanation{mcpsf.ByPurpose, "the name of the package is that of the service it opens"}
	case f.Decoy != "" && r.byHabit(f):
		return explanation{mcpsf.ByNature, "a common library reads it unasked"}
	case f.Decoy != "" && r.inGivenFolder(f):
		return explanation{mcpsf.ByConfiguration, "the configured folder was walked through, and it lies there"}
	}
	return x
}

// explainContact answers for a host that was spoken to.
func (r *run) explainContact(f *fields) explanation {
	switch {
	case f.Registry:
		return explanation{mcpsf.ByNature, "packages come from there"}
	case f.Reach == "loopback":
		return explanation{mcpsf.ByNature, "it is the machine itself"}
	}
	h := r.explainHost(f, f.Host)
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
func (r *run) explainSetting(f *fields) explanation {
	switch {
	case f.All:
		return explanation{mcpsf.ByNobody, "all of them were asked for at once"}
	case slices.ContainsFunc(r.scope.Env, func(kv string) bool { return strings.HasPrefix(kv, f.Variable+"=") }):
		return explanation{mcpsf.ByConfiguration, "it is configured"}
	case r.declared.variable(f.Variable):
		return explanation{mcpsf.ByPurpose, "it is that of a service that the package names"}
	case !f.Planted:
		return explanation{mcpsf.ByNature, "it holds no secret"}
	}
	return explanation{mcpsf.ByNobody, "no tool and no name of the package names it"}
}
