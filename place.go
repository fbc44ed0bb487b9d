package mcpsf

// The places inside the sandbox that more than one stage has to agree on.
// The machine the target sees belongs to one ordinary developer.
const (
	// User is the account the server runs as; UID and GID are its numbers.
	User = "dev"
	UID  = 1000
	GID  = 1000

	// Home is that user's home directory, where the decoys live.
	Home = "/home/dev"

	// WorkDir is the server's working directory and the place its files were
	// copied to.
	WorkDir = "/home/dev/code/server"
)
