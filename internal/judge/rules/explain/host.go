package explain

import (
	"github.com/mcpsf/mcpsf/internal/judge/rules/declared"
	"github.com/mcpsf/mcpsf/internal/judge/rules/event"
	"github.com/mcpsf/mcpsf/internal/judge/rules/history"
	"github.com/mcpsf/mcpsf/internal/judge/rules/hostname"
)

// Host returns who explains contact with a host in the call of f.
func (x *Explainer) Host(f *event.Fields, host string) declared.HostReason {
	if host == "" {
		return declared.HostReason{By: declared.ByNobody, Reason: "it has no name"}
	}
	if c := x.run.Calls.ByID[f.Call]; c != nil {
		if c.Attack != nil && c.Attack.Marker == host {
			return declared.HostReason{By: declared.ByArgument, Reason: "the attack asked for it"}
		}
		if claim, ok := x.run.Calls.Hosts(c).Find(host); ok && claim.By == declared.ByArgument {
			return declared.HostReason{By: declared.ByArgument, Reason: claim.Source + " names it"}
		}
	}
	if x.run.Calls.AskedNow(host) {
		return declared.HostReason{By: declared.ByArgument, Reason: "the attack that is being answered asked for it"}
	}
	if x.run.Calls.AttackedWith(f, host) {
		return declared.HostReason{By: declared.ByArgument, Reason: "an attack gave it to the server"}
	}
	best := x.declared.Hosts.Explain(host)
	if c := x.run.Calls.ByID[f.Call]; c != nil && best.By == declared.ByNobody {
		if claim, ok := x.run.Calls.Hosts(c).Find(host); ok {
			best = declared.HostReason{By: claim.By, Reason: claim.Source + " names it, with a value that the server itself proposed"}
		}
	}
	if claim, ok := x.run.Calls.Memory.Earlier.Find(host); ok && best.By == declared.ByNobody {
		best = declared.HostReason{By: claim.By, Reason: claim.Source + " names it"}
	}
	if best.By <= declared.ByServer && f.Reach == "loopback" && f.Host == host {
		best = declared.HostReason{By: declared.ByDocument, Reason: "it is the machine itself"}
	}
	return best
}

// Elsewhere returns the best reason among the other domains that received the
// same data as this event, byNobody if one of them has no reason, and false if
// there are none. What a program of the same machine got is neither an excuse nor a
// reproach.
func (x *Explainer) Elsewhere(f *event.Fields) (declared.By, bool) {
	best, found := declared.ByNobody, false
	look := func(key history.SentKey) {
		for _, host := range x.run.Traffic.Sent[key] {
			if hostname.Registrable(host) == f.Domain || hostname.IsLoopback(host) {
				continue
			}
			found = true
			best = max(best, x.Host(f, host).By)
		}
	}
	switch {
	case f.LeakID != "" && f.Given:
		look(history.SentKey{Box: x.run.Box, Call: "", Thing: "given " + f.LeakID})
	case f.LeakID != "":
		look(history.SentKey{Thing: "configured " + f.LeakID})
	default:
		for _, text := range x.run.Traffic.Carried[f.Seq] {
			look(history.SentKey{Box: x.run.Box, Call: f.Call, Thing: text})
		}
	}
	return best, found
}

// HasOwnHost tells whether the server contacted a host that its name or the
// user's configuration names. Hosts in its documentation do not count: they may
// be mentioned for other reasons.
func (x *Explainer) HasOwnHost() bool {
	if !x.ownHostKnown {
		x.ownHostKnown = true
		for host := range x.run.Traffic.Hosts {
			if x.run.Domains.Directory.Of(host) == hostname.ClassNone && x.Host(&event.Fields{}, host).By >= declared.ByName {
				x.ownHost = true
				break
			}
		}
	}
	return x.ownHost
}
