package rules

import "slices"

// predicates are the functions of the language, by what they are about.
func predicates() []predicate {
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

// callPredicates are about the call that an event belongs to.
func callPredicates() []predicate {
	return []predicate{
		{
			`inCall`, nil, `the event is work for a call, not for the start, the handshake or a listing`,
			`inCall()`,
			func(e *env) bool { return inCall(&e.fields) },
		},
		{
			`isRepeatedCall`, nil, `the call was made before with the same arguments`,
			`isRepeatedCall() && Changed`,
			func(e *env) bool { return e.known.run.calls.again(&e.fields) },
		},
		{
			`messageCount`, nil, `gives how many requests or notifications of this method the server has sent in the call`,
			`messageCount() > 20`,
			func(e *env) int { return e.known.run.calls.nth(&e.fields) },
		},
		{
			`hasCallerInput`, nil, `a string of the call's arguments stands in the command line of the program that was started`,
			`isShell(Path) && hasCallerInput()`,
			func(e *env) bool { return e.known.run.calls.callerText(&e.fields) },
		},
		{
			`carriesCallerInput`, nil, `a request, a leak or the address of a picture in a result carries what the caller gave`,
			`carriesCallerInput() && !hostDeclared()`,
			func(e *env) bool { return e.known.run.carriesInput(&e.fields) },
		},
		{
			`outsideRoots`, nil, `the server was told which folders it may use, and the subject lies in none of them`,
			`outsideRoots()`,
			func(e *env) bool { return e.known.run.calls.outsideRoots(&e.fields) },
		},
	}
}

// explanationPredicates are about who asked for an access.
func explanationPredicates() []predicate {
	return []predicate{
		{
			`namedByUser`, nil, `an argument of the call or the configuration names the subject, or a directory that it lies in`,
			`!namedByUser()`,
			func(e *env) bool { return e.known.explainer.explain(&e.fields).ok() },
		},
		{
			`readByOwner`, nil, `the program that keeps the secret read it, as git does with its passwords`,
			`Decoy != "" && !readByOwner()`,
			func(e *env) bool { return e.known.explainer.usedByOwner(&e.fields) },
		},
		{
			`readByLibrary`, nil, "a common library reads the secret unasked: `.env` on the way up from the work directory, `.netrc` before a request",
			`!readByLibrary()`,
			func(e *env) bool { return e.known.explainer.byHabit(&e.fields) },
		},
		{
			`matchesPurpose`, nil, `the name of the package says that it works with the service that the secret opens`,
			`!matchesPurpose()`,
			func(e *env) bool { return e.known.declared.purpose.covers(e.Phase, e.Subject) },
		},
		{
			`inConfiguredFolder`, nil, `the configuration gives the server the home or a folder above it, and the call came upon the secret by listing its directory`,
			`!inConfiguredFolder()`,
			func(e *env) bool { return e.known.explainer.inGivenFolder(&e.fields) },
		},
		{
			`holdsStolenSecret`, nil, `the script, or the server in this call, has read a decoy before that it has no business with`,
			`holdsStolenSecret() && Writes`,
			func(e *env) bool { return e.known.thefts.holdsSecret(&e.fields) },
		},
		{
			`variableMatchesPackage`, nil, `the variable is that of a service that the package names`,
			`!variableMatchesPackage()`,
			func(e *env) bool { return e.known.declared.hosts.variable(e.Variable) },
		},
		{
			`isCloudPackage`, nil, `the package is for a cloud, or has a library that asks the metadata service by itself`,
			`isMetadataService() && !isCloudPackage()`,
			func(e *env) bool { return e.known.declared.purpose.usesCloud(e.Phase) },
		},
	}
}
