package blob

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"time"

	"github.com/minio/minio-go/v7"
)

const (
	// tries is how often a request is sent before we give up.
	tries = 6
	// The pauses between them double.
	firstPause, longestPause = 200 * time.Millisecond, 2 * time.Second
)

// again sends a request until it is answered. The library would do so, too, but
// winds the body back while a connection that was answered early may still read
// from it.
func again(ctx context.Context, request func() error) error {
	pause := firstPause
	for try := 1; ; try++ {
		err := request()
		if err == nil || try == tries || !passing(err) {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pause):
		}
		pause = min(2*pause, longestPause)
	}
}

// passing tells whether a failure may be over in a moment.
func passing(err error) bool {
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
