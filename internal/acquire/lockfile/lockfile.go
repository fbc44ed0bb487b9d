// Package lockfile reads the lock files of projects: which versions of which
// packages their author tested.
//
// In: the name and the bytes of a lock file. Out: an [mcpsf.Lock], by which a
// package manager is held to these versions.
//
// A lock file is the server's word, and hostile. Only names, versions, markers and
// digests are taken from it, and only in their strict form: no address, no path out
// of the project, no option. A file with anything else in these places is refused as
// a whole.
package lockfile

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/document"
)

// How much is read.
// gap: lock-not-honoured
const (
	// MaxSize is the largest lock file.
	MaxSize = 16 << 20
	// maxPins bounds the locked packages.
	maxPins = 20_000
	// maxMarker bounds a marker.
	maxMarker = 2000
)

var (
	// ErrSize says that a lock file is too large.
	ErrSize = fmt.Errorf("it is larger than %d MB", MaxSize>>20)
	// ErrEmpty says that there is nothing in it.
	ErrEmpty = errors.New("it locks no packages")
	errPins  = fmt.Errorf("it has more than %d packages", maxPins)
	errName  = errors.New("it has a name or version that no package can have")
	errOther = errors.New("it is no such lock file, or of a version that is not known")
)

// Node lists the lock files of Node.js projects, the first one counts. npm itself
// prefers npm-shrinkwrap.json.
func Node() []string {
	return []string{"npm-shrinkwrap.json", "package-lock.json", "pnpm-lock.yaml", "yarn.lock"}
}

// Python lists the lock files of Python projects, the first one counts. A
// requirements.txt is one as far as it names exact versions.
func Python() []string {
	return []string{"uv.lock", "poetry.lock", "pdm.lock", "pylock.toml", "Pipfile.lock", "requirements.txt"}
}

// IsNPM reports whether npm itself obeys the file.
func IsNPM(name string) bool {
	return name == "npm-shrinkwrap.json" || name == "package-lock.json"
}

// Read reads a lock file.
func Read(name string, data []byte) (*mcpsf.Lock, error) {
	if len(data) > MaxSize {
		return nil, ErrSize
	}
	b := &builder{}
	if err := b.read(name, data); err != nil {
		return nil, err
	}
	if b.err != nil {
		return nil, b.err
	}
	if len(b.pins) == 0 && len(b.elsewhere) == 0 {
		return nil, ErrEmpty
	}
	lock := &mcpsf.Lock{File: name, Requires: b.requires, Alone: b.alone, Members: b.members}
	slices.Sort(b.elsewhere)
	lock.Elsewhere = slices.Compact(b.elsewhere)
	if slices.Contains(Node(), name) {
		lock.Versions = b.versions()
	} else {
		lock.Constraints = b.constraints()
	}
	return lock, nil
}

// builder collects what a lock file says.
type builder struct {
	pins []pin
	// elsewhere are packages that come from no registry.
	elsewhere []string
	requires  []string
	alone     bool
	members   []string
	err       error
}

// pin is a locked version.
type pin struct {
	name, version string
	// marker says where it is used, "" for everywhere or unknown.
	marker string
	// integrity is the digest of its file, in the form of npm.
	integrity string
	// dev says that only the project's developers need it.
	dev bool
}

func (b *builder) read(name string, data []byte) error {
	switch name {
	case "npm-shrinkwrap.json", "package-lock.json":
		return b.json(data, b.packageLock)
	case "pnpm-lock.yaml":
		return b.pnpm(data)
	case "yarn.lock":
		return b.yarn(data)
	case "uv.lock":
		return b.toml(data, b.uv)
	case "poetry.lock":
		return b.toml(data, b.poetry)
	case "pdm.lock":
		return b.toml(data, b.pdm)
	case "pylock.toml":
		return b.toml(data, b.pylock)
	case "Pipfile.lock":
		return b.json(data, b.pipfile)
	case "requirements.txt":
		b.requirements(string(data))
		return nil
	}
	return errOther
}

func (*builder) json(data []byte, read func(*document.Value) error) error {
	doc, err := document.JSON(data)
	if err != nil {
		return err
	}
	return read(doc)
}

func (*builder) toml(data []byte, read func(*document.Value) error) error {
	doc, err := document.TOML(data)
	if err != nil {
		return err
	}
	return read(doc)
}

// fail keeps the first error.
func (b *builder) fail(err error) {
	if b.err == nil {
		b.err = err
	}
}

func (b *builder) add(p pin) {
	if len(b.pins) == maxPins {
		b.fail(errPins)
		return
	}
	b.pins = append(b.pins, p)
}

// from notes a package that comes from no registry.
func (b *builder) from(name string, valid bool) {
	switch {
	case !valid:
		b.fail(errName)
	case len(b.elsewhere) == maxPins:
		b.fail(errPins)
	default:
		b.elsewhere = append(b.elsewhere, name)
	}
}

// inside returns a folder of the project in its shortest form, "" if the path leads
// out of it.
func inside(dir string) string {
	dir = path.Clean(strings.ReplaceAll(dir, `\`, "/"))
	if path.IsAbs(dir) || dir == ".." || strings.HasPrefix(dir, "../") || strings.ContainsAny(dir, "\x00\r\n:") {
		return ""
	}
	return dir
}
