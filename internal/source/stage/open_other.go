//go:build !unix

package stage

const OpenFlags = 0
