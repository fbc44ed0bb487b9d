package pypi

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// version is a version as defined in PEP 440.
type version struct {
	epoch   int64
	release []int64
	// pre is 1, 2 and 3 for alpha, beta and release candidate, 0 for none.
	pre, preNumber int64
	// post and dev are -1 for none.
	post, dev int64
	local     []string
}

// versionForm has groups for epoch, release, pre-release (letter, number),
// post-release (number alone, word, number), development release (word,
// number) and local label.
var versionForm = lazyregexp.New(`^v?(?:([0-9]+)!)?([0-9]+(?:\.[0-9]+)*)` +
	`(?:[-_.]?(alpha|a|beta|b|preview|pre|c|rc)[-_.]?([0-9]+)?)?` +
	`(?:-([0-9]+)|[-_.]?(post|rev|r)[-_.]?([0-9]+)?)?` +
	`(?:[-_.]?(dev)[-_.]?([0-9]+)?)?` +
	`(?:\+([a-z0-9]+(?:[-_.][a-z0-9]+)*))?$`)

// parseVersion returns false for an invalid version.
func parseVersion(text string) (version, bool) {
	text = strings.ToLower(strings.TrimSpace(text))
	if len(text) > 128 {
		return version{}, false
	}
	m := versionForm.FindStringSubmatch(text)
	if m == nil {
		return version{}, false
	}
	ok := true
	number := func(s string) int64 {
		if s == "" {
			return 0
		}
		n, err := strconv.ParseInt(s, 10, 64)
		ok = ok && err == nil
		return n
	}
	v := version{epoch: number(m[1]), post: -1, dev: -1}
	for part := range strings.SplitSeq(m[2], ".") {
		v.release = append(v.release, number(part))
	}
	if m[3] != "" {
		v.pre, v.preNumber = preRank(m[3]), number(m[4])
	}
	switch {
	case m[5] != "":
		v.post = number(m[5])
	case m[6] != "":
		v.post = number(m[7])
	}
	if m[8] != "" {
		v.dev = number(m[9])
	}
	if m[10] != "" {
		v.local = strings.FieldsFunc(m[10], func(r rune) bool { return strings.ContainsRune("-_.", r) })
	}
	return v, ok
}

func preRank(word string) int64 {
	switch word[0] {
	case 'a':
		return 1
	case 'b':
		return 2
	}
	return 3
}

// String is the canonical form of the version.
func (v version) String() string {
	var b strings.Builder
	if v.epoch != 0 {
		fmt.Fprintf(&b, "%d!", v.epoch)
	}
	for i, n := range v.release {
		if i > 0 {
			b.WriteByte('.')
		}
		fmt.Fprintf(&b, "%d", n)
	}
	if v.pre != 0 {
		fmt.Fprintf(&b, "%s%d", [...]string{"", "a", "b", "rc"}[v.pre], v.preNumber)
	}
	if v.post >= 0 {
		fmt.Fprintf(&b, ".post%d", v.post)
	}
	if v.dev >= 0 {
		fmt.Fprintf(&b, ".dev%d", v.dev)
	}
	if v.local != nil {
		b.WriteString("+" + strings.Join(v.local, "."))
	}
	return b.String()
}

// compare orders by PEP 440: 1.0.dev1, 1.0a1.dev1, 1.0a1, 1.0rc1, 1.0,
// 1.0+local, 1.0.post1.dev1, 1.0.post1.
func (v version) compare(o version) int {
	return cmp.Or(
		v.base().compareRelease(o.base()),
		cmp.Compare(v.preKey(), o.preKey()), cmp.Compare(v.preNumber, o.preNumber),
		cmp.Compare(v.post, o.post), cmp.Compare(v.devKey(), o.devKey()),
		compareLocal(v.local, o.local),
	)
}

func (v version) compareRelease(o version) int {
	if c := cmp.Compare(v.epoch, o.epoch); c != 0 {
		return c
	}
	for i := range max(len(v.release), len(o.release)) {
		if c := cmp.Compare(v.part(i), o.part(i)); c != 0 {
			return c
		}
	}
	return 0
}

// part is one number of the release; missing ones are 0.
func (v version) part(i int) int64 {
	if i < len(v.release) {
		return v.release[i]
	}
	return 0
}

// preKey puts a development release of a release before its first alpha.
func (v version) preKey() int64 {
	switch {
	case v.pre != 0:
		return v.pre
	case v.post < 0 && v.dev >= 0:
		return 0
	}
	return 4
}

func (v version) devKey() int64 {
	if v.dev < 0 {
		return math.MaxInt64
	}
	return v.dev
}

// compareLocal puts numbers after words and longer labels after their prefixes.
func compareLocal(a, b []string) int {
	return slices.CompareFunc(a, b, func(x, y string) int {
		m, notX := strconv.ParseUint(x, 10, 64)
		n, notY := strconv.ParseUint(y, 10, 64)
		switch {
		case notX == nil && notY == nil:
			return cmp.Compare(m, n)
		case notX == nil:
			return 1
		case notY == nil:
			return -1
		}
		return cmp.Compare(x, y)
	})
}

// isPre reports whether it is a pre-release or a development release.
func (v version) isPre() bool { return v.pre != 0 || v.dev >= 0 }

// public is v without its local label, base the release alone.
func (v version) public() version {
	v.local = nil
	return v
}

func (v version) base() version {
	return version{epoch: v.epoch, release: v.release, post: -1, dev: -1}
}
