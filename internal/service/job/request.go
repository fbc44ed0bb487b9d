package job

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// Request is what a client wants to be assessed, and how.
type Request struct {
	// Source is what to assess: a package, a repository, an image or the URL of a
	// server, but never a file of the machine that assesses.
	Source string `json:"source,omitempty"`
	// Archive replaces Source: the digest of an uploaded archive. ArchiveName is
	// what the client calls it.
	Archive     string `json:"archive,omitempty"`
	ArchiveName string `json:"archive_name,omitempty"`
	// Command starts the server instead of the command found in the package; Args
	// are added to the command found.
	Command []string `json:"command,omitempty"`
	Args    []string `json:"args,omitempty"`

	Profile   string   `json:"profile,omitempty"`
	Detectors []string `json:"detectors,omitempty"`
	// Env are environment variables for the server. Values are stored encrypted,
	// and only until the job has ended; lists show the names.
	Env     map[string]string `json:"env,omitempty"`
	Options Options           `json:"options,omitzero"`
}

// Options are the rarer settings of an assessment.
type Options struct {
	Network   string  `json:"network,omitempty"`
	Image     string  `json:"image,omitempty"`
	Seed      *uint64 `json:"seed,omitempty"`
	Timeout   string  `json:"timeout,omitempty"`
	Memory    string  `json:"memory,omitempty"`
	CPUs      int     `json:"cpus,omitempty"`
	ScanOnly  bool    `json:"scan_only,omitempty"`
	NoInstall bool    `json:"no_install,omitempty"`
	// NoRepository does not compare a package with its source repository.
	NoRepository bool `json:"no_repository,omitempty"`
	// MayAttack says that the client may attack the remote server.
	MayAttack bool `json:"may_attack,omitempty"`
}

// Limits of a request, far above what a legitimate one needs.
// no gap: bounds requests to the service and what its pages show, not what a run sees
const (
	maxText  = 2 << 10
	maxParts = 256
	maxEnv   = 64 << 10
	maxWait  = time.Hour
	// In mebibytes.
	minMemory, maxMemory = 64, 4096
)

