package userfile

import (
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/agents/promptscan"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// Secret reports whether a file contains secrets.
func Secret(path string) bool {
	return promptscan.SecretPath(path) || telling.MatchString(path) && (below.MatchString(path) || suffix.MatchString(path))
}

// HiddenInHome reports whether the file is below the home directory, and it or
// one of its folders is hidden.
func HiddenInHome(path string) bool { return homely.MatchString(path) }

// NamedLikeSecret reports whether the file's name says that it contains a
// secret.
func NamedLikeSecret(path string) bool { return telling.MatchString(path) && suffix.MatchString(path) }

var (
	// homely matches hidden files or folders below a home directory.
	homely = lazyregexp.New(`^(?:~|\$\{?HOME\}?|/home/[^/]+|/root|/Users/[^/]+|%USERPROFILE%)[/\\]+(?:.*[/\\])?\.\w`)
	below  = lazyregexp.New(`(?i)^(?:~|\$\{?HOME\}?|/home/|/root|/Users/|%USERPROFILE%|C:)`)
	suffix = lazyregexp.New(`\w\.\w{1,8}$`)
	// telling matches names that suggest a secret.
	telling = lazyregexp.New(`(?i)token|passw|secret|credential|private|wallet|\bkeys?\b|_key|keyring|vault|cookie|history|auth\b|\.(?:pem|kdbx|key|keystore|gpg|asc|cnf|s3cfg|pgpass|age)$|\bid\.json|rclone|huggingface|stripe|\.config/\w+/(?:config|hosts)`)
)

// Private reports whether a file belongs to the user or the system: no tool
// needs it unless the user says so.
func Private(path string) bool {
	if strings.HasSuffix(path, ".pub") || strings.HasPrefix(path, "/tmp/") || strings.HasPrefix(path, "/dev/") {
		return false
	}
	if path == "" {
		return false
	}
	if Secret(path) {
		return true
	}
	low := strings.ToLower(strings.ReplaceAll(path, `\`, "/"))
	for _, p := range tables().PrivateFolders {
		if strings.HasPrefix(low, p) {
			return true
		}
	}
	return false
}

// Steers reports whether a file is a steering file.
func Steers(path string) bool {
	low := strings.ToLower(path)
	if !strings.ContainsAny(low, "./") {
		return false
	}
	base := low[strings.LastIndexByte(low, '/')+1:]
	return tables().Steering.Has(base) || slices.ContainsFunc(tables().SteeringParts, func(part string) bool { return strings.Contains(low, part) })
}

// defaultKey is the file for a secret that is not named more closely.
const defaultKey = "~/.ssh/id_rsa"

// Location is the file of the secret that some words mean, "" if it is in no
// file.
func Location(words string) string {
	for _, l := range tables().Locations {
		if strings.Contains(words, l.Word) {
			return l.Path
		}
	}
	return defaultKey
}

// target matches what may be a path.
var target = lazyregexp.New(`(?:~|\.{1,2}|\$HOME|[A-Za-z]:)?/?(?:[\w.-]+/)*[\w.-]*[\w-]`)

// FindSteering lists the steering files in a text. It checks at most so many
// words.
func FindSteering(text string, most int) []string {
	if !strings.ContainsAny(text, "./") {
		return nil // every such path has one
	}
	return slices.DeleteFunc(target.FindAllString(text, most), func(path string) bool { return !Steers(path) })
}

var relative = lazyregexp.New(`^[\w.-]+(?:/[\w.-]+)+\w|^[\w-]+\.[a-z]{1,5}\b`)

// At is the relative path that begins at a position of a text, "" if none does.
func At(s string, from int) string {
	if from > 0 && !strings.ContainsRune(" \"'`(", rune(s[from-1])) {
		return ""
	}
	return relative.FindString(s[from:min(len(s), from+300)])
}
