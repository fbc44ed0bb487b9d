package box

// Check is one requirement of the sandbox, for mcpsf doctor.
type Check struct {
	Name string
	OK   bool
	// Optional checks improve the sandbox but are not required.
	Optional bool
	Detail   string
	// Fix is what to do if it is not OK.
	Fix string
}
