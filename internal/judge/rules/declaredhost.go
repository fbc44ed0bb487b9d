package rules

import (
	"strings"

	"github.com/mcpsf/mcpsf"
)

// Why talking to a host is innocent.
//
// Contact is explained when somebody named the host: the arguments of the call
// it belongs to, the configuration, the documentation of the package and the
// descriptions of its tools, or the name of the package and of the credentials
// it asks for: what "github-mcp-server" wants from api.github.com needs no
// words.
//
// A whole domain is one owner's, so a name explains its neighbours, except
// below the suffixes of providers, where each customer is his own. A word
// explains a domain of that name, whatever its ending; but where the word is
// that of a well-known service, only the domains of that service, because that
// is the name a thief would take.
//
// A package writes its own documentation, so this is an excuse for talking and
// not for what is said: what the rules think of a secret on its way out does
// not depend on it.

// declared is what the run says about itself, as far as hosts go.
type declared struct {
	hosts hostClaims
	// words are those that can be the name of a domain, by where they stand.
	words    map[string]hostClaim
	services []service
	// known are the words of well-known services, and labels the domains of
	// one by the name that each of them has.
	known  map[string]bool
	labels map[string][]string
	// answers are what was said of hosts, once somebody asked.
	answers map[string]hostReason
}

func newDeclared(scope Scope) *declared {
	d := &declared{
		hosts: hostClaims{}, words: map[string]hostClaim{}, services: services(), known: map[string]bool{}, labels: map[string][]string{},
		answers: map[string]hostReason{},
	}
	for _, s := range d.services {
		for _, w := range s.words {
			d.known[w] = true
		}
		for _, domain := range s.domains {
			d.labels[mainLabel(domain)] = s.domains
		}
	}
	d.configured(scope)
	pkg, own, _ := strings.Cut(scope.Name, " ")
	d.name(pkg, hostClaim{byName, "the name of the package"}, false)
	d.name(own, hostClaim{byName, "the name of the server"}, false)
	d.name(scope.Description, hostClaim{byName, "the description of the package"}, true)
	for _, h := range scope.Hosts[:min(len(scope.Hosts), maxListed)] {
		d.hosts.add(h, hostClaim{byDocument, "the documentation of the package"})
	}
	d.hosts.add(cut(scope.Description, maxDescription), hostClaim{byDocument, "the description of the package"})
	for _, name := range sortedKeys(scope.Tools) {
		d.tool(scope.Tools[name])
	}
	return d
}

// configured takes in what the user wrote: addresses, and the names of
// variables that hold something for a service.
func (d *declared) configured(scope Scope) {
	for _, arg := range scope.Command[min(1, len(scope.Command)):] {
		d.hosts.add(arg, hostClaim{byConfiguration, "the command line"})
	}
	for _, kv := range scope.Env {
		key, value, _ := strings.Cut(kv, "=")
		if ambient(key) {
			continue
		}
		d.hosts.add(value, hostClaim{byConfiguration, "the variable " + quote(key)})
		d.name(key, hostClaim{byName, "the name of the variable " + quote(key)}, false)
	}
}

func (d *declared) tool(tool mcpsf.Tool) {
	source := hostClaim{byDocument, "the tool " + quote(tool.Name)}
	d.hosts.add(cut(tool.Description, maxDescription), source)
	n := 0
	for s := range stringsIn(tool.InputSchema) {
		if n++; n > maxClaims {
			break
		}
		d.hosts.add(s, source)
	}
	d.name(strings.Join(toolWords(tool.Name), " "), source, true)
}

// name takes the words of a name, and those that stand beside each other as
// one: "Bright Data" has brightdata.com. Of free text the ordinary words do
// not count.
func (d *declared) name(text string, claim hostClaim, free bool) {
	words := toolWords(cut(text, maxPath))
	for i := range words {
		joined := ""
		for n := i; n < min(i+3, len(words)); n++ {
			joined += words[n]
			if len(joined) < 2 && !d.known[joined] || len(d.words) >= maxListed || ordinary(joined) {
				continue
			}
			if free && len(joined) < 4 && !d.known[joined] {
				continue
			}
			if old, ok := d.words[joined]; !ok || old.by < claim.by {
				d.words[joined] = claim
			}
		}
	}
}

