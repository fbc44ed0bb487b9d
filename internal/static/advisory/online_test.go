package advisory

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/static/advisory/osv"
)

// api implements OSV's API over the records of testdata, in pages of two.
type api struct {
	t       *testing.T
	records map[string]string
	mu      sync.Mutex
	asked   []string
	// before may answer instead; it returns whether it did.
	before func(w http.ResponseWriter, r *http.Request) bool
}

func (a *api) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		a.t.Error(err)
	}
	a.mu.Lock()
	a.asked = append(a.asked, r.Method+" "+r.URL.Path+" "+string(body))
	a.mu.Unlock()
	if a.before != nil && a.before(w, r) {
		return
	}
	id, isRecord := strings.CutPrefix(r.URL.Path, "/v1/vulns/")
	switch {
	case r.Method == http.MethodPost && r.URL.Path == "/v1/querybatch":
		a.batch(w, body)
	case r.Method == http.MethodGet && isRecord && a.records[id+".json"] != "":
		_, _ = io.WriteString(w, a.records[id+".json"])
	default:
		w.WriteHeader(http.StatusNotFound)
		_, _ = io.WriteString(w, `{"code": 5, "message": "Bug not found."}`)
	}
}

func (a *api) batch(w http.ResponseWriter, body []byte) {
	var batch struct {
		Queries []struct {
			Package struct{ Ecosystem, Name, PURL string }
			Version string
			Token   string `json:"page_token"`
		}
	}
	if err := json.Unmarshal(body, &batch); err != nil || len(batch.Queries) > 1000 {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	results := []map[string]any{}
	for _, q := range batch.Queries {
		var vulns []map[string]any
		p := osv.NewPackage(q.Package.Ecosystem, q.Package.Name, q.Version)
		for _, name := range slices.Sorted(mapKeys(a.records)) {
			r, err := osv.Decode([]byte(a.records[name]))
			if err != nil || r.Withdrawn || !isAbout(r, p) || q.Version != "" && r.Concerns(p) != osv.Yes {
				continue
			}
			vulns = append(vulns, map[string]any{"id": r.ID, "modified": r.Modified})
		}
		from := 0
		_, _ = fmt.Sscanf(q.Token, "page-%d", &from)
		result := map[string]any{}
		if to := from + 2; to < len(vulns) {
			result["next_page_token"] = fmt.Sprintf("page-%d", to)
			vulns = vulns[:to]
		}
		if from < len(vulns) {
			result["vulns"] = vulns[from:]
		}
		results = append(results, result)
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"results": results})
}

func mapKeys(m map[string]string) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// asks starts the server and a client with short waits.
func asks(t *testing.T, a *api) *Online {
	t.Helper()
	a.t = t
	if a.records == nil {
		a.records = records(t)
	}
	s := httptest.NewServer(a)
	t.Cleanup(s.Close)
	o, err := NewOnline(s.URL, client(t), &OnlineOptions{Now: today, UserAgent: "mcpsf/test"})
	if err != nil {
		t.Fatal(err)
	}
	o.pace = pace{tries: 4, backoff: time.Millisecond, longest: 5 * time.Millisecond, timeout: 5 * time.Second}
	return o
}

func packages() []mcpsf.Package {
	return []mcpsf.Package{
		pkg("PyPI", "CloudDraw", "2.30.0"), pkg("npm", "weather-words", "1.4.1"), pkg("npm", "weather-words", "2.1.0"), pkg("npm", "wether-words", ""),
		pkg("npm", "weather-words", ""), pkg("npm", "unheard-of", "1.0.0"), pkg("Maven", "org.storm.example:storm-core", "2.14.1"),
		pkg("Go", "code.example/tide/v2", "v2.1.0"), pkg("Alpine:3.21.1", "barometer", "3.3.1-r0"), pkg("Debian:12", "barometer", "3.0.14-1"),
		pkg("npm", "wether-words", "1.0.0"), pkg("crates.io", "hailstone", "0.8.0"), pkg("Nowhere", "x", "1.0.0"),
	}
}

// The server's answers equal those of the database.
func TestOnlineAgreesWithTheDatabase(t *testing.T) {
	want, wantLookup, err := database(t, nil).Match(t.Context(), packages())
	if err != nil {
		t.Fatal(err)
	}
	a := &api{}
	got, lookup, err := asks(t, a).Match(t.Context(), packages())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("advisories (-database +online):\n%s", diff)
	}
	if len(got) != 9 {
		t.Errorf("%d advisories, want 9", len(got))
	}
	if diff := cmp.Diff(wantLookup, lookup, cmpopts.IgnoreFields(mcpsf.Lookup{}, "Sources")); diff != "" {
		t.Errorf("lookup (-database +online):\n%s", diff)
	}
	if len(lookup.Sources) != 1 || !strings.HasPrefix(lookup.Sources[0].Name, "127.0.0.1:") || !lookup.Sources[0].Fetched.Equal(today()) {
		t.Errorf("sources %+v", lookup.Sources)
	}
	if first := a.asked[0]; !strings.Contains(first, `{"package":{"ecosystem":"Go","name":"code.example/tide/v2"},"version":"2.1.0"}`) ||
		!strings.Contains(first, `{"package":{"ecosystem":"npm","name":"wether-words"}}`) || !strings.Contains(first, `"Alpine:v3.21"`) {
		t.Errorf("asked %s", first)
	}
}

