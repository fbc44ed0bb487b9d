//go:build !unix

package source

const openFlags = 0
