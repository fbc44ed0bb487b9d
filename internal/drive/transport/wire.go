package transport

import "net/http"

// Wire carries HTTP to a server that listens: through the sandbox's network to
// one that runs there, or over the Internet.
type Wire interface {
	// Do makes a request. It calls leaving before the first byte leaves, with
	// the number of bytes the server was sent up to the request's last and
	// how many of these are the request's own. The caller closes the body of
	// the response, which can be one that is [Placed].
	Do(r *http.Request, leaving func(offset, size int64)) (*http.Response, error)
}

// Placed is a body that knows where in all that the server said its bytes are:
// Offset is the number of bytes up to the last one that was read.
type Placed interface {
	Offset() int64
}
