package gain

import (
	"net/netip"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpsf/mcpsf/internal/judge/rules/hostname"
	"github.com/mcpsf/mcpsf/internal/judge/rules/lex"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// Of returns what the text is has and was had not: a host of another owner, a
// mail address, an account, a private path, a parameter, or a word that asks for
// more; "" if there is nothing of the kind. Hosts that own accepts do not count.
func Of(was, is string, own func(host string) bool) string {
	if was == is || len(is) > lex.MaxValue {
		return ""
	}
	for _, look := range []func(was, is string) string{
		func(was, is string) string { return host(was, is, own) },
		mailbox, account, file, parameter, demand,
	} {
		if found := look(was, is); found != "" {
			return found
		}
	}
	return ""
}

func host(was, is string, own func(string) bool) string {
	old := map[string]bool{}
	for _, name := range hostname.Find(was) {
		old[hostname.Registrable(name)] = true
	}
	for _, name := range hostname.Find(is) {
		if isHost(name, is) && !old[hostname.Registrable(name)] && !own(name) {
			return "the host " + name
		}
	}
	return ""
}

// isHost tells whether a name with dots is that of a machine. Texts and lists
// have names of files and versions, so an ending that files have counts only in
// an address.
func isHost(name, text string) bool {
	if _, err := netip.ParseAddr(name); err == nil {
		return strings.Count(name, ".") == 3 || strings.Contains(text, "["+name+"]")
	}
	if strings.Contains(text, "://"+name) || strings.Contains(text, "@"+name) {
		return true
	}
	switch strings.TrimPrefix(path.Ext(name), ".") {
	case "com", "net", "org", "io", "dev", "ai", "co", "app", "cloud", "example", "test", "eu", "uk", "de", "fr", "cn", "ru", "xyz", "top",
		"site", "online", "info", "biz", "me", "link", "click", "live", "tech", "store", "pro", "us", "ca", "nl", "ch", "in", "jp", "br", "onion":
		return true
	}
	return false
}

var mail = lazyregexp.New(`(?i)\b[a-z0-9._%+-]{1,64}@[a-z0-9-]+(?:\.[a-z0-9-]+)+`)

func mailbox(was, is string) string {
	was = strings.ToLower(was)
	for _, m := range mail.FindAllString(is, lex.MaxClaims) {
		if !strings.Contains(was, strings.ToLower(m)) {
			return "the address " + m
		}
	}
	return ""
}

// numbers are what may be the number of an account, a card or a telephone, or
// the address of a wallet.
var numbers = lazyregexp.New(`\b(?:0x[0-9a-fA-F]{40}|bc1[0-9a-z]{20,60}|[13][1-9A-HJ-NP-Za-km-z]{25,34})\b|` +
	`\b[A-Z]{2}[0-9]{2}(?:[ -]?[A-Z0-9]{2,6}){2,8}\b|\+?[0-9](?:[ /.-]?[0-9]){7,24}\b`)

// leastDigits is how many digits a number of an account has.
const leastDigits = 8

var day = lazyregexp.New(`^[0-9]{4}-?[01][0-9]-?[0-3][0-9]|^[0-9]{1,2}[./-][0-9]{1,2}[./-][0-9]{2,4}|^[0-9]{1,3}(?:\.[0-9]{1,3}){2,3}$`)

func account(was, is string) string {
	old := numbers.FindAllString(was, lex.MaxClaims)
	for _, n := range numbers.FindAllString(is, lex.MaxClaims) {
		if digits(n) < leastDigits || day.MatchString(n) || strings.Contains(was, n) || slices.ContainsFunc(old, func(o string) bool { return counts(o, n) }) {
			continue
		}
		return "the number " + n
	}
	return ""
}

func digits(s string) int {
	return len(strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, s))
}

// counts tells whether a number went up a little, as counters and clocks do.
func counts(old, fresh string) bool {
	const little = 1e8 // no gap: a difference, and no bound of what is read
	a, err := strconv.ParseInt(old, 10, 64)
	b, failed := strconv.ParseInt(fresh, 10, 64)
	return err == nil && failed == nil && b > a && b-a < min(little, a/10)
}

var place = lazyregexp.New(`(?:~|\$HOME|\$\{HOME\}|/home/[\w.-]+|/etc|/root|/Users/[\w.-]+)/[\w./-]+`)

func file(was, is string) string {
	for _, p := range place.FindAllString(is, lex.MaxClaims) {
		if p = strings.TrimRight(p, "."); !strings.Contains(was, p) {
			return "the path " + p
		}
	}
	return ""
}

// member matches the names of a schema's properties: each is an object.
var member = lazyregexp.New(`"([A-Za-z_][\w.-]{0,63})":\{`)

func parameter(was, is string) string {
	if !strings.Contains(is, `":`) {
		return ""
	}
	for _, m := range member.FindAllStringSubmatch(is, lex.MaxClaims) {
		switch m[1] {
		case "properties", "items", "inputSchema", "outputSchema", "$defs", "definitions", "additionalProperties", "not", "if", "then", "else", "_meta", "annotations":
			continue
		}
		if !strings.Contains(was, `"`+m[1]+`"`) {
			return "the parameter " + m[1]
		}
	}
	return ""
}

// demands are words by which a text asks for data of the user, or for an act
// that cannot be taken back.
var demands = lazyregexp.New(`(?i)\b(?:passwords?|passphrases?|credentials?|secrets?|api keys?|tokens?|private keys?|conversations?|chat history|system prompt|` +
	`previous messages|everything (?:the user|you)|include (?:the|all|any)|attach(?:es|ed)?|forwards?|uploads?|sends? (?:it|them|a copy|the|all|to)|` +
	`deletes?|removes?|pays?|transfers?|executes?|runs? (?:the|a|any)|without (?:asking|telling)|do not (?:tell|mention|ask)|must (?:first|always)|before (?:you|using|calling))\b`)

func demand(was, is string) string {
	was = strings.ToLower(was)
	for _, m := range demands.FindAllString(is, lex.MaxClaims) {
		if !strings.Contains(was, strings.ToLower(m)) {
			return "the words " + strconv.Quote(m)
		}
	}
	return ""
}
