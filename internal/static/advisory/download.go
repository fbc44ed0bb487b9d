package advisory

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"

	"github.com/mcpsf/mcpsf"
)

// download fetches an export into f, unless it is unchanged. Its ETag and date
// go into n.
func (u *updater) download(ctx context.Context, p place, old *ecosystemTable, f *os.File, n *note) (size int64, unchanged bool, err error) {
	if u.opts.Client == nil {
		return 0, false, errors.New("an update from an address needs a client")
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, p.url.String(), nil)
	if err != nil {
		return 0, false, usage(fmt.Errorf("%q is no address", p.name()))
	}
	r.Header.Set("Accept", "application/zip")
	r.Header.Set("Accept-Encoding", "identity") // a zip does not compress further
	asked := old != nil && old.note.Source == n.Source && conditions(r.Header, old.note)
	resp, err := u.opts.Client.Do(r)
	if err != nil {
		u.silent = true
		if _, ours := errors.AsType[*mcpsf.Error](err); ours {
			return 0, false, err // the error says it all
		}
		return 0, false, failed(p, err)
	}
	defer resp.Body.Close()
	switch {
	case resp.StatusCode == http.StatusNotModified && asked:
		return 0, true, nil
	case resp.StatusCode != http.StatusOK:
		return 0, false, refused(p, resp.StatusCode)
	}
	n.ETag, n.LastModified = short(resp.Header.Get("ETag")), short(resp.Header.Get("Last-Modified"))
	size, err = u.save(f, resp, p)
	return size, false, err
}

// conditions makes the request conditional on a newer version.
func conditions(h http.Header, have *note) bool {
	if have.ETag != "" {
		h.Set("If-None-Match", have.ETag)
	}
	if have.LastModified != "" {
		h.Set("If-Modified-Since", have.LastModified)
	}
	return have.ETag != "" || have.LastModified != ""
}

// save writes the response body, up to the maximum size of an export.
func (u *updater) save(f *os.File, resp *http.Response, p place) (int64, error) {
	if resp.ContentLength > u.lim.download {
		return 0, u.tooMuch(p)
	}
	progress := func(int64) {}
	if u.opts.Progress != nil {
		progress = func(done int64) { u.opts.Progress(p.ecosystem, done, resp.ContentLength) }
	}
	buf := make([]byte, 256<<10)
	var done int64
	for {
		n, err := resp.Body.Read(buf)
		if done += int64(n); done > u.lim.download {
			return 0, u.tooMuch(p)
		}
		if _, err := f.Write(buf[:n]); err != nil {
			return 0, unwritable(err)
		}
		progress(done)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return 0, failed(p, fmt.Errorf("the download broke off after %d MiB: %w", done>>20, err))
		}
	}
	if resp.ContentLength >= 0 && done != resp.ContentLength {
		return 0, failed(p, errors.New("the download is shorter than announced"))
	}
	return done, nil
}

func (u *updater) tooMuch(p place) error {
	return failed(p, fmt.Errorf("it has more than %d MiB", u.lim.download>>20))
}

// short returns a header worth storing, "" for an invalid one.
func short(header string) string {
	if len(header) > 200 {
		return ""
	}
	return header
}

func failed(p place, err error) error {
	return &mcpsf.Error{
		Code:    mcpsf.CodeUnavailable,
		Message: fmt.Sprintf("advisories about %s cannot be fetched from %s, and nothing was changed", p.ecosystem, p.url.Host), Err: err,
	}
}

func refused(p place, status int) error {
	switch status {
	case http.StatusNotFound, http.StatusForbidden:
		return failed(p, fmt.Errorf("it is not there (status %d); another mirror is named with --from", status))
	case http.StatusTooManyRequests:
		return failed(p, errors.New("it has had too many requests (status 429); try again later"))
	}
	return failed(p, fmt.Errorf("it answers with status %d; try again later", status))
}
