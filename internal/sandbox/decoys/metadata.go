package decoys

// Machine is the credentials that a cloud's metadata service issues to a
// virtual machine. They are in no file: a server that has them has queried that
// service.
type Machine struct {
	AWSKeyID, AWSSecret, AWSToken string
	GCPToken, AzureToken          string
	// ID, Kind, Tokens and Hosts are like those of a [Variable].
	ID, Kind      string
	Tokens, Hosts []string
}

// Machine returns the credentials of the machine the developer works on.
func (h *Home) Machine() Machine { return h.machine }

func cloudMachine(k *kit, h *Home) error {
	m := k.mint("cloud machine")
	h.machine = Machine{
		AWSKeyID: m.secret("ASIA", 16, base32), AWSSecret: m.secret("", 40, base64ab), AWSToken: m.secret("IQoJb3JpZ2luX2Vj", 320, base64ab),
		GCPToken: m.secret("ya29.c.", 200, urlsafe), AzureToken: "eyJ0eXAiOiJKV1QiLCJhbGciOiJSUzI1NiJ9." + m.secret("", 400, urlsafe) + "." + m.secret("", 342, urlsafe),
		ID: "machine-01", Kind: KindMachine, Tokens: m.tokens,
		Hosts: []string{"amazonaws.com", "googleapis.com", "azure.com", "microsoftonline.com", "windows.net"},
	}
	return nil
}
