package box

// The orchestrator and the supervisor exchange lines of JSON over a socket
// pair. The supervisor never reads anything the target wrote.

// order is a message of the orchestrator. The first one carries the plan.
type order struct {
	Plan   *plan `json:"plan,omitempty"`
	Start  bool  `json:"start,omitempty"`
	Freeze bool  `json:"freeze,omitempty"`
	Signal int   `json:"signal,omitempty"`
	Stop   bool  `json:"stop,omitempty"`
}

// notice is a message of the supervisor.
type notice struct {
	Created bool `json:"created,omitempty"`
	Started bool `json:"started,omitempty"`
	// Frozen is the answer to an order to freeze, Refused why that was not possible.
	Frozen  bool   `json:"frozen,omitempty"`
	Refused string `json:"refused,omitempty"`
	Exited  bool   `json:"exited,omitempty"`
	Code    int    `json:"code,omitempty"`
	Signal  int    `json:"signal,omitempty"`
	Error   string `json:"error,omitempty"`
	// Limit is set when the supervisor's watchdog ended the sandbox.
	Limit string `json:"limit,omitempty"`
	Value int64  `json:"value,omitempty"`
}

// plan is the supervisor's configuration.
type plan struct {
	ID string `json:"id"`
	// Image says that the root is that of a container image.
	Image    bool     `json:"image,omitempty"`
	Binds    []bind   `json:"binds"`
	Links    []link   `json:"links"`
	Dirs     []string `json:"dirs"`
	Args     []string `json:"args"`
	Env      []string `json:"env"`
	Session  []byte   `json:"session"`
	Hostname string   `json:"hostname"`
	Platform string   `json:"platform"`
	DebugLog string   `json:"debug_log,omitempty"`
	Limits   Limits   `json:"limits"`
	// Planted is how many bytes of the installation go into the home.
	Planted int64 `json:"planted,omitempty"`
	// PortForward says that the orchestrator wants to connect to listening
	// servers.
	PortForward bool `json:"port_forward,omitempty"`
	// Network says that there is a link to be connected.
	Network bool `json:"network,omitempty"`
	// Copy says that the sandbox begins as a snapshot.
	Copy bool `json:"copy,omitempty"`
	// EngineMemory is how much gVisor itself may use beside the target.
	EngineMemory int64 `json:"engine_memory"`

	// dir is the supervisor's working directory, in its own mount namespace.
	dir string
}

// bind is a directory or file of the host, mounted read-only.
type bind struct {
	Source string `json:"source"`
	Target string `json:"target"`
}

// link is a symbolic link of the root file system, such as /bin to usr/bin.
type link struct {
	Path   string `json:"path"`
	Target string `json:"target"`
}
