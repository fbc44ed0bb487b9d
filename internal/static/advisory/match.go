package advisory

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/static/advisory/osv"
)

// Match looks up the packages. Advisories are in the order of the packages, the
// most severe of each first. Every package is either looked up or counted as
// unknown; even an unknown one may have advisories, if they concern every
// version.
func (db *Database) Match(ctx context.Context, packages []mcpsf.Package) ([]mcpsf.Advisory, mcpsf.Lookup, error) {
	var lookup mcpsf.Lookup
	if len(db.tables) == 0 {
		lookup.Unknown = len(packages)
		lookup.Missing = "there is no database of advisories on this machine; mcpsf db update brings it"
		return nil, lookup, nil
	}
	found := make([][]mcpsf.Advisory, len(packages))
	known := make([]bool, len(packages))
	asked := map[string]bool{}
	for _, i := range inOrder(packages) {
		if ctx.Err() != nil {
			return nil, lookup, context.Cause(ctx)
		}
		p := osv.NewPackage(packages[i].Ecosystem, packages[i].Name, packages[i].Version)
		t := db.tables[p.Base]
		if t == nil {
			continue
		}
		asked[p.Base] = true
		var err error
		if found[i], known[i], err = t.match(p, &packages[i]); err != nil {
			return nil, lookup, broken(p.Base, err)
		}
	}
	for _, k := range known {
		count(&lookup, k)
	}
	for _, name := range db.Ecosystems() {
		if asked[name] {
			lookup.Sources = append(lookup.Sources, db.source(db.tables[name]))
		}
	}
	lookup.Missing = db.missing(packages, len(asked) > 0)
	return unique(slices.Concat(found...)), lookup, nil
}

// count counts a package as looked up or unknown.
func count(lookup *mcpsf.Lookup, known bool) {
	if known {
		lookup.Packages++
	} else {
		lookup.Unknown++
	}
}

// inOrder sorts the packages by key, so that the database is read front to
// back.
func inOrder(packages []mcpsf.Package) []int {
	order := make([]int, len(packages))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		if c := strings.Compare(packages[a].Ecosystem, packages[b].Ecosystem); c != 0 {
			return c
		}
		return strings.Compare(packages[a].Name, packages[b].Name)
	})
	return order
}

// missing returns why nothing is known of any package, "" if something is.
func (db *Database) missing(packages []mcpsf.Package, asked bool) string {
	if asked || len(packages) == 0 {
		return ""
	}
	base, _ := osv.SplitEcosystem(packages[0].Ecosystem)
	return fmt.Sprintf("the database of advisories has nothing about %s; mcpsf db update --ecosystem %s may bring it",
		orUnnamed(base), orUnnamed(base))
}

func orUnnamed(ecosystem string) string {
	if CheckEcosystem(ecosystem) != nil {
		return "NAME"
	}
	return ecosystem
}

// match looks up one package. known is false if a record could not be compared
// with it.
func (t *ecosystemTable) match(p osv.Package, of *mcpsf.Package) (found []mcpsf.Advisory, known bool, err error) {
	known = p.Sure()
	var records []*osv.Record
	err = t.table.Get(p.Name, func(value []byte) error {
		r, err := osv.Restore(value)
		if err != nil {
			return err
		}
		switch r.Concerns(p) {
		case osv.Yes:
			records = append(records, r)
		case osv.Unknown:
			known = false
		}
		return nil
	})
	return advisories(records, p, of), known, err
}

// unique drops repeated advisories for the same package.
func unique(all []mcpsf.Advisory) []mcpsf.Advisory {
	type key struct{ id, purl string }
	seen := map[key]bool{}
	return slices.DeleteFunc(all, func(a mcpsf.Advisory) bool {
		k := key{a.ID, a.Package}
		again := seen[k]
		seen[k] = true
		return again
	})
}
