package declared

import (
	"slices"
	"strconv"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/rules/hostname"
	"github.com/mcpsf/mcpsf/internal/judge/rules/lex"
	"github.com/mcpsf/mcpsf/internal/judge/rules/quote"
)

// This file decides why contact with a host is explained.
//
// Contact is explained when one of these names the host: the arguments of the
// call, the configuration, the package's documentation, the descriptions of its
// tools, or the name of the package or of the credentials it asks for.
// "github-mcp-server" may contact api.github.com without saying so.
//
// A registrable domain has one owner, so a named host explains other hosts of
// its domain. Below the suffixes of hosting providers each customer is a
// separate owner. A word explains a domain of that name with any ending. But the
// name of a well-known service explains only that service's own domains, because
// an attacker would register that name with another ending.
//
// A package writes its own documentation. So this explains contact only, not the
// data that is sent: the rules about leaking secrets ignore it.

// Hosts holds the hosts that the package, its tools and the user declare.
type Hosts struct {
	Hosts HostClaims
	// words are the words that can be the name of a domain, with their source.
	words    map[string]HostClaim
	services []service
	// known are the words of well-known services; labels are the domains of one
	// service by their main label.
	known  map[string]bool
	labels map[string][]string
	// variables are the names of those that the user set.
	variables []string
	// ports are those on the user's own machine that the documentation names.
	ports []string
	// answers caches the result for each host.
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
	// The user chose the package by its name. What it calls itself at run time,
	// and how it describes itself, is documentation like any other; but a
	// well-known service that the description names has domains of its own,
	// which nobody else can register.
	d.name(own, HostClaim{ByDocument, "the name that the server gives itself"}, false)
	d.name(scope.Description, HostClaim{ByDocument, "the description of the package"}, true)
	for _, h := range scope.Hosts[:min(len(scope.Hosts), lex.MaxListed)] {
		if port, ok := strings.CutPrefix(h, "localhost:"); ok {
			d.ports = append(d.ports, port)
			continue
		}
		d.Hosts.Add(h, HostClaim{ByDocument, "the documentation of the package"})
	}
	d.Hosts.Add(quote.Cut(scope.Description, maxDescription), HostClaim{ByDocument, "the description of the package"})
	for _, name := range lex.SortedKeys(scope.Tools) {
		d.tool(scope.Tools[name])
	}
	return d
}

// configured adds what the user wrote: addresses, and the names of variables
// that hold credentials for a service.
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
		d.name(key, HostClaim{ByVariable, "the name of the variable " + quote.Text(key)}, false)
		d.variables = append(d.variables, key)
	}
}

// HasPort tells whether the documentation names a port on the user's own machine.
func (d *Hosts) HasPort(port int) bool { return slices.Contains(d.ports, strconv.Itoa(port)) }

// OfConfigured tells whether the host belongs to a well-known service that the user
// set a variable of.
func (d *Hosts) OfConfigured(host string) bool {
	return slices.ContainsFunc(d.variables, func(name string) bool { return Serves(name, host) })
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

// name adds the words of a name, and neighbouring words joined: "Bright Data"
// has brightdata.com. In free text, ordinary words are skipped.
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
			own := claim
			if free && d.known[joined] {
				own.By = max(own.By, ByName)
			}
			if old, ok := d.words[joined]; !ok || old.By < own.By {
				d.words[joined] = own
			}
		}
	}
}

// Explain returns who declared a host.
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

// called tells whether a declared word is the name of the host's domain.
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
				if !hostname.OwnedBy(host, svc.Domains) {
					claim.By = min(claim.By, ByDocument) // any customer's
				}
				return claim, true
			}
		}
	}
	label := hostname.MainLabel(hostname.Registrable(host))
	if d.labels[label] != nil && !hostname.BelowAny(host, d.labels[label]) {
		return HostClaim{}, false // a well-known name with another ending
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

// stem looks up what remains of a label after a prefix or suffix is removed.
// Names of well-known services do not count, because they are imitated that way.
func (d *Hosts) stem(word string) (HostClaim, bool) {
	word = strings.Trim(word, "-")
	claim, ok := d.words[word]
	return claim, ok && len(word) > 3 && !d.known[word]
}

// ordinary tells whether a word occurs in the description of any server or the
// name of any variable, and thus names no domain.
func ordinary(word string) bool { return known().Ordinary[word] }

// leastResembling is the minimum length of a word for [Hosts.Resembles].
const leastResembling = 5

// Resembles tells whether a domain begins with a declared word and continues: it
// is a company's second domain, or an imitation. It is false for well-known
// services, whose domains are all listed.
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
