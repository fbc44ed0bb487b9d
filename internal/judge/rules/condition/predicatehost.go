package condition

import (
	"github.com/mcpsf/mcpsf/internal/judge/rules/declared"
	"github.com/mcpsf/mcpsf/internal/judge/rules/hostname"
)

// hostPredicates concern contacted hosts.
//
//nolint:funlen // a table
func hostPredicates() []Predicate {
	return []Predicate{
		{
			`hostDeclared`, nil, `an argument, the configuration, the documentation, a tool or the name of the package names the host`,
			`!hostDeclared()`,
			func(e *Env) bool { return e.Known.Explainer.Host(&e.Fields, e.Host).By > declared.ByServer },
		},
		{
			`hostNamedByUser`, nil, `an argument of the call, with a value that the server did not propose itself, or the configuration names the host`,
			`!hostNamedByUser()`,
			func(e *Env) bool { return e.Known.Explainer.Host(&e.Fields, e.Host).By >= declared.ByConfiguration },
		},
		{
			`hostOfAttack`, nil, `an attack of ours gave the host to the server`,
			`!hostOfAttack()`,
			func(e *Env) bool { return e.Known.Run.Calls.AttackedWith(&e.Fields, e.Host) },
		},
		{
			`hostMatchesPackage`, nil, `the user named the host, or the domain is called like the package, its description or a configured variable`,
			`!hostMatchesPackage()`,
			func(e *Env) bool { return e.Known.Explainer.Host(&e.Fields, e.Host).By >= declared.ByName },
		},
		{
			`hostOfConfiguredService`, nil, `the user named the host, or set a variable that is called like the domain, as credentials of a service are`,
			`!hostOfConfiguredService()`,
			func(e *Env) bool { return e.Known.Explainer.Host(&e.Fields, e.Host).By >= declared.ByVariable },
		},
		{
			`hostOfConfiguredCredential`, nil, `the user set a variable that is called like a well-known service, and the host is that service's, whose domains nobody else can have`,
			`!hostOfConfiguredCredential()`,
			func(e *Env) bool { return e.Known.declared.Hosts.OfConfigured(e.Host) },
		},
		{
			`commandNamesPort`, nil, `the command line of this start of the server names the port on this machine`,
			`Reach == "loopback" && !commandNamesPort()`,
			func(e *Env) bool { return e.Known.Run.Processes.StartedWithPort(e.Port) },
		},
		{
			`portDocumented`, nil, `the documentation of the package names the port on this machine`,
			`Reach == "loopback" && !portDocumented()`,
			func(e *Env) bool { return e.Known.declared.Hosts.HasPort(e.Port) },
		},
		{
			`hostDocumented`, nil, `as hostDeclared(), but a value that the server proposed does not count`,
			`!hostDocumented()`,
			func(e *Env) bool { return e.Known.Explainer.Host(&e.Fields, e.Host).By >= declared.ByDocument },
		},
		{
			`bytesToDomain`, nil, `gives how many bytes the server could have sent data in to this domain since its start, this event included`,
			`bytesToDomain() >= 16`,
			func(e *Env) int { return e.Known.Run.Outgoing.To(&e.Fields) },
		},
		{
			`bytesInCall`, nil, `as bytesToDomain(), but in the call of the event alone`,
			`bytesInCall() >= 384`,
			func(e *Env) int { return e.Known.Run.Outgoing.InCall(&e.Fields) },
		},
		{
			`resemblesPackageName`, nil, `the domain begins like such a name and goes on; never true for well-known services, whose domains are known`,
			`resemblesPackageName()`,
			func(e *Env) bool { return e.Known.declared.Hosts.Resembles(e.Host) },
		},
		{
			`contactsOwnHost`, nil, `the server spoke to a host of which hostMatchesPackage() is true`,
			`contactsOwnHost()`,
			func(e *Env) bool { return e.Known.Explainer.HasOwnHost() },
		},
		{
			`alsoSentElsewhere`, nil, `what it carries also went to another domain`,
			`alsoSentElsewhere()`,
			sentElsewhere,
		},
		{
			`alsoSentToDeclaredHost`, nil, `what it carries also went to another domain that is declared`,
			`alsoSentToDeclaredHost()`,
			func(e *Env) bool { return alsoSentTo(e) > declared.ByServer },
		},
		{
			`alsoSentToOwnHost`, nil, `what it carries also went to another domain of which hostMatchesPackage() is true`,
			`alsoSentToOwnHost()`,
			func(e *Env) bool { return alsoSentTo(e) >= declared.ByName },
		},
		{
			`isExfilService`, nil, `the host is a request catcher, a paste, a tunnel or a chat room: whoever collects there needs no machine of his own`,
			`isExfilService()`,
			func(e *Env) bool { return hostname.Class(e.Class).Collects() },
		},
		{
			`isMetadataService`, nil, `machines in a cloud get their keys there`,
			`isMetadataService()`,
			func(e *Env) bool { return hostname.IsMetadata(e.Host) || hostname.IsMetadata(e.Address) },
		},
		{
			`isSignInHost`, nil, `the host is the machine itself, or one where people sign in for others`,
			`URL != "" && !isSignInHost()`,
			func(e *Env) bool { return e.Fields.SignIn() },
		},
		{
			`hasAbusedTLD`, nil, `the domain has an ending that costs next to nothing and is blocked by many networks`,
			`hasAbusedTLD()`,
			func(e *Env) bool { return hostname.CheapEnding(e.Domain) },
		},
		{
			`isIPAddress`, nil, `the host is an address and no name`,
			`isIPAddress()`,
			func(e *Env) bool { return hostname.IsAddress(e.Host) },
		},
		{
			`isPublicIP`, nil, `an address of the Internet was spoken to that no name was looked up for`,
			`isPublicIP()`,
			func(e *Env) bool { return e.Fields.BareAddress(true) },
		},
		{
			`isPrivateIP`, nil, `an address of a private network was spoken to that no name was looked up for`,
			`isPrivateIP()`,
			func(e *Env) bool { return e.Fields.BareAddress(false) },
		},
	}
}

// sentElsewhere tells whether the data of an event also went to another domain.
func sentElsewhere(e *Env) bool {
	_, found := e.Known.Explainer.Elsewhere(&e.Fields)
	return found
}

// alsoSentTo returns the best explanation among the other domains that received the same data.
func alsoSentTo(e *Env) declared.By {
	reason, _ := e.Known.Explainer.Elsewhere(&e.Fields)
	return reason
}
