package condition

import (
	"slices"

	"github.com/mcpsf/mcpsf/internal/judge/rules/declared"
	"github.com/mcpsf/mcpsf/internal/judge/rules/event"
)

// Predicates returns all functions that conditions can call, by topic.
func Predicates() []Predicate {
	return slices.Concat(
		callPredicates(),
		explanationPredicates(),
		toolPredicates(),
		pathPredicates(),
		programPredicates(),
		installPredicates(),
		hostPredicates(),
		trafficPredicates(),
		attackPredicates(),
	)
}

// callPredicates concern the call that an event belongs to.
func callPredicates() []Predicate {
	return []Predicate{
		{
			`inCall`, nil, `the event is work for a call, not for the start, the handshake or a listing`,
			`inCall()`,
			func(e *Env) bool { return event.InCall(&e.Fields) },
		},
		{
			`isRepeatedCall`, nil, `the call was made before with the same arguments`,
			`isRepeatedCall() && Changed`,
			func(e *Env) bool { return e.Known.Run.Calls.Again(&e.Fields) },
		},
		{
			`messageCount`, nil, `gives how many requests or notifications of this method the server has sent in the call`,
			`messageCount() > 20`,
			func(e *Env) int { return e.Known.Run.Calls.Nth(&e.Fields) },
		},
		{
			`hasCallerInput`, nil, `a string of the call's arguments stands in the command line of the program that was started`,
			`isShell(Path) && hasCallerInput()`,
			func(e *Env) bool { return e.Known.Run.Calls.CallerText(&e.Fields) },
		},
		{
			`callerGave`, []string{"value"}, `the arguments of the call have this number or text as a whole value`,
			`Syscall == "kill" && !callerGave("-1")`,
			func(e *Env, value string) bool { return e.Known.Run.Calls.Gave(e.Call, value) },
		},
		{
			`carriesCallerInput`, nil, `a request, a leak or the address of a picture in a result carries what the caller gave`,
			`carriesCallerInput() && !hostDeclared()`,
			func(e *Env) bool { return e.Known.Run.CarriesInput(&e.Fields) },
		},
		{
			`carriesCredential`, nil, `what the caller gave and the request carries is a password, a token or a key, by the name of its parameter or of the tool, or by its form`,
			`carriesCallerInput() && carriesCredential()`,
			func(e *Env) bool { return e.Known.Run.CarriesCredential(&e.Fields) },
		},
		{
			`readsGivenFile`, nil, `the call read a file that an argument or the configuration names, and no document or secret that nobody names`,
			`Opaque > 0 && !readsGivenFile()`,
			func(e *Env) bool { return e.Known.Run.Held.GaveFile(&e.Fields) },
		},
		{
			`outsideRoots`, nil, `the server was told which folders it may use, and the subject lies in none of them`,
			`outsideRoots()`,
			func(e *Env) bool { return e.Known.Run.Calls.OutsideRoots(&e.Fields) },
		},
	}
}

// explanationPredicates tell who asked for an access.
func explanationPredicates() []Predicate {
	return slices.Concat(namedPredicates(), variablePredicates())
}

// namedPredicates tell who named a file, or whose business it is.
func namedPredicates() []Predicate {
	return []Predicate{
		{
			`namedByUser`, nil, `an argument of the call or the configuration names the subject, or a directory that it lies in`,
			`!namedByUser()`,
			func(e *Env) bool { return e.Known.Explainer.Path(&e.Fields).OK() },
		},
		{
			`namedExactly`, nil, `an argument of the call or the configuration names the subject itself, and not only a folder above it`,
			`Planted && !namedExactly()`,
			func(e *Env) bool { return e.Known.Explainer.Exactly(&e.Fields) },
		},
		{
			`namedToChange`, nil, `as namedExactly(), but an argument counts only for a tool that says that it writes, or runs commands; a folder is enough where everything in it runs by itself, or where the name of the package says that it writes such files`,
			`isPersistencePath(Subject) && !namedToChange()`,
			func(e *Env) bool { return e.Known.Explainer.ToChange(&e.Fields) },
		},
		{
			`announcedInFolder`, nil, `an argument or the configuration names a folder above the subject, and the tool says that it writes files of that kind, or fills folders with projects: a reason to report less, and none to report nothing`,
			`isPersistencePath(Subject) && !namedToChange() && announcedInFolder()`,
			func(e *Env) bool { return e.Known.Explainer.AnnouncedInFolder(&e.Fields) },
		},
		{
			`givenToRead`, nil, `the caller named the subject, to a tool that does not say that it writes, edits, converts or deletes`,
			`Destroyed && givenToRead()`,
			func(e *Env) bool { return e.Known.Explainer.GivenToRead(&e.Fields) },
		},
		{
			`readByOwner`, nil, `the program that keeps the secret read it, as git does with its passwords`,
			`Decoy != "" && !readByOwner()`,
			func(e *Env) bool { return e.Known.Explainer.UsedByOwner(&e.Fields) },
		},
		{
			`readByLibrary`, nil, "a common library reads the secret unasked: `.env` on the way up from the work directory, `.netrc` before a request",
			`!readByLibrary()`,
			func(e *Env) bool { return e.Known.Explainer.ByHabit(&e.Fields) },
		},
		{
			`matchesPurpose`, nil, `the name of the package says that it works with the service that the secret opens`,
			`!matchesPurpose()`,
			func(e *Env) bool { return e.Known.declared.Purpose.Covers(e.Phase, e.Subject) },
		},
		{
			`inConfiguredFolder`, nil, `the configuration gives the server the home or a folder above it, and the call came upon the secret by listing its directory`,
			`!inConfiguredFolder()`,
			func(e *Env) bool { return e.Known.Explainer.InGivenFolder(&e.Fields) },
		},
		{
			`holdsStolenSecret`, nil, `the script, or the server in this call, has read a decoy before that it has no business with`,
			`holdsStolenSecret() && Writes`,
			func(e *Env) bool { return e.Known.Thefts.HoldsSecret(&e.Fields) },
		},
	}
}

// variablePredicates tell whether a variable or a cloud is the business of the package.
func variablePredicates() []Predicate {
	return []Predicate{
		{
			`variableMatchesPackage`, nil, `the user set the variable or one of its service, or the package is called like the service`,
			`!variableMatchesPackage()`,
			func(e *Env) bool { return e.Known.declared.Variable(e.Variable) >= declared.ByName },
		},
		{
			`passedToChild`, nil, `the process that read the variables starts a child soon after, in the same call`,
			`All && !passedToChild()`,
			func(e *Env) bool { return e.Known.Run.Clients.PassedOn(e.Known.Run.Box, &e.Fields) },
		},
		{
			`variableExplained`, nil, `the user set the variable or one of its service, an argument names it, or the package is called like the service`,
			`Planted && !variableExplained()`,
			func(e *Env) bool { return e.Known.Explainer.Variable(&e.Fields) >= declared.ByName },
		},
		{
			`variableDocumented`, nil, `the documentation of the package mentions the variable or its service`,
			`!variableDocumented()`,
			func(e *Env) bool { return e.Known.declared.Variable(e.Variable) >= declared.ByDocument },
		},
		{
			`isCloudPackage`, nil, `the package is for a cloud, or has a library that asks the metadata service by itself`,
			`isMetadataService() && !isCloudPackage()`,
			func(e *Env) bool { return e.Known.declared.Purpose.UsesCloud(e.Phase) },
		},
	}
}
