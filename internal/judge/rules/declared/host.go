package declared

import (
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/rules/hostname"
	"github.com/mcpsf/mcpsf/internal/judge/rules/lex"
	"github.com/mcpsf/mcpsf/internal/judge/rules/quote"
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

// Hosts is what the run says about itself, as far as hosts go.
type Hosts struct {
	Hosts HostClaims
	// words are those that can be the name of a domain, by where they stand.
	words    map[string]HostClaim
	services []service
	// known are the words of well-known services, and labels the domains of
	// one by the name that each of them has.
	known  map[string]bool
	labels map[string][]string
	// answers are what was said of hosts, once somebody asked.
	answers map[string]HostReason
}

func newHosts(scope Scope) *Hosts {
	d := &Hosts{
		Hosts: HostClaims{}, words: map[string]HostClaim{}, services: known().Services, known: map[string]bool{}, labels: map[string][]string{},
		answers: map[string]HostReason{},
	}
	for _, s := range d.services {
		for _, w := range s.Words {
			d.known[w] = true
		}
		for _, domain := range s.Domains {
			d.labels[hostname.MainLabel(domain)] = s.Domains
		}
	}
	d.configured(scope)
	pkg, own, _ := strings.Cut(scope.Name, " ")
	d.name(pkg, HostClaim{ByName, "the name of the package"}, false)
	d.name(own, HostClaim{ByName, "the name of the server"}, false)
	d.name(scope.Description, HostClaim{ByName, "the description of the package"}, true)
	for _, h := range scope.Hosts[:min(len(scope.Hosts), lex.MaxListed)] {
		d.Hosts.Add(h, HostClaim{ByDocument, "the documentation of the package"})
	}
	d.Hosts.Add(quote.Cut(scope.Description, maxDescription), HostClaim{ByDocument, "the description of the package"})
	for _, name := range lex.SortedKeys(scope.Tools) {
		d.tool(scope.Tools[name])
	}
	return d
}

// configured takes in what the user wrote: addresses, and the names of
// variables that hold something for a service.
func (d *Hosts) configured(scope Scope) {
	for _, arg := range scope.Command[min(1, len(scope.Command)):] {
		d.Hosts.Add(arg, HostClaim{ByConfiguration, "the command line"})
	}
	for _, kv := range scope.Env {
		key, value, _ := strings.Cut(kv, "=")
		if ambient(key) {
			continue
		}
		d.Hosts.Add(value, HostClaim{ByConfiguration, "the variable " + quote.Text(key)})
		d.name(key, HostClaim{ByName, "the name of the variable " + quote.Text(key)}, false)
	}
}

func (d *Hosts) tool(tool mcpsf.Tool) {
	source := HostClaim{ByDocument, "the tool " + quote.Text(tool.Name)}
	d.Hosts.Add(quote.Cut(tool.Description, maxDescription), source)
	n := 0
	for s := range lex.Strings(tool.InputSchema) {
		if n++; n > lex.MaxClaims {
			break
		}
		d.Hosts.Add(s, source)
	}
	d.name(strings.Join(lex.Words(tool.Name), " "), source, true)
}

// name takes the words of a name, and those that stand beside each other as
// one: "Bright Data" has brightdata.com. Of free text the ordinary words do
// not count.
func (d *Hosts) name(text string, claim HostClaim, free bool) {
	words := lex.Words(quote.Cut(text, lex.MaxPath))
	for i := range words {
		joined := ""
		for n := i; n < min(i+3, len(words)); n++ {
			joined += words[n]
			if len(joined) < 2 && !d.known[joined] || len(d.words) >= lex.MaxListed || ordinary(joined) {
				continue
			}
			if free && len(joined) < 4 && !d.known[joined] {
				continue
			}
			if old, ok := d.words[joined]; !ok || old.By < claim.By {
				d.words[joined] = claim
			}
		}
	}
}

// Explain answers by what the run says about itself.
func (d *Hosts) Explain(host string) HostReason {
	best, known := d.answers[host]
	if known {
		return best
	}
	best = HostReason{ByNobody, "no argument, no configuration and nothing the package says of itself names it"}
	if claim, ok := d.Hosts.Find(host); ok {
		best = HostReason{claim.By, claim.Source + " names it"}
	}
	if claim, ok := d.called(host); ok && claim.By > best.By {
		best = HostReason{claim.By, claim.Source + " is that of its domain"}
	}
	if len(d.answers) < hostname.MaxHosts {
		d.answers[host] = best
	}
	return best
}

// called tells whether a word of the declaration is the name of a domain.
func (d *Hosts) called(host string) (HostClaim, bool) {
	if hostname.IsAddress(host) {
		return HostClaim{}, false
	}
	for _, svc := range d.services {
		if !hostname.BelowAny(host, svc.Domains) {
			continue
		}
		for _, word := range svc.Words {
			if claim, ok := d.words[word]; ok {
				return claim, true
			}
		}
	}
	label := hostname.MainLabel(hostname.Registrable(host))
	if d.labels[label] != nil && !hostname.BelowAny(host, d.labels[label]) {
		return HostClaim{}, false // a well-known name before another ending
	}
	if claim, ok := d.words[label]; ok {
		return claim, true
	}
	if claim, ok := d.words[strings.ReplaceAll(label, "-", "")]; ok && !ordinary(label) {
		return claim, true
	}
	for _, tail := range known().Tails {
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
	return HostClaim{}, false
}

// stem looks up what remains of a label. Well-known names are imitated that
// way.
func (d *Hosts) stem(word string) (HostClaim, bool) {
	word = strings.Trim(word, "-")
	claim, ok := d.words[word]
	return claim, ok && len(word) > 3 && !d.known[word]
}

// Variable tells whether a variable is that of a service the declaration names.
func (d *Hosts) Variable(name string) bool {
	for _, word := range lex.Words(name) {
		if _, ok := d.words[word]; ok && !ordinary(word) {
			return true
		}
	}
	return false
}

// ordinary are words that stand in the description of any server, or in the
// name of any variable, and thus name no domain.
func ordinary(word string) bool { return known().Ordinary[word] }

// leastResembling is how long a word has to be for its beginning a domain to
// tell anything.
const leastResembling = 5

// Resembles tells whether a domain begins with a word of the declaration and
// goes on: a company's second domain, or that of somebody who wants to be
// taken for it. The domains of well-known services are known, so theirs is none.
func (d *Hosts) Resembles(host string) bool {
	if host == "" || hostname.IsAddress(host) {
		return false
	}
	label := hostname.MainLabel(hostname.Registrable(host))
	for word, claim := range d.words {
		if claim.By >= ByName && !d.known[word] && len(word) >= leastResembling && len(label) > len(word) && strings.HasPrefix(label, word) {
			return true
		}
	}
	return false
}
