package mcpsf

// RemoteDetail belongs to remote.check: how a server that is reached over HTTP
// answered a request that was made to find something out.
type RemoteDetail struct {
	Check RemoteCheck `json:"check"`
	// URL is what was asked, without what may be secret in it, and Method what
	// of the protocol, "" if nothing.
	URL    string `json:"url"`
	Method string `json:"method,omitempty"`
	// Sent is what was unusual about the request, Got what came of it, and Want
	// what should have.
	Sent string `json:"sent,omitempty"`
	Got  string `json:"got"`
	Want string `json:"want,omitempty"`
	// Weak says that Got is not what it should be.
	Weak bool `json:"weak,omitempty"`
	// Open is set if the server asks nobody for credentials, Private if only
	// its own machine or network reaches its address. A weakness weighs more or
	// less by them.
	Open    bool `json:"open,omitempty"`
	Private bool `json:"private,omitempty"`
}

// RemoteCheck is what a request was to find out.
type RemoteCheck string

// The checks.
const (
	// CheckCredentials: what is answered to who has no credentials.
	CheckCredentials RemoteCheck = "credentials"
	// CheckForged: what is answered to who has made them up.
	CheckForged RemoteCheck = "forged-credentials"
	// CheckRebinding: a web page whose name was bound to the server's address.
	CheckRebinding RemoteCheck = "rebinding"
	// CheckOrigin: a web page of somebody else.
	CheckOrigin RemoteCheck = "origin"
	// CheckCORS: what browsers are told that such a page may do.
	CheckCORS RemoteCheck = "cors"
	// CheckSessionID: whether the ids of sessions can be guessed.
	CheckSessionID RemoteCheck = "session-id"
	// CheckSessionTaken: a session used by who has its id and no credentials.
	CheckSessionTaken RemoteCheck = "session-taken"
	// CheckSessionMadeUp: a session that there never was.
	CheckSessionMadeUp RemoteCheck = "session-made-up"
	// CheckCrossClient: what one client is told of what another asks.
	CheckCrossClient RemoteCheck = "cross-client"
	// CheckCleartext: whether what is said can be read on its way.
	CheckCleartext RemoteCheck = "cleartext"
	// CheckTLS: certificate and versions.
	CheckTLS RemoteCheck = "tls"
	// CheckOAuth: what the server says of how to log in.
	CheckOAuth RemoteCheck = "oauth"
)
