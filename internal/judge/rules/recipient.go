package rules

import (
	"regexp"
	"strings"
)

// Bounds on what is read of a request.
const (
	maxBody       = 64 << 10
	maxTokens     = 20_000
	maxRecipients = 32
	maxAddresses  = 10_000
)

var mailAddress = regexp.MustCompile(`[A-Za-z0-9._%+\-]{1,64}@(?:[A-Za-z0-9\-]{1,63}\.)+[A-Za-z]{2,24}`)

// addressesIn returns the mail addresses in a text, in lower case.
func addressesIn(text string) []string {
	if strings.IndexByte(text, '@') < 0 && !strings.Contains(text, "%40") {
		return nil
	}
	found := mailAddress.FindAllString(cut(text, maxBody), maxRecipients)
	for i := range found {
		found[i] = strings.ToLower(found[i])
	}
	return found
}
