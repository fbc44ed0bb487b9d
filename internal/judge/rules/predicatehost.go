package rules

// hostPredicates are about hosts that are spoken to.
func hostPredicates() []predicate {
	return []predicate{
		{
			`hostDeclared`, nil, `an argument, the configuration, the documentation, a tool or the name of the package names the host`,
			`!hostDeclared()`,
			func(e *env) bool { return e.known.explainer.explainHost(&e.fields, e.Host).by > byNobody },
		},
		{
			`hostNamedByUser`, nil, `an argument of the call, with a value that the server did not propose itself, or the configuration names the host`,
			`!hostNamedByUser()`,
			func(e *env) bool { return e.known.explainer.explainHost(&e.fields, e.Host).by >= byConfiguration },
		},
		{
			`hostMatchesPackage`, nil, `the user named the host, or the domain is called like the package, its description or a configured variable`,
			`!hostMatchesPackage()`,
			func(e *env) bool { return e.known.explainer.explainHost(&e.fields, e.Host).by >= byName },
		},
		{
			`resemblesPackageName`, nil, `the domain begins like such a name and goes on; never true for well-known services, whose domains are known`,
			`resemblesPackageName()`,
			func(e *env) bool { return e.known.declared.hosts.resembles(e.Host) },
		},
		{
			`contactsOwnHost`, nil, `the server spoke to a host of which hostMatchesPackage() is true`,
			`contactsOwnHost()`,
			func(e *env) bool { return e.known.explainer.hasOwnHost() },
		},
		{
			`alsoSentElsewhere`, nil, `what it carries also went to another domain`,
			`alsoSentElsewhere()`,
			func(e *env) bool { return sentElsewhere(e) },
		},
		{
			`alsoSentToDeclaredHost`, nil, `what it carries also went to another domain that is declared`,
			`alsoSentToDeclaredHost()`,
			func(e *env) bool { return alsoSentTo(e) > byNobody },
		},
		{
			`alsoSentToOwnHost`, nil, `what it carries also went to another domain of which hostMatchesPackage() is true`,
			`alsoSentToOwnHost()`,
			func(e *env) bool { return alsoSentTo(e) >= byName },
		},
		{
			`isExfilService`, nil, `the host is a request catcher, a paste, a tunnel or a chat room: whoever collects there needs no machine of his own`,
			`isExfilService()`,
			func(e *env) bool { return class(e.Class).collects() },
		},
		{
			`isMetadataService`, nil, `machines in a cloud get their keys there`,
			`isMetadataService()`,
			func(e *env) bool { return isMetadata(e.Host) || isMetadata(e.Address) },
		},
		{
			`isSignInHost`, nil, `the host is the machine itself, or one where people sign in for others`,
			`URL != "" && !isSignInHost()`,
			func(e *env) bool { return e.fields.signIn() },
		},
		{
			`hasAbusedTLD`, nil, `the domain has an ending that costs next to nothing and is blocked by many networks`,
			`hasAbusedTLD()`,
			func(e *env) bool { return cheapEnding(e.Domain) },
		},
		{
			`isIPAddress`, nil, `the host is an address and no name`,
			`isIPAddress()`,
			func(e *env) bool { return isAddress(e.Host) },
		},
		{
			`isPublicIP`, nil, `an address of the Internet was spoken to that no name was looked up for`,
			`isPublicIP()`,
			func(e *env) bool { return e.fields.bareAddress(true) },
		},
		{
			`isPrivateIP`, nil, `an address of a private network was spoken to that no name was looked up for`,
			`isPrivateIP()`,
			func(e *env) bool { return e.fields.bareAddress(false) },
		},
	}
}

// sentElsewhere tells whether what an event carries also went to another domain.
func sentElsewhere(e *env) bool {
	_, found := e.known.explainer.elsewhere(&e.fields)
	return found
}

// alsoSentTo is the best reason for another domain that got the same.
func alsoSentTo(e *env) by {
	reason, _ := e.known.explainer.elsewhere(&e.fields)
	return reason
}
