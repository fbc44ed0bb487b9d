//go:build !unix

package staging

const OpenFlags = 0
