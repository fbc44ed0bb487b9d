package transport

import "net/http"

// Wire carries HTTP to a server that listens: through the sandbox's network, or
// over the Internet.
type Wire interface {
	// Do makes a request. Before the first byte is sent it calls leaving with
	// the number of bytes sent to the server up to the end of this request, and
	// the size of the request. The caller closes the response's body, which may
	// be [Placed].
	Do(r *http.Request, leaving func(offset, size int64)) (*http.Response, error)
}

// Placed is a body that knows the position of its bytes in the server's output:
// Offset is the number of bytes up to the last one read.
type Placed interface {
	Offset() int64
}
