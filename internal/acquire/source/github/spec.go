package github

import (
	"fmt"
	"net/url"
	"path"
	"strings"

	"github.com/mcpsf/mcpsf/internal/acquire/archive"
	"github.com/mcpsf/mcpsf/internal/acquire/source/usererr"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// repository is a directory in a GitHub repository.
type repository struct { //nolint:recvcheck // check completes it, all others only look
	owner, name string
	ref         string // "" for the default branch
	sub         string // "" for all of it
	// tail is what follows /tree/ in a URL: a ref, which may have slashes, and
	// then perhaps a directory. Only GitHub knows where the ref ends.
	tail []string
}

func (r repository) String() string { return r.owner + "/" + r.name }

const prefix = "github:"

var (
	githubAddress = lazyregexp.New(`^(?i:(?:git\+)?(?:https?|ssh|git)://(?:[^/@\s]*@)?(?:www\.)?github\.com(?::\d+)?/|(?:git\+ssh://)?git@github\.com:)`)
	githubOwner   = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$`)
	githubName    = lazyregexp.New(`^[A-Za-z0-9._-]{1,100}$`)
)

// matches reports whether source is written like a GitHub repository.
func matches(source string) bool {
	return strings.HasPrefix(source, prefix) || githubAddress.MatchString(source)
}

// parseSpec parses github:OWNER/REPO[/SUB][@REF] and the URLs that a browser
// shows. User and password in a URL are ignored.
func parseSpec(source string) (repository, error) {
	const longest = 2000
	if len(source) > longest {
		return repository{}, usererr.Usage("%s is longer than the name of any repository; check it", usererr.Quote(source))
	}
	var r repository
	var err error
	if rest, ok := strings.CutPrefix(source, prefix); ok {
		r, err = parseName(rest)
	} else {
		r, err = parseAddress(source)
	}
	if err != nil {
		return repository{}, err
	}
	return r, r.check(source)
}

// parseName splits at the first "@" that does not begin a directory, as npm
// scopes do. A ref can contain any number of them.
func parseName(rest string) (repository, error) {
	rest = strings.Trim(rest, "/")
	at := -1
	for i := 1; i < len(rest) && at < 0; i++ {
		if rest[i] == '@' && rest[i-1] != '/' {
			at = i
		}
	}
	var r repository
	if at >= 0 {
		rest, r.ref = rest[:at], rest[at+1:]
		if r.ref == "" {
			return r, usererr.Usage("%s names no branch, tag or commit after the @; leave it out for the default branch", usererr.Quote(prefix+rest+"@"))
		}
	}
	parts := strings.SplitN(rest, "/", 3)
	if len(parts) < 2 {
		return r, notGitHub(prefix + rest)
	}
	r.owner, r.name = parts[0], strings.TrimSuffix(parts[1], ".git")
	if len(parts) == 3 {
		r.sub = parts[2]
	}
	return r, nil
}

func parseAddress(source string) (repository, error) {
	rest := source[len(githubAddress.FindString(source)):]
	rest, _, _ = strings.Cut(rest, "#")
	rest, _, _ = strings.Cut(rest, "?")
	parts := strings.Split(strings.Trim(rest, "/"), "/")
	for i, part := range parts {
		text, err := url.PathUnescape(part)
		if err != nil || strings.Contains(text, "/") && i < 3 {
			return repository{}, notGitHub(source)
		}
		parts[i] = text
	}
	if len(parts) < 2 {
		return repository{}, notGitHub(source)
	}
	var r repository
	name, ref, _ := strings.Cut(parts[1], "@")
	r.owner, r.name, r.ref = parts[0], strings.TrimSuffix(name, ".git"), ref
	if len(parts) == 2 {
		return r, nil
	}
	after := parts[3:]
	switch {
	case parts[2] == "tree" && len(after) == 1:
		r.ref = after[0]
	case parts[2] == "tree" && len(after) > 1:
		r.tail = after
	case (parts[2] == "commit" || parts[2] == "commits") && len(after) >= 1:
		r.ref = strings.Join(after, "/")
	case parts[2] == "releases" && len(after) > 1 && after[0] == "tag":
		r.ref = strings.Join(after[1:], "/")
	case parts[2] == "archive" && len(after) >= 1:
		r.ref = strings.TrimSuffix(strings.TrimSuffix(strings.Join(after, "/"), ".zip"), ".tar.gz")
	case parts[2] == "blob":
		return r, usererr.Usage("%s is one file of a repository; name the directory it is in: the same address with /tree/ in place of /blob/, without the file", usererr.Quote(source))
	default:
		return r, usererr.Usage("%s is a page about a repository; name the repository itself: https://github.com/OWNER/REPO, or with /tree/BRANCH/DIRECTORY", usererr.Quote(source))
	}
	return r, nil
}

func (r *repository) check(source string) error {
	if !githubOwner.MatchString(r.owner) || !githubName.MatchString(r.name) || r.name == "." || r.name == ".." {
		return notGitHub(source)
	}
	if r.sub != "" {
		sub, why := archive.MemberPath(strings.TrimSuffix(r.sub, "/"))
		if why != "" {
			return usererr.Usage("%s names no directory that a repository can have", usererr.Quote(source))
		}
		if r.sub = sub; sub == "." {
			r.sub = ""
		}
	}
	if r.ref != "" && !isRef(r.ref) {
		return usererr.Usage("%s is no name of a branch, tag or commit", usererr.Quote(r.ref))
	}
	const deepest = 32
	if len(r.tail) > deepest {
		return usererr.Usage("%s is nested deeper than %d directories", usererr.Quote(source), deepest)
	}
	for _, part := range r.tail {
		if _, why := archive.MemberPath(part); why != "" || part == "." {
			return usererr.Usage("%s names no branch and directory that a repository can have", usererr.Quote(source))
		}
	}
	return nil
}

// isRef follows Git's own rules for names.
func isRef(ref string) bool {
	const longest = 250
	switch {
	case len(ref) > longest || usererr.BadName(ref) != "" || strings.ContainsAny(ref, " ~^:?*[\\"):
		return false
	case strings.Contains(ref, "..") || strings.Contains(ref, "@{") || strings.Contains(ref, "//") || ref == "@":
		return false
	case strings.HasPrefix(ref, "-") || strings.HasPrefix(ref, "/") || strings.HasSuffix(ref, "/") || strings.HasSuffix(ref, "."):
		return false
	}
	for part := range strings.SplitSeq(ref, "/") {
		if strings.HasPrefix(part, ".") || strings.HasSuffix(part, ".lock") {
			return false
		}
	}
	return true
}

var commitForm = lazyregexp.New(`^(?:[0-9a-f]{40}|[0-9a-f]{64})$`)

// isCommit reports whether ref is a full commit hash.
func isCommit(ref string) bool { return commitForm.MatchString(ref) }

// splits returns the possible interpretations of a tail: the ref, and the
// directory behind it.
func (r repository) splits() []repository {
	if len(r.tail) == 0 {
		return []repository{r}
	}
	var all []repository
	for i := 1; i <= len(r.tail); i++ {
		one := r
		one.tail = nil
		one.ref = strings.Join(r.tail[:i], "/")
		one.sub = path.Join(r.tail[i:]...)
		if isRef(one.ref) {
			all = append(all, one)
		}
	}
	return all
}

// wanted is the requested ref and directory, as a part of a key.
func (r repository) wanted() string {
	if len(r.tail) > 0 {
		return "tree/" + strings.Join(r.tail, "/")
	}
	if r.ref == "" {
		return "HEAD"
	}
	return r.ref
}

func notGitHub(source string) error {
	return usererr.Usage("%s is not written like a GitHub repository; write it as in github:owner/repo@v1.2.3 or https://github.com/owner/repo/tree/main/directory", usererr.Quote(source))
}

// SourceOf turns the Git URL of a package manager into a target. sep precedes
// the ref: "#" for npm, "@" for pip. Directories are named in the fragment:
// "#path:/dir" for pnpm, "#subdirectory=dir" for pip.
func SourceOf(spec, sep string) (source, problem string) {
	const other = "it is installed from an address, which only works for GitHub; download it and assess the directory"
	address, fragment, _ := strings.Cut(spec, "#")
	if !matches(address) {
		return "", other
	}
	ref := ""
	if sep == "#" {
		ref, _, _ = strings.Cut(fragment, "&")
		if strings.HasPrefix(ref, "semver:") || strings.HasPrefix(ref, "path:") {
			ref = ""
		}
	}
	r, err := parseSpec(address)
	if err != nil {
		return "", other
	}
	for part := range strings.SplitSeq(fragment, "&") {
		for _, key := range []string{"subdirectory=", "path:/", "path:"} {
			if dir, ok := strings.CutPrefix(part, key); ok && r.sub == "" {
				r.sub = dir
			}
		}
	}
	if ref != "" {
		r.ref = ref
	}
	if r.check(spec) != nil {
		return "", other
	}
	source = prefix + r.String()
	if r.sub != "" {
		source += "/" + r.sub
	}
	if r.ref != "" {
		source += "@" + r.ref
	}
	return source, ""
}

// short is a commit's short form.
func short(commit string) string { return fmt.Sprintf("%.12s", commit) }