// Further pages are requested only while there are some.
func TestOnlinePages(t *testing.T) {
	all := map[string]string{}
	for i := range 7 {
		id := fmt.Sprintf("GHSA-%d", i)
		all[id+".json"] = fmt.Sprintf(`{"id": %q, "affected": [{"package": {"ecosystem": "npm", "name": "x"}, "versions": ["1.0.0"]}]}`, id)
	}
	a := &api{records: all}
	got, lookup, err := asks(t, a).Match(t.Context(), []mcpsf.Package{pkg("npm", "x", "1.0.0"), pkg("npm", "y", "1.0.0")})
	if err != nil || len(got) != 7 || lookup.Packages != 2 {
		t.Errorf("%d advisories, %+v, %v", len(got), lookup, err)
	}
	var batches []int
	for _, r := range a.asked {
		if strings.HasPrefix(r, "POST") {
			batches = append(batches, strings.Count(r, `"package"`))
		}
	}
	if diff := cmp.Diff([]int{2, 1, 1, 1}, batches); diff != "" {
		t.Errorf("questions in each request (-want +got):\n%s", diff)
	}
}

func TestOnlineAsksInBatches(t *testing.T) {
	a := &api{}
	var many []mcpsf.Package
	for i := range 2500 {
		many = append(many, pkg("npm", fmt.Sprint("p", i%2100), "1.0.0"))
	}
	_, lookup, err := asks(t, a).Match(t.Context(), many)
	if err != nil || lookup.Packages != 2500 || len(a.asked) != 3 {
		t.Errorf("%d requests, %+v, %v; want 3 for 2100 different packages", len(a.asked), lookup, err)
	}
}

// A busy server is asked again; after other errors it is not.
func TestOnlineTriesAgain(t *testing.T) {
	for _, tt := range []struct {
		status, times int
		works         bool
		requests      int
	}{
		{429, 2, true, 5}, {500, 1, true, 4}, {503, 3, true, 6}, {503, 4, false, 4}, {400, 1, false, 1}, {403, 1, false, 1},
	} {
		var left atomic.Int64
		left.Store(int64(tt.times))
		a := &api{before: func(w http.ResponseWriter, _ *http.Request) bool {
			if left.Add(-1) < 0 {
				return false
			}
			w.Header().Set("Retry-After", "3600")
			w.WriteHeader(tt.status)
			return true
		}}
		got, lookup, err := asks(t, a).Match(t.Context(), packages()[:2])
		if (err == nil) != tt.works || len(a.asked) != tt.requests+map[bool]int{true: 1}[tt.works] {
			t.Errorf("%d times %d: %d requests, %v", tt.times, tt.status, len(a.asked), err)
		}
		if tt.works {
			if len(got) != 2 {
				t.Errorf("%d advisories, want 2", len(got))
			}
			continue
		}
		want := fmt.Sprintf("it answers with status %d", tt.status)
		if lookup.Unknown != 2 || !strings.Contains(lookup.Missing, "advisories cannot be looked up at 127.0.0.1") || !strings.HasSuffix(lookup.Missing, want) || lookup.Sources != nil {
			t.Errorf("lookup %+v", lookup)
		}
	}
}

