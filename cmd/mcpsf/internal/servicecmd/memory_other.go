//go:build !linux

package servicecmd

// memory is unknown on this system, which runs no sandbox.
func memory() uint64 { return 0 }
