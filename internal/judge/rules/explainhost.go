package rules

// explainHost answers for a host in the call that f belongs to.
func (x *explainer) explainHost(f *fields, host string) hostReason {
	if host == "" {
		return hostReason{byNobody, "it has no name"}
	}
	if c := x.run.calls.calls[f.Call]; c != nil {
		if c.attack != nil && c.attack.Marker == host {
			return hostReason{byArgument, "the attack asked for it"}
		}
		if claim, ok := x.run.calls.hosts(c).find(host); ok && claim.by == byArgument {
			return hostReason{byArgument, claim.source + " names it"}
		}
	}
	if x.run.calls.askedNow(host) {
		return hostReason{byArgument, "the attack that is being answered asked for it"}
	}
	best := x.declared.hosts.explain(host)
	if c := x.run.calls.calls[f.Call]; c != nil && best.by == byNobody {
		if claim, ok := x.run.calls.hosts(c).find(host); ok {
			best = hostReason{claim.by, claim.source + " names it, with a value that the server itself proposed"}
		}
	}
	if claim, ok := x.run.calls.memory.earlier.find(host); ok && best.by == byNobody {
		best = hostReason{claim.by, claim.source + " names it"}
	}
	return best
}

// elsewhere returns the best reason for another domain that got the same as
// this event carries, byNobody if there is another without reason, and false
// if there is none.
func (x *explainer) elsewhere(f *fields) (by, bool) {
	best, found := byNobody, false
	look := func(key sentKey) {
		for _, host := range x.run.traffic.sent[key] {
			if registrable(host) == f.Domain {
				continue
			}
			found = true
			best = max(best, x.explainHost(f, host).by)
		}
	}
	switch {
	case f.leak != "" && f.Given:
		look(sentKey{x.run.box, "", "given " + f.leak})
	case f.leak != "":
		look(sentKey{thing: "configured " + f.leak})
	default:
		for _, text := range x.run.traffic.carried[f.seq] {
			look(sentKey{x.run.box, f.Call, text})
		}
	}
	return best, found
}

// hasOwnHost tells whether the server spoke to a host that it is made for, by
// its name or the user's configuration. What else its documentation names may
// be there for other reasons.
func (x *explainer) hasOwnHost() bool {
	if !x.ownHostKnown {
		x.ownHostKnown = true
		for host := range x.run.traffic.hosts {
			if x.run.domains.directory.of(host) == classNone && x.explainHost(&fields{}, host).by >= byName {
				x.ownHost = true
				break
			}
		}
	}
	return x.ownHost
}
