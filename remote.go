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
	// CheckForged: what is answered to who has made them up.
	CheckForged RemoteCheck = "forged-credentials"
	// CheckRebinding: DNS rebinding, a web page whose name resolves to the
	// server's address.
	CheckRebinding RemoteCheck = "rebinding"
	// CheckOrigin: a web page of somebody else.
	CheckOrigin RemoteCheck = "origin"
	// CheckCORS: what browsers are told that such a page may do.
	CheckCORS RemoteCheck = "cors"
	// CheckSessionID: whether the ids of sessions can be guessed.
	CheckSessionID RemoteCheck = "session-id"
	// CheckSessionTaken: a session used with its id and without credentials.
	CheckSessionTaken RemoteCheck = "session-taken"
	// CheckSessionMadeUp: a session that there never was.
	CheckSessionMadeUp RemoteCheck = "session-made-up"
	// CheckCrossClient: whether one client receives messages of another.
	CheckCrossClient RemoteCheck = "cross-client"
	// CheckCleartext: whether the connection is unencrypted.
	CheckCleartext RemoteCheck = "cleartext"
	// CheckTLS: certificate and versions.
	CheckTLS RemoteCheck = "tls"
	// CheckOAuth: what the server says of how to log in.
	CheckOAuth RemoteCheck = "oauth"
)
