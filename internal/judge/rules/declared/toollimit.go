package declared

import (
	"encoding/json"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/rules/lex"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

var (
	// ownHosts matches sentences that limit a tool to some hosts.
	ownHosts = lazyregexp.New(`(?i)\b(?:only|must|has to|have to|limited to|restricted to)\b[^.;!?]{0,60}?` + hostName +
		`|` + hostName + `[)"']? (?:urls? |links? |addresses |pages )?only\b` +
		`|\bonly (?:\w+ ){0,3}(?:public|allowed|approved|trusted|permitted) (?:hosts?|domains?|sites?|servers?|addresses)\b`)
	// noLimit matches sentences in which the host is an example or a file name.
	noLimit = lazyregexp.New(`(?i)\be\.g\b|\bsuch as\b|\bfor example\b|\blike\b|example\.(?:com|org|net)` +
		`|\.(?:html?|jsx?|mjs|tsx?|json|md|txt|xml|pdf|png|jpe?g|gif|svg|webp|py|csv|ya?ml|zip|toml)$`)
	// hostInPattern matches a host in a schema's pattern for URLs.
	hostInPattern = lazyregexp.New(`(?i)://` + hostName[len(`\b`):])
)

// NamesItsHosts tells whether the tool says that it contacts certain hosts only.
func (t *Tools) NamesItsHosts(tool, place string) bool {
	about, pattern := t.property(tool, place)
	for _, said := range ownHosts.FindAllString(t.description(tool)+"\n"+about, maxSentences) {
		if !noLimit.MatchString(said) {
			return true
		}
	}
	return hostInPattern.MatchString(strings.NewReplacer(`\.`, ".", `\/`, "/").Replace(pattern))
}

// maxSentences bounds how many sentences are checked.
// no gap: reads what excuses; reading less excuses less
const maxSentences = 8

// property returns the description and pattern of one argument in a tool's schema.
func (t *Tools) property(tool, place string) (about, pattern string) {
	var schema struct {
		Properties map[string]struct {
			Description any `json:"description"`
			Pattern     any `json:"pattern"`
		} `json:"properties"`
	}
	if json.Unmarshal(t.tools[tool].InputSchema, &schema) != nil {
		return "", ""
	}
	whole, _, _ := mcpsf.PointerText(place) // only the text as a whole is described
	p := schema.Properties[strings.TrimPrefix(whole, "/")]
	about, _ = p.Description.(string)
	pattern, _ = p.Pattern.(string)
	return about[:min(len(about), maxDescription)], pattern[:min(len(pattern), maxDescription)]
}

// welcomesFiles matches descriptions that allow files as well as URLs.
var welcomesFiles = lazyregexp.New(`(?i)\bfile:|\bfile ur[il]|\blocal(?:ly)? |\b(?:file|path|filename)s?,? (?:or|and|/) |\bfile, |\b(?:or|and|/) (?:an? |the )?(?:absolute |relative )?(?:file|path)|\b(?:file)?path\b|\bon disk\b`)

// TakesFiles tells whether the tool says that the argument may be a file.
func (t *Tools) TakesFiles(tool, place string) bool {
	about, _ := t.property(tool, place)
	name := strings.Join(lex.Words(place), " ")
	return welcomesFiles.MatchString(t.description(tool) + "\n" + name + "\n" + about)
}

// hostName matches the name of a host in prose, and also names of files.
const hostName = `\b(?:[a-z0-9](?:[a-z0-9-]{0,40}[a-z0-9])?\.){1,4}[a-z]{2,12}\b`
