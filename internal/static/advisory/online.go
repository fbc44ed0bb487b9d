package advisory

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/static/advisory/osv"
)

// DefaultAPI is the public server of OSV.
const DefaultAPI = "https://api.osv.dev"

// OnlineOptions control how a server is queried. All fields may be zero.
type OnlineOptions struct {
	// Now is the clock; nil is the real one.
	Now       func() time.Time
	UserAgent string
}

// Online queries a server with OSV's API. That server learns the names and
// versions of all packages that are looked up. It is safe for concurrent use.
type Online struct {
	base      *url.URL
	client    Doer
	now       func() time.Time
	userAgent string
	pace      pace
}

// NewOnline prepares queries to the server at base, "" for [DefaultAPI].
func NewOnline(base string, client Doer, opts *OnlineOptions) (*Online, error) {
	if base == "" {
		base = DefaultAPI
	}
	u, err := url.Parse(base)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
		return nil, usage(fmt.Errorf("%.200q is no address of a server of advisories", base))
	}
	if client == nil {
		return nil, errors.New("asking a server of advisories needs a client")
	}
	o := &Online{base: u, client: client, now: time.Now, userAgent: "mcpsf", pace: defaultPace()}
	if opts != nil && opts.Now != nil {
		o.now = opts.Now
	}
	if opts != nil && opts.UserAgent != "" {
		o.userAgent = opts.UserAgent
	}
	return o, nil
}

// Match looks up the packages, as [Database.Match] does. If the server does not
// answer, the error and the lookup say why; results so far are still returned.
func (o *Online) Match(ctx context.Context, packages []mcpsf.Package) ([]mcpsf.Advisory, mcpsf.Lookup, error) {
	questions, asked := o.questions(packages)
	err := o.ask(ctx, questions)
	records, fetchErr := o.records(ctx, questions)
	if ctx.Err() != nil {
		return nil, mcpsf.Lookup{}, context.Cause(ctx)
	}
	err = errors.Join(err, fetchErr)
	lookup := mcpsf.Lookup{Sources: []mcpsf.AdvisorySource{{Name: o.base.Host, Fetched: o.now().UTC()}}}
	var all []mcpsf.Advisory
	for i := range packages {
		var found []mcpsf.Advisory
		known := false
		if asked[i] != nil {
			found, known = asked[i].answer(records, &packages[i])
		}
		all = append(all, found...)
		count(&lookup, known)
	}
	if err != nil {
		first := firstOf(err)
		err = &mcpsf.Error{Code: mcpsf.CodeUnavailable, Message: "advisories cannot be looked up at " + o.base.Host, Err: first}
		if lookup.Packages == 0 && len(all) == 0 {
			lookup.Sources, lookup.Missing = nil, err.Error()
		}
	}
	return unique(all), lookup, err
}

// question is one version of one package.
type question struct {
	pkg osv.Package
	// ids are the records that concern it, according to the server; done is set
	// when there are no more.
	ids  []string
	done bool
}

// questions returns the distinct packages, without those that the server cannot
// know.
func (o *Online) questions(packages []mcpsf.Package) (all []*question, byPackage []*question) {
	type key struct{ ecosystem, name, version string }
	seen := map[key]*question{}
	byPackage = make([]*question, len(packages))
	for i, p := range packages {
		k := key{p.Ecosystem, p.Name, p.Version}
		if seen[k] == nil {
			prepared := osv.NewPackage(p.Ecosystem, p.Name, p.Version)
			if CheckEcosystem(prepared.Base) != nil || prepared.Name == "" {
				continue
			}
			seen[k] = &question{pkg: prepared}
			all = append(all, seen[k])
		}
		byPackage[i] = seen[k]
	}
	return all, byPackage
}

// answer makes advisories of the records. known is false if a record is missing
// or unclear.
func (q *question) answer(records map[string]*osv.Record, of *mcpsf.Package) (found []mcpsf.Advisory, known bool) {
	known = q.done && q.pkg.Sure()
	var about []*osv.Record
	for _, id := range q.ids {
		r := records[id]
		switch {
		case r == nil:
			// It concerns the package; nothing else is known.
			known = false
			r = &osv.Record{ID: id}
		case r.Withdrawn:
			continue
		case !isAbout(r, q.pkg):
			known = false // the server contradicts itself
			continue
		case !q.pkg.Sure() && r.Concerns(q.pkg) != osv.Yes:
			continue // the query was about all versions
		}
		about = append(about, r)
	}
	return advisories(about, q.pkg, of), known
}

func isAbout(r *osv.Record, p osv.Package) bool {
	for i := range r.Affected {
		if r.Affected[i].About(p) {
			return true
		}
	}
	return false
}

// firstOf returns the first of several joined errors.
func firstOf(err error) error {
	if many, ok := err.(interface{ Unwrap() []error }); ok {
		return many.Unwrap()[0]
	}
	return err
}