// Whatever the server answers, packages without a valid answer are unknown.
func TestHostileServer(t *testing.T) {
	batch := func(answer string) func(http.ResponseWriter, *http.Request) bool {
		return func(w http.ResponseWriter, r *http.Request) bool {
			if r.Method == http.MethodPost {
				_, _ = io.WriteString(w, answer)
			}
			return r.Method == http.MethodPost
		}
	}
	record := func(answer string) func(http.ResponseWriter, *http.Request) bool {
		return func(w http.ResponseWriter, r *http.Request) bool {
			if r.Method == http.MethodGet {
				_, _ = io.WriteString(w, answer)
			}
			return r.Method == http.MethodGet
		}
	}
	one := `{"results": [{"vulns": [{"id": "MAL-2026-90001"}]}]}`
	for _, tt := range []struct {
		name   string
		before func(http.ResponseWriter, *http.Request) bool
		found  []string
		known  int
		want   string // part of the error, "" for none
	}{
		{"not JSON", batch("<html>"), nil, 0, "does not answer with what such a server answers"},
		{"another type", batch(`{"results": "many"}`), nil, 0, "does not answer with what such a server answers"},
		{"too few answers", batch(`{"results": []}`), nil, 0, "0 answers to 1 questions"},
		{"too many answers", batch(`{"results": [{}, {}]}`), nil, 0, "2 answers to 1 questions"},
		{"pages without end", batch(`{"results": [{"next_page_token": "again"}]}`), nil, 0, "more than 50 pages"},
		{"an id that climbs", batch(`{"results": [{"vulns": [{"id": "../../admin"}]}]}`), nil, 0, ""},
		{"an id without a record", batch(`{"results": [{"vulns": [{"id": "MAL-1"}]}]}`), []string{"MAL-1 critical true"}, 0, "status 404"},
		{"a record about another package", batch(`{"results": [{"vulns": [{"id": "GO-2026-9001"}]}]}`), nil, 0, ""},
		{"a record that was withdrawn", batch(`{"results": [{"vulns": [{"id": "GHSA-3333-cfgh-2222"}]}]}`), nil, 1, ""},
		{"another record", record(`{"id": "OTHER"}`), []string{"MAL-2026-90001 critical true"}, 0, "another record than MAL-2026-90001"},
		{"a broken record", record(`{"id": 5}`), []string{"MAL-2026-90001 critical true"}, 0, "cannot be read"},
		{"a record without end", record(strings.Repeat("x", maxOneRecord+1)), []string{"MAL-2026-90001 critical true"}, 0, "more than such a server answers"},
		{"an honest one", batch(one), []string{"MAL-2026-90001 critical true"}, 1, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, lookup, err := asks(t, &api{before: tt.before}).Match(t.Context(), []mcpsf.Package{pkg("npm", "wether-words", "1.0.0")})
			var found []string
			for _, a := range got {
				found = append(found, fmt.Sprint(a.ID, " ", a.Severity, " ", a.Malicious))
			}
			if diff := cmp.Diff(tt.found, found); diff != "" {
				t.Errorf("advisories (-want +got):\n%s", diff)
			}
			if lookup.Packages != tt.known || lookup.Unknown != 1-tt.known {
				t.Errorf("lookup %+v, want %d known", lookup, tt.known)
			}
			if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want one with %q", err, tt.want)
			}
		})
	}
}

func TestOnlineGivesUp(t *testing.T) {
	all := map[string]string{}
	for i := range 200 {
		id := fmt.Sprintf("GHSA-%d", i)
		all[id+".json"] = fmt.Sprintf(`{"id": %q, "affected": [{"package": {"ecosystem": "npm", "name": "p%d"}, "versions": ["1.0.0"]}]}`, id, i)
	}
	a := &api{records: all, before: func(w http.ResponseWriter, r *http.Request) bool {
		if r.Method == http.MethodGet {
			w.WriteHeader(http.StatusForbidden)
		}
		return r.Method == http.MethodGet
	}}
	var many []mcpsf.Package
	for i := range 200 {
		many = append(many, pkg("npm", fmt.Sprint("p", i), "1.0.0"))
	}
	got, lookup, err := asks(t, a).Match(t.Context(), many)
	if err == nil || len(got) != 200 || lookup.Unknown != 200 {
		t.Errorf("%d advisories, %+v, %v", len(got), lookup, err)
	}
	if len(a.asked) > 1+maxFailures+parallel {
		t.Errorf("%d requests to a server that refuses all", len(a.asked))
	}
}

func TestOnlineUnreachable(t *testing.T) {
	tries := 0
	o, err := NewOnline("https://osv.example", doer(func(*http.Request) (*http.Response, error) {
		tries++
		return nil, errors.New("no route to host")
	}), nil)
	if err != nil {
		t.Fatal(err)
	}
	o.pace = pace{tries: 3, timeout: time.Second}
	_, lookup, err := o.Match(t.Context(), packages())
	want := "advisories cannot be looked up at osv.example: no route to host"
	if err == nil || err.Error() != want || lookup.Missing != want || lookup.Unknown != len(packages()) || tries != 3 {
		t.Errorf("%d tries, %v, %+v", tries, err, lookup)
	}
	for _, base := range []string{"ftp://osv.example", "osv.example", "https://"} {
		if _, err := NewOnline(base, doer(nil), nil); mcpsf.ErrorCode(err) != mcpsf.CodeUsage {
			t.Errorf("%q: %v", base, err)
		}
	}
}

func FuzzAnswers(f *testing.F) {
	f.Add(`{"results": [{"vulns": [{"id": "MAL-2026-90001", "modified": "2026-10-30T11:20:00Z"}], "next_page_token": "x"}]}`, `{"id": "MAL-2026-90001"}`)
	f.Add(`{"results": [{}]}`, ``)
	f.Fuzz(func(t *testing.T, batch, record string) {
		o, err := NewOnline("https://osv.example", doer(func(r *http.Request) (*http.Response, error) {
			body := record
			if r.Method == http.MethodPost {
				body = batch
			}
			return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(strings.NewReader(body))}, nil
		}), nil)
		if err != nil {
			t.Fatal(err)
		}
		o.pace = pace{tries: 1, timeout: time.Minute}
		_, lookup, err := o.Match(t.Context(), []mcpsf.Package{pkg("npm", "wether-words", "1.0.0")})
		if lookup.Packages+lookup.Unknown != 1 {
			t.Errorf("lookup %+v, %v", lookup, err)
		}
	})
}