// explain answers by what the run says about itself.
func (d *declared) explain(host string) hostReason {
	best, known := d.answers[host]
	if known {
		return best
	}
	best = hostReason{byNobody, "no argument, no configuration and nothing the package says of itself names it"}
	if claim, ok := d.hosts.find(host); ok {
		best = hostReason{claim.by, claim.source + " names it"}
	}
	if claim, ok := d.called(host); ok && claim.by > best.by {
		best = hostReason{claim.by, claim.source + " is that of its domain"}
	}
	if len(d.answers) < maxHosts {
		d.answers[host] = best
	}
	return best
}

// called tells whether a word of the declaration is the name of a domain.
func (d *declared) called(host string) (hostClaim, bool) {
	if isAddress(host) {
		return hostClaim{}, false
	}
	for _, svc := range d.services {
		if !belowAny(host, svc.domains) {
			continue
		}
		for _, word := range svc.words {
			if claim, ok := d.words[word]; ok {
				return claim, true
			}
		}
	}
	label := mainLabel(registrable(host))
	if d.labels[label] != nil && !belowAny(host, d.labels[label]) {
		return hostClaim{}, false // a well-known name before another ending
	}
	if claim, ok := d.words[label]; ok {
		return claim, true
	}
	if claim, ok := d.words[strings.ReplaceAll(label, "-", "")]; ok && !ordinary(label) {
		return claim, true
	}
	for _, tail := range tails() {
		if stem, ok := strings.CutSuffix(label, tail); ok {
			if claim, known := d.stem(stem); known {
				return claim, true
			}
		}
	}
	for _, head := range []string{"get", "try", "use", "go", "my", "the", "join"} {
		if stem, ok := strings.CutPrefix(label, head); ok {
			if claim, known := d.stem(stem); known {
				return claim, true
			}
		}
	}
	return hostClaim{}, false
}

// stem looks up what remains of a label. Well-known names are imitated that
// way.
func (d *declared) stem(word string) (hostClaim, bool) {
	word = strings.Trim(word, "-")
	claim, ok := d.words[word]
	return claim, ok && len(word) > 3 && !d.known[word]
}

// variable tells whether a variable is that of a service the declaration names.
func (d *declared) variable(name string) bool {
	for _, word := range toolWords(name) {
		if _, ok := d.words[word]; ok && !ordinary(word) {
			return true
		}
	}
	return false
}

// tails are what companies put behind their name to have a domain at all.
func tails() []string {
	return []string{
		"ai", "api", "apis", "app", "apps", "hq", "io", "labs", "inc", "cloud", "cdn", "usercontent", "static", "img", "assets", "content",
		"search", "mcp", "dev", "data", "online", "web", "status", "docs",
	}
}

// ordinary are words that stand in the description of any server, or in the
// name of any variable, and thus name no domain.
func ordinary(word string) bool {
	switch word {
	case "mcp", "server", "servers", "the", "a", "an", "and", "or", "of", "for", "to", "in", "on", "with", "by", "from", "app",
		"node", "js", "py", "tool", "tools", "api", "key", "keys", "token", "secret", "access", "id", "url", "uri", "host", "base",
		"auth", "password", "user", "username", "client", "personal", "bot", "org", "project", "env", "default", "data", "collect",
		"collector", "collects", "log", "logs", "telemetry", "metrics", "stats", "analytics", "track", "tracker", "cdn", "cloud",
		"web", "http", "https", "example", "test", "site", "send", "upload", "uploads", "file", "files", "backup", "sync", "update",
		"updates", "service", "services", "model", "context", "protocol", "my", "get", "set", "read", "write", "search", "database",
		"db", "code", "local", "remote", "proxy", "public", "internal", "debug", "port", "path", "dir", "name", "region", "version",
		"drop", "exfil", "copy", "mirror", "relay", "beacon", "ping", "report", "reports", "event", "events", "hook", "webhook",
		"share", "paste":
		return true
	}
	return false
}

// leastResembling is how long a word has to be for its beginning a domain to
// tell anything.
const leastResembling = 5

// resembles tells whether a domain begins with a word of the declaration and
// goes on: a company's second domain, or that of somebody who wants to be
// taken for it. The domains of well-known services are known, so theirs is none.
func (d *declared) resembles(host string) bool {
	if host == "" || isAddress(host) {
		return false
	}
	label := mainLabel(registrable(host))
	for word, claim := range d.words {
		if claim.by >= byName && !d.known[word] && len(word) >= leastResembling && len(label) > len(word) && strings.HasPrefix(label, word) {
			return true
		}
	}
	return false
}
