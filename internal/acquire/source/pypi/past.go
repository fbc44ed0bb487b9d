package pypi

import (
	"net/url"
	"slices"
	"time"
)

// past is the versions of an index that were published before one, the oldest
// first.
type past struct {
	earlier []*edition
	own     *edition
}

// edition is one version with all its files.
type edition struct {
	version version
	// published is the date of its first file.
	published   time.Time
	attestation *url.URL // of one of its files
}

func pastOf(files []*distFile, chosen *distFile) *past {
	all := map[string]*edition{}
	for _, f := range files {
		if f.index.URL.String() != chosen.index.URL.String() {
			continue
		}
		e := all[f.version.String()]
		if e == nil {
			e = &edition{version: f.version, published: f.published}
			all[f.version.String()] = e
		}
		if !f.published.IsZero() && (e.published.IsZero() || f.published.Before(e.published)) {
			e.published = f.published
		}
		if e.attestation == nil && f != chosen {
			e.attestation = f.attestation
		}
	}
	p := &past{own: all[chosen.version.String()]}
	for _, e := range all {
		if e != p.own && e.before(p.own) {
			p.earlier = append(p.earlier, e)
		}
	}
	slices.SortFunc(p.earlier, func(a, b *edition) int {
		if c := a.published.Compare(b.published); c != 0 {
			return c
		}
		return a.version.compare(b.version)
	})
	return p
}

// before compares the dates, or the version numbers if the index states no
// dates.
func (e *edition) before(other *edition) bool {
	if e.published.IsZero() || other.published.IsZero() {
		return e.version.compare(other.version) < 0
	}
	return e.published.Before(other.published)
}

func (p *past) history(chosen *distFile) history {
	h := history{
		This: p.own.published, First: p.own.published, Count: len(p.earlier),
		Attested: chosen.attestation != nil, AttestedBeside: p.own.attestation != nil,
		Withdrawn: chosen.yanked, Reason: chosen.reason,
	}
	for _, e := range p.earlier {
		if e.published.IsZero() {
			h.First = time.Time{} // an undated version may be older than all others
			break
		}
		if h.First.IsZero() || e.published.Before(h.First) {
			h.First = e.published
		}
	}
	for _, e := range p.earlier {
		if e.attestation != nil {
			h.AttestedBefore++
		}
	}
	if last := p.latest(); last != nil {
		h.Latest = last.published
	}
	return h
}

// latest is the previous version, nil if there is none.
func (p *past) latest() *edition {
	if len(p.earlier) == 0 {
		return nil
	}
	return p.earlier[len(p.earlier)-1]
}

// lastAttested is the attestation of the latest earlier version that has one.
func (p *past) lastAttested() *url.URL {
	for _, e := range slices.Backward(p.earlier) {
		if e.attestation != nil {
			return e.attestation
		}
	}
	return nil
}
