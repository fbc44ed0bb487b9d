package executor

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/mcpsf/mcpsf/internal/service/job"
)

// A submission whose answer was lost is sent again, completely and with the same
// idempotency key: it becomes one job.
func TestSubmitAgain(t *testing.T) {
	var keys []string
	var sizes []int
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(io.LimitReader(r.Body, 1<<20))
		if err != nil {
			t.Error(err)
		}
		keys, sizes = append(keys, r.Header.Get("Idempotency-Key")), append(sizes, len(body))
		switch len(keys) {
		case 1: // a killed service
			panic(http.ErrAbortHandler)
		case 2: // a service without its database
			w.WriteHeader(http.StatusServiceUnavailable)
		default:
			w.WriteHeader(http.StatusAccepted)
			_, _ = io.WriteString(w, `{"job_id":"one","state":"queued"}`)
		}
	}))
	defer server.Close()
	c, err := NewCloud(server.URL, "key")
	if err != nil {
		t.Fatal(err)
	}
	c.retry = time.Millisecond
	archive := &Archive{Name: "a.tgz", Open: func() (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(make([]byte, 100<<10))), nil
	}}
	got, err := c.Submit(t.Context(), &job.Request{}, false, archive)
	if err != nil || got.ID != "one" {
		t.Fatalf("%+v, %v", got, err)
	}
	if len(keys) != 3 || keys[0] == "" || keys[1] != keys[0] || keys[2] != keys[0] {
		t.Errorf("idempotency keys: %q, want one, three times", keys)
	}
	if sizes[0] < 100<<10 || sizes[1] != sizes[0] || sizes[2] != sizes[0] {
		t.Errorf("bodies of %v bytes, want equal ones", sizes)
	}
}
