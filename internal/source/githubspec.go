package source

import (
	"fmt"
	"net/url"
	"path"
	"regexp"
	"strings"
)

// repository is a place in a GitHub repository.
type repository struct { //nolint:recvcheck // check completes it, all others only look
	owner, name string
	ref         string // "" for the default branch
	sub         string // "" for all of it
	// tail is what follows /tree/ in an address: a ref, which may have
	// slashes, and then perhaps a directory. Only GitHub can tell which.
	tail []string
}

func (r repository) String() string { return r.owner + "/" + r.name }

const githubPrefix = "github:"

var (
	githubAddress = regexp.MustCompile(`^(?i:(?:git\+)?(?:https?|ssh|git)://(?:[^/@\s]*@)?(?:www\.)?github\.com(?::\d+)?/|(?:git\+ssh://)?git@github\.com:)`)
	githubOwner   = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$`)
	githubName    = regexp.MustCompile(`^[A-Za-z0-9._-]{1,100}$`)
)

// isGitHub reports whether source is written like a GitHub repository.
func isGitHub(source string) bool {
	return strings.HasPrefix(source, githubPrefix) || githubAddress.MatchString(source)
}

// parseGitHub reads github:OWNER/REPO[/SUB][@REF] and the addresses that a
// browser shows. User and password in an address are not looked at.
func parseGitHub(source string) (repository, error) {
	const longest = 2000
	if len(source) > longest {
		return repository{}, usage("%s is longer than the name of any repository; check it", quote(source))
	}
	var r repository
	var err error
	if rest, ok := strings.CutPrefix(source, githubPrefix); ok {
		r, err = parseGitHubName(rest)
	} else {
		r, err = parseGitHubAddress(source)
	}
	if err != nil {
		return repository{}, err
	}
	return r, r.check(source)
}

// parseGitHubName splits at the first "@" that does not begin a directory, as
// those of npm scopes do. A ref can have any number of them.
func parseGitHubName(rest string) (repository, error) {
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
			return r, usage("%s names no branch, tag or commit after the @; leave it out for the default branch", quote(githubPrefix+rest+"@"))
		}
	}
	parts := strings.SplitN(rest, "/", 3)
	if len(parts) < 2 {
		return r, notGitHub(githubPrefix + rest)
	}
	r.owner, r.name = parts[0], strings.TrimSuffix(parts[1], ".git")
	if len(parts) == 3 {
		r.sub = parts[2]
	}
	return r, nil
}

func parseGitHubAddress(source string) (repository, error) {
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
		return r, usage("%s is one file of a repository; name the directory it is in: the same address with /tree/ in place of /blob/, without the file", quote(source))
	default:
		return r, usage("%s is a page about a repository; name the repository itself: https://github.com/OWNER/REPO, or with /tree/BRANCH/DIRECTORY", quote(source))
	}
	return r, nil
}

func (r *repository) check(source string) error {
	if !githubOwner.MatchString(r.owner) || !githubName.MatchString(r.name) || r.name == "." || r.name == ".." {
		return notGitHub(source)
	}
	if r.sub != "" {
		sub, why := memberPath(strings.TrimSuffix(r.sub, "/"))
		if why != "" {
			return usage("%s names no directory that a repository can have", quote(source))
		}
		if r.sub = sub; sub == "." {
			r.sub = ""
		}
	}
	if r.ref != "" && !isRef(r.ref) {
		return usage("%s is no name of a branch, tag or commit", quote(r.ref))
	}
	const deepest = 32
	if len(r.tail) > deepest {
		return usage("%s is nested deeper than %d directories", quote(source), deepest)
	}
	for _, part := range r.tail {
		if _, why := memberPath(part); why != "" || part == "." {
			return usage("%s names no branch and directory that a repository can have", quote(source))
		}
	}
	return nil
}

// isRef goes by Git's own rules for names.
func isRef(ref string) bool {
	const longest = 250
	switch {
	case len(ref) > longest || badName(ref) != "" || strings.ContainsAny(ref, " ~^:?*[\\"):
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

var commitForm = regexp.MustCompile(`^(?:[0-9a-f]{40}|[0-9a-f]{64})$`)

// isCommit reports whether ref is the whole name of a commit.
func isCommit(ref string) bool { return commitForm.MatchString(ref) }

// splits returns the ways to read a tail: the ref, and the directory behind it.
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

// wanted is what the repository was asked for, as a part of a key.
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
	return usage("%s is not written like a GitHub repository; write it as in github:owner/repo@v1.2.3 or https://github.com/owner/repo/tree/main/directory", quote(source))
}

// gitSource turns the Git address of a package manager into a target. Before
// the ref stands sep: "#" for npm, "@" for pip. Directories are named in the
// fragment: "#path:/dir" for pnpm, "#subdirectory=dir" for pip.
func gitSource(spec, sep string) (source, problem string) {
	const other = "it is installed from an address, which only works for GitHub; download it and assess the directory"
	address, fragment, _ := strings.Cut(spec, "#")
	if !isGitHub(address) {
		return "", other
	}
	ref := ""
	if sep == "#" {
		ref, _, _ = strings.Cut(fragment, "&")
		if strings.HasPrefix(ref, "semver:") || strings.HasPrefix(ref, "path:") {
			ref = ""
		}
	}
	r, err := parseGitHub(address)
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
	source = githubPrefix + r.String()
	if r.sub != "" {
		source += "/" + r.sub
	}
	if r.ref != "" {
		source += "@" + r.ref
	}
	return source, ""
}

// short is how a commit is shown.
func short(commit string) string { return fmt.Sprintf("%.12s", commit) }
