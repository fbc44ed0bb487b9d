package github

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/acquire/registry"
	"github.com/mcpsf/mcpsf/internal/acquire/source/kind"
	"github.com/mcpsf/mcpsf/internal/acquire/source/usererr"
)

// pinned is a commit of a repository. repo has no tail any more.
type pinned struct {
	repo    repository
	commit  string
	offline bool
}

// fetcher sends requests to GitHub.
type fetcher struct {
	api   registry.Registry
	opts  kind.Options
	dir   string // for downloads
	notes []string
}

// pinNote is the cached result of a request.
type pinNote struct {
	Commit string `json:"commit"`
	Sub    string `json:"sub,omitempty"`
}

// resolve finds the commit. A full commit whose archive is cached needs no
// network; for anything else GitHub is asked, and the cached result counts only
// if GitHub cannot be reached.
func (f *fetcher) resolve(ctx context.Context, repo repository) (pinned, error) {
	if isCommit(repo.ref) && f.cached(repo, repo.ref) != "" {
		return pinned{repo: repo, commit: repo.ref}, nil
	}
	pin, err := f.ask(ctx, repo)
	if err == nil {
		f.remember(repo, pin)
		return pin, nil
	}
	if ctx.Err() != nil || mcpsf.ErrorCode(err) != mcpsf.CodeUnavailable {
		return pinned{}, err
	}
	if pin, ok := f.remembered(repo); ok {
		f.notes = append(f.notes, fmt.Sprintf("GitHub could not be asked; this is commit %s, which %s was last time", short(pin.commit), usererr.Quote(repo.wanted())))
		return pin, nil
	}
	return pinned{}, err
}

// ask tries every interpretation of the request in turn.
func (f *fetcher) ask(ctx context.Context, repo repository) (pinned, error) {
	for _, one := range repo.splits() {
		commit, err := f.commit(ctx, one)
		if errors.Is(err, errUnknownRef) {
			continue
		}
		one.tail = nil
		return pinned{repo: one, commit: commit}, err
	}
	what := repo.wanted()
	if len(repo.tail) > 0 {
		what = strings.Join(repo.tail, "/")
	}
	return pinned{}, unknownRefError{usererr.Usage("the repository %s has no branch, tag or commit %s; check the name", usererr.Quote(repo.String()), usererr.Quote(what))}
}

// errUnknownRef says that the repository exists and the ref does not.
var errUnknownRef = errors.New("unknown ref")

// unknownRefError is errUnknownRef with a message for the user.
type unknownRefError struct{ error }

// Unwrap lets callers see both.
func (e unknownRefError) Unwrap() []error { return []error{e.error, errUnknownRef} }

func (f *fetcher) commit(ctx context.Context, repo repository) (string, error) {
	ref := repo.ref
	if ref == "" {
		ref = "HEAD"
	}
	resp, err := f.opts.Registry.Do(ctx, &registry.Request{
		Registry: f.api, URL: f.path(repo, "commits", ref), Accept: "application/vnd.github.sha", What: f.what(repo),
	})
	if err != nil {
		return "", registry.Explain(f.what(repo), f.api, 0, err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return "", f.explain(repo, resp)
	}
	body := make([]byte, 256)
	n, err := io.ReadFull(resp.Body, body)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return "", registry.Explain(f.what(repo), f.api, 0, err)
	}
	commit := strings.TrimSpace(string(body[:n]))
	if !isCommit(commit) || isCommit(ref) && commit != ref {
		return "", &mcpsf.Error{Code: mcpsf.CodeUnavailable, Message: fmt.Sprintf("%s answered with no commit for %s; check GITHUB_API_URL", f.api.URL.Host, f.what(repo))}
	}
	return commit, nil
}

func (f *fetcher) what(repo repository) string {
	return "the GitHub repository " + usererr.Quote(repo.String())
}

// path is relative to the API. The parts of a ref are escaped one by one.
func (f *fetcher) path(repo repository, kind, ref string) string {
	parts := strings.Split(ref, "/")
	for i, part := range parts {
		parts[i] = url.PathEscape(part)
	}
	return "./repos/" + repo.owner + "/" + repo.name + "/" + kind + "/" + strings.Join(parts, "/")
}

