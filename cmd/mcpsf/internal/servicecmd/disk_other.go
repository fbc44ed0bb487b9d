//go:build !linux

package servicecmd

// freeIn is unknown on this system, which runs no sandbox.
func freeIn(string) (free uint64, known bool) { return 0, false }
