package box

// Check is one thing the sandbox needs, for mcpsf doctor.
type Check struct {
	Name string
	OK   bool
	// Optional checks make the sandbox better but not possible.
	Optional bool
	Detail   string
	// Fix is what to do if it is not OK.
	Fix string
}
