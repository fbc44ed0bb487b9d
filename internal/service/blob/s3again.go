package blob

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"time"

	"github.com/minio/minio-go/v7"

	"github.com/mcpsf/mcpsf/internal/pause"
)

const (
	// tries is how often a request is sent.
	tries = 6
	// The pauses between them double.
	firstPause, longestPause = 200 * time.Millisecond, 2 * time.Second
)

// retry sends a request until it is answered. The library would retry too, but
// rewinds the body while a connection that was answered early may still read it.
func retry(ctx context.Context, request func() error) error {
	wait := firstPause
	for try := 1; ; try++ {
		err := request()
		if err == nil || try == tries || !isTemporary(err) {
			return err
		}
		if err := pause.For(ctx, wait); err != nil {
			return err
		}
		wait = min(2*wait, longestPause)
	}
}

// isTemporary tells whether to try again.
func isTemporary(err error) bool {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return false
	}
	answer, ok := errors.AsType[minio.ErrorResponse](err)
	if !ok {
		return true // the network
	}
	return answer.StatusCode >= http.StatusInternalServerError && answer.StatusCode != http.StatusNotImplemented ||
		answer.StatusCode == http.StatusTooManyRequests || answer.StatusCode == http.StatusRequestTimeout ||
		slices.Contains([]string{"RequestTimeout", "SlowDown", "InternalError"}, answer.Code) // some come with 200 or 400
}