// Check finds errors in a request before it is queued. Others show only when it
// runs.
func (r *Request) Check() error {
	for _, check := range []func() error{r.checkSource, r.checkTexts, r.checkEnv, r.checkOptions} {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

func wrong(format string, args ...any) error {
	return &mcpsf.Error{Code: mcpsf.CodeUsage, Message: fmt.Sprintf(format, args...)}
}

func (r *Request) checkSource() error {
	switch {
	case r.Source == "" && r.Archive == "":
		return wrong("source is missing; name a package such as npm:name@1.2.3, or upload an archive")
	case r.Source != "" && r.Archive != "":
		return wrong("give a source or an archive, not both")
	case r.Archive != "":
		return nil
	case len(r.Source) > maxText:
		return wrong("source is longer than %d bytes", maxText)
	}
	return checkPublic(r.Source)
}

var (
	npmName    = lazyregexp.New(`^(npm:)?(@[a-zA-Z0-9._~-]+/)?[a-zA-Z0-9_~-][a-zA-Z0-9._~-]*(@[a-zA-Z0-9._+~^-]+)?$`)
	pypiName   = lazyregexp.New(`^pypi:[a-zA-Z0-9][a-zA-Z0-9._-]*(\[[a-zA-Z0-9._, -]*\])?((==|@)[a-zA-Z0-9._+!-]+)?$`)
	githubName = lazyregexp.New(`^github:[a-zA-Z0-9-]+/[a-zA-Z0-9._-]+(/[a-zA-Z0-9._/-]+)?(@[a-zA-Z0-9._/+-]+)?$`)
	imageName  = lazyregexp.New(`^oci:[a-zA-Z0-9][a-zA-Z0-9.:/@_-]*$`)
)

// checkPublic accepts sources that are fetched. Anything else could be a file of
// the machine that assesses.
func checkPublic(source string) error {
	switch {
	case strings.Contains(source, ".."):
	case strings.HasPrefix(source, "pypi:") && pypiName.MatchString(source),
		strings.HasPrefix(source, "github:") && githubName.MatchString(source),
		strings.HasPrefix(source, "oci:") && imageName.MatchString(source),
		(strings.HasPrefix(source, "npm:") || strings.HasPrefix(source, "@")) && npmName.MatchString(source):
		return nil
	case strings.HasPrefix(source, "https://"), strings.HasPrefix(source, "http://"):
		u, err := url.Parse(source)
		if err == nil && u.Host != "" && u.User == nil {
			return nil
		}
	}
	return wrong("unsupported source %q; use npm:…, pypi:…, github:…, oci:… or the https URL of a server, or upload an archive", clip(source))
}

func clip(s string) string {
	if len(s) > 80 {
		return strings.ToValidUTF8(s[:80], "") + "…"
	}
	return s
}

func (r *Request) checkTexts() error {
	for name, list := range map[string][]string{"command": r.Command, "args": r.Args, "detectors": r.Detectors} {
		if len(list) > maxParts {
			return wrong("%s has more than %d elements", name, maxParts)
		}
		for _, s := range list {
			if len(s) > maxText || strings.ContainsRune(s, 0) {
				return wrong("an element of %s is longer than %d bytes, or contains a null character", name, maxText)
			}
		}
	}
	if len(r.Command) > 0 && len(r.Args) > 0 {
		return wrong("give command or args, not both: args are for the command found in the package")
	}
	for _, d := range r.Detectors {
		if strings.HasPrefix(d, "--") {
			return wrong("%q is not a detector", clip(d))
		}
	}
	return nil
}

func (r *Request) checkEnv() error {
	total := 0
	for name, value := range r.Env {
		if name == "" || strings.ContainsAny(name, "=\x00") || strings.ContainsRune(value, 0) {
			return wrong("names in env must not be empty or contain =, and nothing in env may contain a null character")
		}
		total += len(name) + len(value)
	}
	if len(r.Env) > maxParts || total > maxEnv {
		return wrong("env has more than %d variables or %d bytes", maxParts, maxEnv)
	}
	return nil
}

func (r *Request) checkOptions() error {
	o := &r.Options
	if r.Profile != "" && !slices.Contains([]string{"safe", "balanced", "aggressive"}, r.Profile) {
		return wrong("profile must be safe, balanced or aggressive, not %q", clip(r.Profile))
	}
	if o.Network != "" && o.Network != "sinkhole" && o.Network != "none" && o.Network != "allow" && !strings.HasPrefix(o.Network, "allow=") {
		return wrong("options.network must be sinkhole, none, allow or allow=HOST,…, not %q", clip(o.Network))
	}
	if o.Timeout != "" {
		if d, err := time.ParseDuration(o.Timeout); err != nil || d < time.Second || d > maxWait {
			return wrong("options.timeout must be a duration from 1s to %s, not %q", maxWait, clip(o.Timeout))
		}
	}
	if o.Memory != "" && !isMemory(o.Memory) {
		return wrong("options.memory must be a size from %dm to %dm, not %q", minMemory, maxMemory, clip(o.Memory))
	}
	if o.CPUs < 0 || o.CPUs > 16 {
		return wrong("options.cpus must be 1 to 16, not %d", o.CPUs)
	}
	if o.Image != "" && !imageName.MatchString("oci:"+strings.TrimPrefix(o.Image, "oci:")) || len(o.Image) > maxText {
		return wrong("options.image must be the name of a container image, not %q", clip(o.Image))
	}
	return nil
}

// isMemory tells whether a size such as 512m or 2g is within the limits.
func isMemory(size string) bool {
	unit := map[byte]int{'m': 1, 'g': 1024}[size[len(size)-1]]
	n, err := strconv.Atoi(size[:len(size)-1])
	return err == nil && n > 0 && n <= maxMemory && n*unit >= minMemory && n*unit <= maxMemory
}

// Shown is the request without the values of environment variables.
func (r *Request) Shown() Request {
	shown := *r
	if r.Env != nil {
		shown.Env = make(map[string]string, len(r.Env))
		for name := range r.Env {
			shown.Env[name] = ""
		}
	}
	return shown
}

// Same returns a digest that is equal for requests with the same result, with
// the same version of mcpsf. It is keyed, so that values of variables cannot be
// guessed from it.
func (r *Request) Same(secret []byte, version string) string {
	text, err := json.Marshal(r) // maps are written in order
	if err != nil {
		return ""
	}
	sum := hmac.New(sha256.New, secret)
	fmt.Fprintf(sum, "%s\n%s", version, text)
	return hex.EncodeToString(sum.Sum(nil))
}

// Kind is the kind of the source, in one word.
func (r *Request) Kind() string {
	switch s := r.Source; {
	case r.Archive != "":
		return "archive"
	case strings.HasPrefix(s, "npm:"), strings.HasPrefix(s, "@"):
		return "npm"
	case strings.HasPrefix(s, "http://"), strings.HasPrefix(s, "https://"):
		return "remote"
	}
	for _, kind := range []string{"pypi", "github", "oci"} {
		if strings.HasPrefix(r.Source, kind+":") {
			return kind
		}
	}
	return "other"
}

// Pinned tells whether the source always has the same content.
func (r *Request) Pinned() bool {
	switch s := r.Source; {
	case r.Archive != "":
		return true
	case strings.HasPrefix(s, "pypi:"):
		return strings.Contains(s, "==") || strings.Contains(s, "@")
	case strings.HasPrefix(s, "npm:"), strings.HasPrefix(s, "@"):
		at := strings.LastIndex(s, "@")
		return at > 0 && !strings.HasSuffix(s[:at], ":") && exact.MatchString(s[at+1:])
	case strings.HasPrefix(s, "oci:"):
		return strings.Contains(s, "@sha256:")
	case strings.HasPrefix(s, "github:"):
		at := strings.LastIndex(s, "@")
		return at > 0 && commit.MatchString(s[at+1:])
	}
	return false
}

var (
	exact  = lazyregexp.New(`^[0-9]+\.[0-9]+\.[0-9]+([-+].*)?$`)
	commit = lazyregexp.New(`^[0-9a-f]{40}$`)
)