// explain describes an error answer in one line.
func (f *fetcher) explain(repo repository, resp *http.Response) error {
	what, private := f.what(repo), "; if it is private, set GITHUB_TOKEN"
	if f.api.Authorized() {
		private = "; if it is private, check that your GITHUB_TOKEN may read it"
	}
	switch status := resp.StatusCode; {
	case status == http.StatusUnprocessableEntity:
		return errUnknownRef
	case status == http.StatusNotFound:
		return usererr.Usage("%s does not exist; check the name%s", what, private)
	case status == http.StatusConflict:
		return usererr.Usage("%s is empty; there is nothing to assess", what)
	case status == http.StatusUnauthorized:
		return usererr.Usage("GitHub does not accept your token for %s; renew or unset GITHUB_TOKEN", what)
	case status == http.StatusUnavailableForLegalReasons:
		return usererr.Usage("%s is blocked by GitHub for legal reasons; there is nothing to assess", what)
	case isRateLimit(resp):
		return f.rateLimited(what, resp.Header)
	default:
		return registry.Explain(what, f.api, status, nil)
	}
}

func isRateLimit(resp *http.Response) bool {
	limited := resp.Header.Get("X-Ratelimit-Remaining") == "0" || resp.Header.Get("Retry-After") != ""
	return resp.StatusCode == http.StatusTooManyRequests || resp.StatusCode == http.StatusForbidden && limited
}

func (f *fetcher) rateLimited(what string, header http.Header) error {
	when := "later"
	if at, err := strconv.ParseInt(header.Get("X-Ratelimit-Reset"), 10, 40); err == nil && at > 0 {
		when = "after " + time.Unix(at, 0).UTC().Format("15:04 on 2 January, UTC")
	}
	how := ", or set GITHUB_TOKEN, which allows many more"
	if f.api.Authorized() {
		how = ""
	}
	return &mcpsf.Error{
		Code:    mcpsf.CodeUnavailable,
		Message: fmt.Sprintf("%s cannot be fetched: GitHub allows no more requests from here for now; try again %s%s", what, when, how),
	}
}

// archive returns the path of the commit's archive on this machine.
func (f *fetcher) archive(ctx context.Context, pin *pinned) (string, error) {
	if kept := f.cached(pin.repo, pin.commit); kept != "" {
		pin.offline = true
		return kept, nil
	}
	name := filepath.Join(f.dir, "archive.tar.gz")
	out, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return "", fmt.Errorf("keeping a download: %w", err)
	}
	err = f.opts.Registry.Download(ctx, &registry.Request{
		Registry: f.api, URL: f.path(pin.repo, "tarball", pin.commit), What: f.what(pin.repo) + " at " + short(pin.commit),
	}, out, f.opts.MaxBytes, f.opts.Progress)
	if err := errors.Join(err, out.Close()); err != nil {
		return "", err
	}
	return name, nil
}

// keep puts an archive that was unpacked without errors into the cache.
func (f *fetcher) keep(pin pinned, file string) {
	if f.opts.Cache == nil || pin.offline {
		return
	}
	if _, err := f.opts.Cache.Put(f.key(pin.repo, pin.commit), file, nil); err != nil {
		f.opts.Logger.Warn("the cache cannot keep a download", "error", err)
	}
}

func (f *fetcher) archiveURL(pin pinned) string {
	ref, err := url.Parse(f.path(pin.repo, "tarball", pin.commit))
	if err != nil {
		return f.api.URL.String()
	}
	return f.api.URL.ResolveReference(ref).String()
}

// key names immutable content. GitHub names ignore case.
func (f *fetcher) key(repo repository, what string) string {
	return "github/" + f.api.URL.Host + "/" + strings.ToLower(repo.String()) + "/" + what
}

// cached returns the cached archive of a commit, "" if there is none.
func (f *fetcher) cached(repo repository, commit string) string {
	if f.opts.Cache == nil {
		return ""
	}
	file, _, ok := f.opts.Cache.Get(f.key(repo, commit))
	if !ok {
		return ""
	}
	return file
}

// remember caches which commit a name stood for.
func (f *fetcher) remember(repo repository, pin pinned) {
	if f.opts.Cache == nil {
		return
	}
	note, err := json.Marshal(pinNote{Commit: pin.commit, Sub: pin.repo.sub})
	if err != nil {
		return
	}
	file := filepath.Join(f.dir, "request")
	if err = os.WriteFile(file, note, 0o600); err == nil {
		_, err = f.opts.Cache.Put(f.key(repo, "request/"+repo.wanted()), file, note)
	}
	if err != nil {
		f.opts.Logger.Debug("the cache cannot keep a request", "error", err)
	}
}

// remembered is the last known commit, if its archive is still cached.
func (f *fetcher) remembered(repo repository) (pinned, bool) {
	if f.opts.Cache == nil {
		return pinned{}, false
	}
	_, data, ok := f.opts.Cache.Get(f.key(repo, "request/"+repo.wanted()))
	var note pinNote
	if !ok || json.Unmarshal(data, &note) != nil || !isCommit(note.Commit) || f.cached(repo, note.Commit) == "" {
		return pinned{}, false
	}
	repo.tail, repo.sub = nil, note.Sub
	return pinned{repo: repo, commit: note.Commit}, true
}
