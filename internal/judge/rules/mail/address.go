package mail

import (
	"strings"

	"github.com/mcpsf/mcpsf/internal/judge/rules/quote"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// Bounds for reading a request.
// no gap: reads who a mail is for; every mail is an event
const (
	MaxBody       = 64 << 10
	maxTokens     = 20_000
	MaxRecipients = 1000 // as many as an event of SMTP has
	MaxAddresses  = 10_000
)

var mailAddress = lazyregexp.New(`[A-Za-z0-9._%+\-]{1,64}@(?:[A-Za-z0-9\-]{1,63}\.)+[A-Za-z]{2,24}`)

// Addresses returns the mail addresses in a text, in lower case.
func Addresses(text string) []string {
	if strings.IndexByte(text, '@') < 0 && !strings.Contains(text, "%40") {
		return nil
	}
	found := mailAddress.FindAllString(quote.Cut(text, MaxBody), MaxRecipients)
	for i := range found {
		found[i] = strings.ToLower(found[i])
	}
	return found
}
