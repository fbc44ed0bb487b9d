package pypi

import (
	"net/url"
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/mcpsf/mcpsf/internal/acquire/registry"
	"github.com/mcpsf/mcpsf/internal/acquire/source/published"
	"github.com/mcpsf/mcpsf/internal/acquire/source/usererr"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
	"github.com/mcpsf/mcpsf/internal/safetext"
)

// distFile is one file of a package, as an index lists it.
type distFile struct {
	name    string // of the file
	url     *url.URL
	version version
	// algorithm and sum are the index's strongest digest of the content, "" if
	// none is strong enough.
	algorithm, sum string
	requires       string // of Python
	yanked         bool
	reason         string    // of the withdrawal
	published      time.Time // zero if the page does not say
	attestation    *url.URL  // of the build attestation, nil if there is none

	// tags are the last three parts of a wheel's name; none for a source.
	tags  []string
	build int // of wheels with the same tags the highest is the best
	rank  int // how well it fits, lower is better
	index registry.Registry
}

// isWheel reports whether the file can be installed without being built.
func (f *distFile) isWheel() bool { return f.tags != nil }

// link is an index's description of one file, unchecked.
type link struct {
	href     string
	filename string // "" if it is only in the address
	hashes   map[string]string
	requires string
	yanked   bool
	reason   string
	uploaded string // the date
	attested string // the URL of its attestation, "" if there is none
}

// plainFile matches every valid name of a wheel or a source. It is also safe as
// a local file name.
var plainFile = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9._+!-]{0,250}$`)

// newDistFile reads a link of the page at base; nil if it is no installable
// file of the package.
func newDistFile(l link, base *url.URL, project string) *distFile {
	const longest = 4096
	if len(l.href) > longest {
		return nil
	}
	ref, err := url.Parse(strings.TrimSpace(l.href))
	if err != nil {
		return nil
	}
	u := base.ResolveReference(ref)
	f := &distFile{name: path.Base(u.Path), url: u, yanked: l.yanked, reason: safetext.Line(l.reason, usererr.MaxShown), published: published.Date(l.uploaded)}
	// Like pip, we ignore an invalid condition.
	if _, err := parseSpecifiers(l.requires); err == nil && len(l.requires) <= usererr.MaxShown {
		f.requires = strings.TrimSpace(l.requires)
	}
	if l.filename != "" {
		f.name = l.filename
	}
	if !safeFrom(base, u) || !plainFile.MatchString(f.name) || !f.readName(project) {
		return nil
	}
	f.readDigest(l.hashes, u.Fragment)
	f.attestation = attestationAt(l.attested, base)
	u.User, u.Fragment, u.RawFragment = nil, "", ""
	return f
}

// safeFrom reports whether a page may link there: to the web, and not from
// HTTPS to HTTP.
func safeFrom(page, to *url.URL) bool {
	return to.Hostname() != "" && (to.Scheme == "https" || to.Scheme == "http" && page.Scheme == "http")
}

// readName takes version and tags from the name.
func (f *distFile) readName(project string) bool {
	if stem, ok := strings.CutSuffix(f.name, ".whl"); ok {
		return f.readWheelName(stem, project)
	}
	stem, ok := strings.CutSuffix(f.name, ".tar.gz")
	if !ok {
		if stem, ok = strings.CutSuffix(f.name, ".zip"); !ok {
			return false
		}
	}
	rest, ok := cutProject(stem, project)
	if !ok {
		return false
	}
	f.version, ok = parseVersion(rest)
	return ok
}

// cutProject removes the project's name from a source's. Older ones have dashes
// in both.
func cutProject(stem, project string) (version string, ok bool) {
	for _, want := range []byte(project) {
		left := strings.TrimLeft(stem, "-_.")
		switch {
		case want == '-' && left != stem:
			stem = left
		case want == '-' || left != stem || stem == "" || strings.ToLower(stem[:1])[0] != want:
			return "", false
		default:
			stem = stem[1:]
		}
	}
	return strings.CutPrefix(stem, "-")
}

func (f *distFile) readWheelName(stem, project string) bool {
	parts := strings.Split(stem, "-")
	if len(parts) != 5 && len(parts) != 6 || NormalizeName(parts[0]) != project {
		return false
	}
	if len(parts) == 6 {
		digits := parts[2][:len(parts[2])-len(strings.TrimLeft(parts[2], "0123456789"))]
		n, err := strconv.Atoi(digits)
		if err != nil {
			return false
		}
		f.build = n
	}
	v, ok := parseVersion(strings.ReplaceAll(parts[1], "_", "-"))
	f.version, f.tags = v, parts[len(parts)-3:]
	return ok
}

// readDigest takes the strongest of the stated digests. Algorithms with known
// collisions are ignored.
func (f *distFile) readDigest(hashes map[string]string, fragment string) {
	stated := map[string]string{}
	if name, sum, ok := strings.Cut(fragment, "="); ok {
		stated[strings.ToLower(name)] = sum
	}
	for name, sum := range hashes {
		stated[strings.ToLower(name)] = sum
	}
	for _, a := range []struct {
		name string
		size int
	}{{"sha512", 64}, {"sha384", 48}, {"sha256", 32}} {
		sum := strings.ToLower(stated[a.name])
		if len(sum) == 2*a.size && strings.Trim(sum, "0123456789abcdef") == "" {
			f.algorithm, f.sum = a.name, sum
			return
		}
	}
}
