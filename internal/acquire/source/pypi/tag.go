package pypi

import (
	"slices"
	"strconv"
	"strings"

	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// platform is what wheels are chosen for.
type platform struct {
	// python is the version of the interpreter, "" if unknown.
	python string
	minor  int    // of Python 3; -1 if it is not known
	arch   string // as in the names of wheels
	glibc  int    // the minor version of glibc 2
}

// newPlatform takes the version of the interpreter and GOARCH. It assumes a C
// library as old as that of Debian 12, so that newer machines choose the same
// wheels.
func newPlatform(python, goarch string) platform {
	p := platform{minor: -1, arch: goarch, glibc: 36}
	switch goarch {
	case "amd64":
		p.arch = "x86_64"
	case "arm64":
		p.arch = "aarch64"
	}
	// Of a release candidate only the numbers count, as they do for pip.
	if v, ok := parseVersion(python); ok && v.part(0) == 3 && v.part(1) < 1000 {
		p.python, p.minor = v.base().String(), int(v.part(1))
	}
	return p
}

// accepts reports whether a package's Python requirement is met. An unreadable
// requirement or an unknown version is accepted.
func (p platform) accepts(requires string) bool {
	s, err := parseSpecifiers(requires)
	v, known := parseVersion(p.python)
	return err != nil || !known || s.match(v)
}

// unfit is the rank of a wheel for other machines.
const unfit = 1 << 30

// rank says how well a wheel fits. Its tags are the last three parts of its
// name, each with one or several values separated by dots. Lower is better; the
// order is that of PEP 425: the closer to this interpreter, the better.
func (p platform) rank(python, abi, platform string) int {
	// no gap: a larger package, manifest or list is refused with an error
	const most, place = 32, 1000
	pythons, abis := strings.Split(python, "."), strings.Split(abi, ".")
	anywhere, here := false, unfit
	for plat := range strings.SplitSeq(platform, ".") {
		if r, ok := p.platformRank(plat); ok {
			here = min(here, r)
		}
		anywhere = anywhere || plat == "any"
	}
	best := unfit
	for _, py := range pythons[:min(most, len(pythons))] {
		for _, a := range []string{py, "abi3", "none"} {
			if !slices.Contains(abis, a) {
				continue
			}
			if r, ok := p.interpreterRank(py, a, false); ok && here != unfit {
				best = min(best, r*place+here)
			}
			if r, ok := p.interpreterRank(py, a, true); ok && anywhere {
				best = min(best, r*place)
			}
		}
	}
	return best
}

var tagForm = lazyregexp.New(`^(cp|py)3([0-9]{1,3})?$`)

// interpreterRank has ten thousand values for each group of tags.
func (p platform) interpreterRank(py, abi string, anywhere bool) (int, bool) {
	const group = 10_000
	m := tagForm.FindStringSubmatch(py)
	if m == nil {
		return 0, false
	}
	minor, err := strconv.Atoi(m[2])
	specific := err == nil
	older := p.minor - minor
	unknown := p.minor < 0
	if unknown {
		// The interpreter is unknown; the newest is the likeliest.
		older = 1000 - minor
	}
	cp := m[1] == "cp" && specific
	here := cp && (older == 0 || unknown)
	switch {
	case specific && older < 0:
		return 0, false
	case here && abi == py && !anywhere && unknown:
		return 7*group + older, true
	case here && abi == py && !anywhere:
		return 0, true
	case here && abi == "abi3" && !anywhere && !unknown:
		return 1 * group, true
	case here && abi == "none" && !anywhere:
		return 2 * group, true
	case cp && abi == "abi3" && !anywhere:
		return 3*group + older, minor >= 2
	case m[1] == "py" && abi == "none" && !anywhere:
		return 4*group + age(specific, older), true
	case here && abi == "none":
		return 5 * group, true
	case m[1] == "py" && abi == "none":
		return 6*group + age(specific, older), true
	}
	return 0, false
}

// age puts py3 after py311 and before py310 for an interpreter 3.11.
func age(specific bool, older int) int {
	switch {
	case !specific:
		return 1
	case older == 0:
		return 0
	}
	return older + 1
}

var manylinux = lazyregexp.New(`^manylinux_2_([0-9]{1,3})_(.+)$`)

// platformRank prefers wheels for newer C libraries; those for musl are for
// other systems.
func (p platform) platformRank(tag string) (int, bool) {
	for _, old := range []struct{ name, glibc string }{{"manylinux1_", "5"}, {"manylinux2010_", "12"}, {"manylinux2014_", "17"}} {
		if arch, ok := strings.CutPrefix(tag, old.name); ok {
			tag = "manylinux_2_" + old.glibc + "_" + arch
		}
	}
	if m := manylinux.FindStringSubmatch(tag); m != nil {
		minor, err := strconv.Atoi(m[1])
		return p.glibc - minor, err == nil && minor <= p.glibc && m[2] == p.arch
	}
	return 999, tag == "linux_"+p.arch
}
