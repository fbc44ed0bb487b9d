package published

import (
	"strings"

	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

var (
	userInAddress = lazyregexp.New(`//[^/@\s]*@`)
	// shortName is npm's short form of a repository on GitHub.
	shortName = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9_-]*/[A-Za-z0-9._-]+$`)
	commit    = lazyregexp.New(`^(?:[0-9a-f]{40}|[0-9a-f]{64})$`)
)

// RepositoryURL is the URL of a repository as a package wrote it, without
// credentials; "" if it is none.
func RepositoryURL(text string) string {
	const longest = 1000
	text = strings.TrimSpace(text)
	switch {
	case text == "" || len(text) > longest || strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r >= 0x7f }):
		return ""
	case shortName.MatchString(text):
		return "github:" + text
	}
	return userInAddress.ReplaceAllString(text, "//")
}

// IsCommit reports whether a text is a full commit hash.
func IsCommit(text string) bool { return commit.MatchString(text) }
