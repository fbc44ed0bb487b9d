// Package machinecmd has the commands about this machine: cache and db show and
// change what mcpsf keeps on it, doctor checks what it has, version says which
// mcpsf it is.
package machinecmd
