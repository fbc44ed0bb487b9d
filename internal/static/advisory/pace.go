package advisory

import (
	"net/http"
	"strconv"
	"time"
)

// pace has the client's timeouts and pauses.
type pace struct {
	tries int
	// backoff is the first pause, longest the longest that the server can
	// request.
	backoff, longest time.Duration
	// timeout is for one request and its answer.
	timeout time.Duration
}

func defaultPace() pace {
	return pace{tries: 4, backoff: 500 * time.Millisecond, longest: 30 * time.Second, timeout: time.Minute}
}

// again returns how long to wait after an answer, negative if a retry is
// pointless.
func (p pace) again(resp *http.Response) time.Duration {
	switch resp.StatusCode {
	case http.StatusTooManyRequests, http.StatusInternalServerError, http.StatusBadGateway,
		http.StatusServiceUnavailable, http.StatusGatewayTimeout:
	default:
		return -1
	}
	seconds, err := strconv.Atoi(resp.Header.Get("Retry-After"))
	if err != nil || seconds < 0 {
		return 0
	}
	return min(time.Duration(min(seconds, 3600))*time.Second, p.longest)
}
