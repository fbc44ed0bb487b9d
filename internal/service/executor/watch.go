package executor

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"

	"github.com/mcpsf/mcpsf/internal/drive/sse"
	"github.com/mcpsf/mcpsf/internal/service/job"
)

// Watch reports the progress of a job until it has ended. A broken stream is
// resumed.
func (c *Cloud) Watch(ctx context.Context, id string, progress func(job.Progress)) (*job.Job, error) {
	last := ""
	for {
		err := c.retrying(ctx, func() error {
			var err error
			last, err = c.stream(ctx, id, last, progress)
			return err
		})
		if err != nil {
			return nil, err
		}
		j, err := c.Job(ctx, id)
		if err != nil || j.State.Ended() {
			return j, err
		}
	}
}

// stream reads the event stream once. It returns the id of the last event.
func (c *Cloud) stream(ctx context.Context, id, last string, progress func(job.Progress)) (string, error) {
	req, err := c.request(ctx, http.MethodGet, "/api/v1/jobs/"+url.PathEscape(id)+"/events", nil)
	if err != nil {
		return last, err
	}
	req.Header.Set("Accept", "text/event-stream")
	if last != "" {
		req.Header.Set("Last-Event-ID", last)
	}
	resp, err := c.client.Do(req)
	if err != nil {
		return last, err
	}
	defer resp.Body.Close()
	if err := c.checkStatus(resp); err != nil {
		return last, err
	}
	parser := &sse.Parser{Max: 1 << 20, Head: 1 << 10, Last: last, Emit: func(e sse.Event) {
		var p job.Progress
		if e.Name == "progress" && !e.Cut && json.Unmarshal(e.Data, &p) == nil {
			progress(p)
		}
	}}
	buf := make([]byte, 32<<10)
	for {
		n, err := resp.Body.Read(buf)
		parser.Feed(buf[:n])
		if errors.Is(err, io.EOF) {
			return parser.Last, nil
		}
		if err != nil {
			return parser.Last, err
		}
	}
}
