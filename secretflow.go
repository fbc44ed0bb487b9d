package mcpsf

// SecretFlowDetail belongs to secret.flow: what a call sent was different when
// nothing but the secrets of the decoys was, so it depends on them.
type SecretFlowDetail struct {
	// Tool is the tool whose call sent it, "" if no call did.
	Tool string `json:"tool,omitempty"`
	// Host is where it went, "" for what a call returned; Part is what of it
	// differs: "name", "request", "header X", "header order", "body", "stream",
	// "number of messages", "order of hosts", "result".
	Host string `json:"host,omitempty"`
	Part string `json:"part"`
	// Usual is what was sent with the usual secrets, Other with others; both are
	// cut to a size limit.
	Usual string `json:"usual"`
	Other string `json:"other"`
}
