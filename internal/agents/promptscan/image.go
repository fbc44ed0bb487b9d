package promptscan

import (
	"regexp"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// maxImages bounds the images of one host that are reported of one text.
// no gap: bounds what is quoted or counts as one word or sentence, not what is read
const maxImages = 8

// picture matches an image, which a client fetches by itself when it shows a
// result. Only a URL with room for data matters: a query, or a long name.
var picture = lazyregexp.New(`(?i)!\[[^\]\n]*\]\(\s*<?(https?://[^\s)>]+)` +
	`|<(?:img|source|video|audio|iframe|link|object|embed)\b[^>]*?(?:src|href|data)\s*=\s*["']?(https?://[^\s"'>]+)` +
	`|!\[[^\]\n]*\]\[([^\]\n]+)\]`)

// roomy matches URLs with such room.
var roomy = lazyregexp.New(`^https?://[^/?#]+(?:[^?#]*\?.*=.+|/.*[A-Za-z0-9_%+=-]{12,}.*)|^https?://[A-Za-z0-9-]{12,}\.[^/]+\.`)

// hostPart matches a URL up to the end of its host.
var hostPart = lazyregexp.New(`^(?i:https?)://[^/?#]+`)

// imageExfiltration finds images in results whose address has room for data.
func (o *scanner) imageExfiltration(t *text) {
	if o.of != ofResult || t.role != roleProse {
		return
	}
	hosts := map[string]int{}
	for _, m := range picture.FindAllStringSubmatchIndex(t.value, -1) {
		address := ""
		switch {
		case m[2] >= 0:
			address = t.value[m[2]:m[3]]
		case m[4] >= 0:
			address = t.value[m[4]:m[5]]
		case m[6] >= 0:
			address = reference(t.value, t.value[m[6]:m[7]])
		}
		if !roomy.MatchString(address) {
			continue
		}
		host := hostPart.FindString(address)
		if hosts[host]++; hosts[host] <= maxImages {
			o.report(mcpsf.TextImage, t.field, shown(t.value, m[0], m[1]), printable(address))
		}
	}
}

// reference is the URL that a name is defined as further down in the text.
func reference(s, name string) string {
	found := regexp.MustCompile(`(?im)^ {0,3}\[` + regexp.QuoteMeta(name) + `\]:\s*<?(https?://[^\s>]+)`).FindStringSubmatch(s)
	if found == nil {
		return ""
	}
	return found[1]
}
