package condition

import (
	"github.com/mcpsf/mcpsf/internal/judge/rules/event"
)

// trafficPredicates concern network traffic.
func trafficPredicates() []Predicate {
	return []Predicate{
		{
			`isDNSTunnel`, nil, `the names that were looked up below the domain carry data`,
			`isDNSTunnel()`,
			func(e *Env) bool { return e.Known.Run.Traffic.Tunnelled(e.Domain) },
		},
		{
			`isBeacon`, nil, `the host was called again and again without a call`,
			`isBeacon()`,
			func(e *Env) bool { return e.Known.Run.Traffic.Beacon(e.Host) },
		},
		{
			`hasEncodedValue`, nil, `a long value in the address or the head of a request says nothing to a reader`,
			`hasEncodedValue() && !hostDeclared()`,
			func(e *Env) bool { return event.DataInRequest(&e.Fields) },
		},
		{
			`isMiningProtocol`, nil, `a connection began with the words of a mining pool`,
			`isMiningProtocol()`,
			func(e *Env) bool { return event.Mining(e.Detail) },
		},
		{
			`isExposedWithoutAuth`, nil, `the server listens for other machines, and answers without credentials`,
			`isExposedWithoutAuth()`,
			func(e *Env) bool { return e.Known.Run.Served.ToAll() },
		},
	}
}

// attackPredicates concern the results of attacks.
func attackPredicates() []Predicate {
	return []Predicate{
		{
			`provesAttack`, nil, `the event is what only the success of the call's attack brings about`,
			`Attack == "ssrf" && provesAttack()`,
			func(e *Env) bool { return e.Known.Attacks.Proves(&e.Fields) },
		},
		{
			`isUnrestrictedTool`, nil, `the tool has no folder or hosts to keep to, as far as it says so or was seen to, and withstood none of the attacks that a tool without limits does not withstand`,
			`!isUnrestrictedTool()`,
			func(e *Env) bool { return e.Known.Attacks.Unlimited(&e.Fields) },
		},
		{
			`hangsRepeatedly`, nil, `after the attack of the call the server answered nothing any more, each time it was tried`,
			`hangsRepeatedly()`,
			func(e *Env) bool { return e.Known.Attacks.Cost.Stuck[e.Call] },
		},
	}
}
