package host

import "time"

// The limits of one connection. Exceeding one ends the connection and is
// reported.
// no gap: exceeding one is an event; of a long body an event shows the beginning, and the search for secrets sees all
const (
	visitTime = 5 * time.Minute
	idleTime  = 30 * time.Second
	// greetTime is how long a client may be silent before the port decides
	// who speaks first.
	greetTime = 300 * time.Millisecond
	// silentTime is how long a client of an unknown protocol may be silent before
	// it is sent a shell command, politeTime the same for ports where silence is
	// normal, and obeyTime how long the client may take to run it.
	silentTime = time.Second
	politeTime = 3 * time.Second
	obeyTime   = 2 * time.Second
	// moreTime is how long to wait for more bytes of a protocol that is not yet
	// recognised.
	moreTime = 2 * time.Second
	// lingerTime is how long a closing connection is still read: what the client
	// had sent is evidence.
	lingerTime = time.Second

	maxFirst = 4 << 10 // bytes that decide the protocol

	keptInEvent = 4 << 10 // of a body, for the event

	keptOfAnswer = 256 << 10 // of an answer, which is known to the client

	// gap: mails-cut
	keptToReply = 64 << 10 // of a body, for the reply, and for the event of a mail
)

// The limits of what is read of a client.
// gap: traffic-unread
const (
	maxHead     = 64 << 10 // a request's line and headers
	maxHeadRead = 1 << 20  // the headers of HTTP/2 that are searched
	maxBody     = 32 << 20 // a request's body as sent
	maxDecoded  = 64 << 20 // a body after decoding
	maxRatio    = 200      // by how much decoding may enlarge it, beyond the first MiB
	maxRequests = 1000
	maxLinger   = 1 << 20
	maxTunnels  = 3 // CONNECT inside CONNECT
)

// SpeaksWithin is the longest silence of a client after which a host says or
// does something by itself. A client that waits longer waits for its own timeout.
const SpeaksWithin = politeTime
