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

// The machine's network, if it has one: that of a flat with one router, which
// is the resolver, too.
const (
	NetAddress4 = "192.168.1.23"
	NetRouter4  = "192.168.1.1"
	NetPrefix4  = 24
	// NetGateway4 is where an installation gets packages from.
	NetGateway4 = "192.168.1.10"
	NetAddress6 = "fd3b:7c1a:94e2::23"
	NetRouter6  = "fd3b:7c1a:94e2::1"
	NetPrefix6  = 64
)
