package host

import (
	"bytes"

	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// mailField matches a field of recipients, as requests to mail services have
// it: in JSON, a form, parts or a mail.
var mailField = lazyregexp.New(`(?i)(?:^|[^a-z])(?:to|cc|bcc|recipients?)(?:[_-]?(?:recipients?|address(?:es)?|emails?))?(?:\.[a-z0-9.]+)?["']?\s*[:=>]|name="(?:to|cc|bcc)"`)

// wholeMail matches a field that holds a mail in base64.
var wholeMail = lazyregexp.New(`(?i)["'](?:raw|mime|message|data)["']\s*:\s*["'][a-z0-9+/_-]{16}`)

// shown returns what of a body is in its event, and whether recipients of a mail
// may be missing there. More is kept of a mail than of another request: whoever
// adds a recipient can put a long text before it.
func (b *intake) shown() (text string, cut bool) {
	if b.clearSize <= keptInEvent || !isMail(b.kept) {
		return excerpt(b.kept), false
	}
	return clean(string(b.kept)), b.clearSize > int64(len(b.kept))
}

func isMail(p []byte) bool {
	addresses := bytes.IndexByte(p, '@') >= 0 || bytes.Contains(p, []byte("%40"))
	return addresses && mailField.Match(p) || wholeMail.Match(p)
}
