//go:build !linux

package servicecmd

// freeIn is not known here: no sandbox runs on such a machine.
func freeIn(string) (free uint64, known bool) { return 0, false }
