package server

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/service/job"
	"github.com/mcpsf/mcpsf/internal/service/store"
)

// pageSize is how many jobs a page of the list has by default, maxPage how many
// at most.
// no gap: bounds requests to the service and what its pages show, not what a run sees
const pageSize, maxPage = 50, 200

// filterParameters are the query parameters of a list.
func filterParameters() []string { return []string{"state", "band", "q", "name", "before", "limit"} }

// FilterOf reads the query parameters of a list. The error is one line for the
// user.
func FilterOf(q url.Values) (*store.Filter, error) {
	for name, values := range q {
		if !slices.Contains(filterParameters(), name) || len(values) > 1 {
			return nil, badRequest("unknown or repeated query parameter; use %s, once each", join(filterParameters()))
		}
	}
	f := &store.Filter{
		State: job.State(q.Get("state")), Band: mcpsf.Band(q.Get("band")), Text: q.Get("q"), Name: q.Get("name"),
		Before: q.Get("before"), Limit: pageSize,
	}
	if limit := q.Get("limit"); limit != "" {
		n, err := strconv.Atoi(limit)
		if err != nil || n < 1 || n > maxPage {
			return nil, badRequest("limit must be 1 to %d", maxPage)
		}
		f.Limit = n
	}
	switch {
	case f.State != "" && !slices.Contains(job.States(), f.State):
		return nil, badRequest("state must be one of: %s", join(job.States()))
	case f.Band != "" && !slices.Contains(mcpsf.Bands(), f.Band):
		return nil, badRequest("band must be one of: %s", join(mcpsf.Bands()))
	case f.Before != "" && !jobID.MatchString(f.Before):
		return nil, badRequest("before must be the value of next in the previous page")
	case !isText(f.Text) || !isText(f.Name):
		return nil, badRequest("q and name must be text of at most %d bytes", maxText)
	}
	return f, nil
}

// no gap: bounds requests to the service and what its pages show, not what a run sees
const maxText = 300

// isText tells whether a database can search for a string: PostgreSQL allows no
// null characters.
func isText(s string) bool {
	return len(s) <= maxText && utf8.ValidString(s) && !strings.ContainsRune(s, 0)
}

func join[T ~string](list []T) string {
	words := make([]string, len(list))
	for i, w := range list {
		words[i] = string(w)
	}
	return strings.Join(words, ", ")
}
