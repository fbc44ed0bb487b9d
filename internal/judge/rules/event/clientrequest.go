package event

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/rules/hostname"
	"github.com/mcpsf/mcpsf/internal/judge/rules/lex"
	"github.com/mcpsf/mcpsf/internal/judge/rules/quote"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// Requests of a server to its client: elicitation (ask the user), sampling (ask
// the model), roots (ask for allowed folders).

// The methods that a server calls on its client.
const (
	MethodElicit = "elicitation/create"
	methodSample = "sampling/createMessage"
	MethodRoots  = "roots/list"
)

// AsksClient tells whether a method is one that servers call on their client.
func AsksClient(method string) bool {
	return method == MethodElicit || method == methodSample || method == MethodRoots
}

// clientAsk is the part of an elicitation or sampling request that rules judge.
type clientAsk struct {
	Message string `json:"message"`
	URL     string `json:"url"`
	Context string `json:"includeContext"`
	Schema  struct {
		Properties map[string]property `json:"properties"`
	} `json:"requestedSchema"`
}

type property struct {
	Type        string          `json:"type"`
	Title       string          `json:"title"`
	Description string          `json:"description"`
	Pattern     string          `json:"pattern"`
	Enum        json.RawMessage `json:"enum"`
	OneOf       json.RawMessage `json:"oneOf"`
}

// FillAsk describes a request of the server. Detail names the part of a form
// that asks for a secret.
func (f *Fields) FillAsk(d *mcpsf.MCPDetail, known *hostname.Domains) {
	var ask clientAsk
	if len(d.Body) > lex.MaxParams || json.Unmarshal(d.Body, &ask) != nil {
		return
	}
	switch d.Method {
	case methodSample:
		f.What = ask.Context
	case MethodElicit:
		f.Detail = ask.secret()
		if u, err := url.Parse(ask.URL); err == nil && u.Host != "" {
			f.URL, f.Host = quote.Cut(ask.URL, lex.MaxURL), hostname.Canonical(u.Hostname())
			f.Domain, f.Class = hostname.Registrable(f.Host), string(known.Directory.Of(f.Host))
		}
	}
}

// secrets matches the names of secrets that a form must not ask for.
var secrets = lazyregexp.New(`\b(?:pass ?words?|passphrases?|passcodes?|pwd|api ?keys?|(?:secret|access|private|ssh|encryption|signing|license) keys?|secret access keys?` +
	`|(?:access|auth|authentication|api|bearer|refresh|secret|session|security|github|slack) tokens?|client secrets?|credentials?` +
	`|seed (?:phrases?|words)|secret (?:phrases?|recovery phrases?)|recovery (?:phrases?|words|codes?|keys?)|mnemonics?` +
	`|(?:credit|debit|payment) cards?(?: numbers?)?|card numbers?|cvv2?|cvc2?|social security(?: numbers?)?|ssn` +
	`|one time (?:codes?|passwords?)|otp|2fa codes?|mfa codes?)\b`)

// looks matches how secrets of well-known services begin. A form that shows such
// a beginning asks for a secret, whatever it calls it.
var looks = lazyregexp.New(`\b(?:gh[opsur]_|github_pat_|glpat-|sk-(?:ant-|proj-|live)?|sk_live|xox[abp]-|AKIA|ASIA|npm_|pypi-|hf_|AIza|eyJ|dop_v1_|shpat_)`)

var (
	// about matches words after a secret's name that turn it into something else, such as
	// "password length".
	about = lazyregexp.New(`^ (?:length|policy|name|names|id|ids|count|type|label|hint|expiry|expires|ttl|rotation|manager|strength|file|path|reset|field|limit|date|provider|store|vault|format|prefix)\b`)
	// denied matches words before a secret's name that make the sentence a warning.
	denied = lazyregexp.New(`\b(?:no|not|never|without|don t|avoid|instead of)\b[a-z ]{0,60}$`)
	// wanted matches the verbs of a request.
	wanted = lazyregexp.New(`\b(?:enter|provide|type|give|paste|input|share|supply|submit|confirm|need|needs|required?|requires|tell|send|what is)\b[a-z ]{0,60}$`)
)

// secret returns what the form asks for although it must not, "" if nothing.
func (a *clientAsk) secret() string {
	names := lex.SortedKeys(a.Schema.Properties)
	for _, name := range names[:min(len(names), lex.MaxArgs)] {
		p := a.Schema.Properties[name]
		if p.Type == "boolean" || p.Enum != nil || p.OneOf != nil {
			continue
		}
		for _, text := range []string{name, p.Title, p.Description} {
			if found, _ := secretIn(text); found != "" {
				return name
			}
		}
	}
	if a.URL == "" && a.takesText() && a.showsSecret() {
		return "what begins with " + looks.FindString(quote.Cut(a.words(), lex.MaxPath))
	}
	if found, before := secretIn(a.Message); found != "" && wanted.MatchString(before) && (a.URL == "" && a.takesText()) {
		return found
	}
	return ""
}

// words returns all texts of the form that the user reads.
func (a *clientAsk) words() string {
	all := []string{a.Message}
	names := lex.SortedKeys(a.Schema.Properties)
	for _, name := range names[:min(len(names), lex.MaxArgs)] {
		p := a.Schema.Properties[name]
		all = append(all, p.Title, p.Description, p.Pattern)
	}
	return strings.Join(all, "\n")
}

// showsSecret tells whether the form shows the user how the text to type begins,
// and that is how a secret of a well-known service begins.
func (a *clientAsk) showsSecret() bool { return looks.MatchString(quote.Cut(a.words(), lex.MaxPath)) }

// takesText tells whether there is a field to type into.
func (a *clientAsk) takesText() bool {
	return slices.ContainsFunc(lex.SortedKeys(a.Schema.Properties), func(name string) bool {
		p := a.Schema.Properties[name]
		return p.Enum == nil && p.OneOf == nil && (p.Type == "string" || p.Type == "")
	})
}

// secretIn returns the name of a secret in a text, and the text before it.
func secretIn(text string) (found, before string) {
	said := strings.Join(lex.Words(quote.Cut(text, lex.MaxPath)), " ")
	for _, at := range secrets.FindAllStringIndex(said, lex.MaxArgs) {
		if !about.MatchString(said[at[1]:]) && !denied.MatchString(said[:at[0]]) {
			return said[at[0]:at[1]], said[:at[0]]
		}
	}
	return "", ""
}

// SignIn tells whether an address is the sign-in page of a third party, or a
// page on the machine itself.
func (f *Fields) SignIn() bool {
	return Reach(&mcpsf.NetDetail{Address: f.Host}) == "loopback" || f.Host == "localhost" || hostname.IsSignIn(f.Host)
}
