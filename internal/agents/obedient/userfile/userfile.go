package userfile

import (
	"regexp"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/agents/promptscan"
)

// Secret reports whether a file has secrets in it.
func Secret(path string) bool {
	return promptscan.SecretPath(path) || telling.MatchString(path) && (below.MatchString(path) || suffix.MatchString(path))
}

// HiddenInHome reports whether the file is below the home, and it or a folder of
// it is hidden.
func HiddenInHome(path string) bool { return homely.MatchString(path) }

// NamedLikeSecret reports whether the file's name says that a secret lies in it.
func NamedLikeSecret(path string) bool { return telling.MatchString(path) && suffix.MatchString(path) }

var (
	// homely paths are hidden files or folders below a home.
	homely = regexp.MustCompile(`^(?:~|\$\{?HOME\}?|/home/[^/]+|/root|/Users/[^/]+|%USERPROFILE%)[/\\]+(?:.*[/\\])?\.\w`)
	below  = regexp.MustCompile(`(?i)^(?:~|\$\{?HOME\}?|/home/|/root|/Users/|%USERPROFILE%|C:)`)
	suffix = regexp.MustCompile(`\w\.\w{1,8}$`)
	// telling names say that a secret lies there.
	telling = regexp.MustCompile(`(?i)token|passw|secret|credential|private|wallet|\bkeys?\b|_key|keyring|vault|cookie|history|auth\b|\.(?:pem|kdbx|key|keystore|gpg|asc|cnf|s3cfg|pgpass|age)$|\bid\.json|rclone|huggingface|stripe|\.config/\w+/(?:config|hosts)`)
)

// Private reports whether a file is the user's or the system's: no tool has to do
// with it unless the user says so.
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

// Steers reports whether a file steers agents or shells in later sessions.
func Steers(path string) bool {
	low := strings.ToLower(path)
	if !strings.ContainsAny(low, "./") {
		return false
	}
	base := low[strings.LastIndexByte(low, '/')+1:]
	return tables().Steering.Has(base) || slices.ContainsFunc(tables().SteeringParts, func(part string) bool { return strings.Contains(low, part) })
}

// defaultKey is the file that is meant by a secret that says nothing more.
const defaultKey = "~/.ssh/id_rsa"

// Location is where the secret lies that some words are about, "" if it lies in
// no file.
func Location(words string) string {
	for _, l := range tables().Locations {
		if strings.Contains(words, l.Word) {
			return l.Path
		}
	}
	return defaultKey
}

// target is what may be a path.
var target = regexp.MustCompile(`(?:~|\.{1,2}|\$HOME|[A-Za-z]:)?/?(?:[\w.-]+/)*[\w.-]*[\w-]`)

// FindSteering lists the files in a text that steer later sessions. At most so
// many words are looked at.
func FindSteering(text string, most int) []string {
	if !strings.ContainsAny(text, "./") {
		return nil // no such path is without
	}
	return slices.DeleteFunc(target.FindAllString(text, most), func(path string) bool { return !Steers(path) })
}

var relative = regexp.MustCompile(`^[\w.-]+(?:/[\w.-]+)+\w|^[\w-]+\.[a-z]{1,5}\b`)

// At is the relative path that begins at a place of a text, "" if none does.
func At(s string, from int) string {
	if from > 0 && !strings.ContainsRune(" \"'`(", rune(s[from-1])) {
		return ""
	}
	return relative.FindString(s[from:min(len(s), from+300)])
}
