package mcpsf

// RemoteDetail belongs to remote.check: how a server that is reached over HTTP
// answered a request that tests it.
type RemoteDetail struct {
	Check RemoteCheck `json:"check"`
	// URL is the address of the request without secrets, and Method the MCP
	// method, "" if none.
	URL    string `json:"url"`
	Method string `json:"method,omitempty"`
	// Sent is what was unusual about the request, Got the result, and Want the
	// result of a safe server.
	Sent string `json:"sent,omitempty"`
	Got  string `json:"got"`
	Want string `json:"want,omitempty"`
	// Weak says that Got is not what it should be.
	Weak bool `json:"weak,omitempty"`
	// Open is set if the server needs no credentials, Private if only its own
	// machine or network can reach it. Both change the severity.
	Open    bool `json:"open,omitempty"`
	Private bool `json:"private,omitempty"`
}

// RemoteCheck is what a request tests.
type RemoteCheck string

// The checks.
const (
	// CheckCredentials: requests without credentials.
	CheckCredentials RemoteCheck = "credentials"
	// CheckForged: requests with invented credentials.
	CheckForged RemoteCheck = "forged-credentials"
	// CheckRebinding: DNS rebinding, a web page whose name resolves to the
	// server's address.
	CheckRebinding RemoteCheck = "rebinding"
	// CheckOrigin: requests of a web page of another origin.
	CheckOrigin RemoteCheck = "origin"
	// CheckCORS: what the server's CORS headers allow such a page.
	CheckCORS RemoteCheck = "cors"
	// CheckSessionID: whether session ids can be guessed.
	CheckSessionID RemoteCheck = "session-id"
	// CheckSessionTaken: a session used with its id and without credentials.
	CheckSessionTaken RemoteCheck = "session-taken"
	// CheckSessionMadeUp: a session id that the server never issued.
	CheckSessionMadeUp RemoteCheck = "session-made-up"
	// CheckCrossClient: whether one client receives messages of another.
	CheckCrossClient RemoteCheck = "cross-client"
	// CheckCleartext: whether the connection is unencrypted.
	CheckCleartext RemoteCheck = "cleartext"
	// CheckTLS: certificate and TLS versions.
	CheckTLS RemoteCheck = "tls"
	// CheckOAuth: the server's metadata about logging in.
	CheckOAuth RemoteCheck = "oauth"
)
