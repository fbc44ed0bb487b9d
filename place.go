package mcpsf

// Paths and accounts inside the sandbox that several stages share. The machine
// that the target sees belongs to one ordinary developer.
const (
	// User is the account the server runs as; UID and GID are its ids.
	User = "dev"
	UID  = 1000
	GID  = 1000

	// Home is that user's home directory, which contains the decoys.
	Home = "/home/dev"

	// WorkDir is the server's working directory, with a copy of its files.
	WorkDir = "/home/dev/code/server"
)

// The machine's network, if it has one: a home network with one router, which
// is also the resolver.
const (
	NetAddress4 = "192.168.1.23"
	NetRouter4  = "192.168.1.1"
	NetPrefix4  = 24
	// NetGateway4 is the address from which an installation gets packages.
	NetGateway4 = "192.168.1.10"
	NetAddress6 = "fd3b:7c1a:94e2::23"
	NetRouter6  = "fd3b:7c1a:94e2::1"
	NetPrefix6  = 64
)
