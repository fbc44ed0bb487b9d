package rules

import (
	"encoding/json"
	"path"
	"regexp"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// anchored are the places of tools that put a folder of their own in front of
// what they are given: they mean to keep to it. A tool without limits opens a
// relative path where it was started.
type anchored map[siegePlace]bool

// foresee looks at the attacks that stay relative: whoever takes such a path as
// it is looks for something below its folder that is not there.
func (a anchored) foresee(scope Scope) func(*mcpsf.Event) {
	calls := map[string]*mcpsf.Event{}
	return func(e *mcpsf.Event) {
		switch {
		case e.Kind == mcpsf.KindMCPRequest && e.MCP != nil && !e.MCP.FromServer && e.MCP.Attack != nil:
			if e.MCP.Attack.Class == "path-traversal" && e.MCP.Attack.Payload != "" {
				calls[e.Call] = e
			}
		case e.File != nil && calls[e.Call] != nil:
			request := calls[e.Call]
			if base, ok := baseOf(e.File.Path, request.MCP.Attack.Payload); ok && keeps(base, request.MCP.Body, scope) {
				a[placeOf(request)] = true
			}
		}
	}
}

// baseOf is what stands before the relative path in one that was opened.
func baseOf(opened, given string) (string, bool) {
	rest := path.Clean(given)
	if path.IsAbs(rest) || rest == "." || rest == ".." || strings.HasPrefix(rest, "../") || strings.Contains(given, "://") {
		return "", false
	}
	base, _, found := strings.Cut(path.Clean(opened), "/"+rest)
	return base, found
}

// keeps tells whether a folder is one that a tool keeps to. Where it was
// started, what is above that, and what the caller names with the path are none.
func keeps(base string, body []byte, scope Scope) bool {
	if base == "" || base == scope.Home || strings.HasPrefix(scope.WorkDir+"/", base+"/") || strings.HasPrefix(scope.Start+"/", base+"/") {
		return false
	}
	return !strings.Contains(string(body), `"`+base)
}

// hostName matches the name of a host in prose, and of a file.
const hostName = `\b(?:[a-z0-9](?:[a-z0-9-]{0,40}[a-z0-9])?\.){1,4}[a-z]{2,12}\b`

var (
	// ownHosts finds in a description that only some hosts are meant.
	ownHosts = regexp.MustCompile(`(?i)\b(?:only|must|has to|have to|limited to|restricted to)\b[^.;!?]{0,60}?` + hostName +
		`|` + hostName + `[)"']? (?:urls? |links? |addresses |pages )?only\b` +
		`|\bonly (?:\w+ ){0,3}(?:public|allowed|approved|trusted|permitted) (?:hosts?|domains?|sites?|servers?|addresses)\b`)
	// noLimit is what makes a host in such a sentence an example, or no host.
	noLimit = regexp.MustCompile(`(?i)\be\.g\b|\bsuch as\b|\bfor example\b|\blike\b|example\.(?:com|org|net)` +
		`|\.(?:html?|jsx?|mjs|tsx?|json|md|txt|xml|pdf|png|jpe?g|gif|svg|webp|py|csv|ya?ml|zip|toml)$`)
	// hostInPattern finds one in a pattern for addresses.
	hostInPattern = regexp.MustCompile(`(?i)://` + hostName[len(`\b`):])
)

// namesItsHosts tells whether the tool says that it speaks to some hosts only.
func (r *run) namesItsHosts(f *fields) bool {
	about, pattern := r.property(f.Tool, f.Place)
	for _, said := range ownHosts.FindAllString(r.description(f.Tool)+"\n"+about, maxSentences) {
		if !noLimit.MatchString(said) {
			return true
		}
	}
	return hostInPattern.MatchString(strings.NewReplacer(`\.`, ".", `\/`, "/").Replace(pattern))
}

// maxSentences bounds how many of them are looked at.
const maxSentences = 8

// property is what the schema of a tool says of one of its arguments.
func (r *run) property(tool, place string) (about, pattern string) {
	var schema struct {
		Properties map[string]struct {
			Description any `json:"description"`
			Pattern     any `json:"pattern"`
		} `json:"properties"`
	}
	if json.Unmarshal(r.scope.Tools[tool].InputSchema, &schema) != nil {
		return "", ""
	}
	p := schema.Properties[strings.TrimPrefix(place, "/")]
	about, _ = p.Description.(string)
	pattern, _ = p.Pattern.(string)
	return about[:min(len(about), maxDescription)], pattern[:min(len(pattern), maxDescription)]
}

// files finds in a description that files are as welcome as addresses.
var files = regexp.MustCompile(`(?i)\bfile:|\bfile ur[il]|\blocal(?:ly)? |\b(?:file|path|filename)s?,? (?:or|and|/) |\bfile, |\b(?:or|and|/) (?:an? |the )?(?:absolute |relative )?(?:file|path)|\b(?:file)?path\b|\bon disk\b`)

// takesFiles tells whether the tool says that the argument may be a file.
func (r *run) takesFiles(f *fields) bool {
	about, _ := r.property(f.Tool, f.Place)
	name := strings.Join(toolWords(f.Place), " ")
	return files.MatchString(r.description(f.Tool) + "\n" + name + "\n" + about)
}
