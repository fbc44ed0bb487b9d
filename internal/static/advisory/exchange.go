package advisory

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	"github.com/mcpsf/mcpsf/internal/pause"
)

// exchange sends a request, with retries, and reads the answer.
func (o *Online) exchange(ctx context.Context, method string, u *url.URL, body []byte, limit int64) ([]byte, error) {
	for try := 0; ; try++ {
		data, wait, err := o.try(ctx, method, u, body, limit)
		if err == nil || wait < 0 || try == o.pace.tries-1 || ctx.Err() != nil {
			return data, err
		}
		if err := pause.For(ctx, max(wait, o.pace.backoff<<try)); err != nil {
			return nil, err
		}
	}
}

// try sends the request once. wait is how long the server asks us to wait
// before the next try, negative if a retry is pointless.
func (o *Online) try(ctx context.Context, method string, u *url.URL, body []byte, limit int64) (data []byte, wait time.Duration, err error) {
	ctx, cancel := context.WithTimeout(ctx, o.pace.timeout)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, method, u.String(), bytes.NewReader(body))
	if err != nil {
		return nil, -1, fmt.Errorf("asking for %s: %w", u.Redacted(), err)
	}
	r.Header.Set("User-Agent", o.userAgent)
	r.Header.Set("Accept", "application/json")
	if method == http.MethodPost {
		r.Header.Set("Content-Type", "application/json")
	}
	resp, err := o.client.Do(r)
	if err != nil {
		return nil, 0, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, o.pace.again(resp), fmt.Errorf("it answers with status %d", resp.StatusCode)
	}
	data, err = readAtMost(resp.Body, limit)
	if errors.Is(err, errTooLarge) {
		return nil, -1, err
	}
	return data, 0, err
}

var errTooLarge = errors.New("it answers with more than such a server answers")

// readAtMost reads to the end, which must come within limit bytes.
func readAtMost(r io.Reader, limit int64) ([]byte, error) {
	var b bytes.Buffer
	n, err := b.ReadFrom(io.LimitReader(r, limit+1))
	if err == nil && n > limit {
		err = errTooLarge
	}
	return b.Bytes(), err
}
