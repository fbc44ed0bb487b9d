//go:build linux

package sentry

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"hash/fnv"
	"slices"

	"gvisor.dev/gvisor/pkg/hostarch"
	"gvisor.dev/gvisor/pkg/sentry/kernel"
)

// gVisor passes the first program its variables in a random order. A server
// that sends the first secret it finds would send another one each time, so
// they are sorted before anything reads them.

// searched is how far below the arguments the list of variables is searched
// for.
const searched = 64 << 10

// orderVariables sorts the variables of the first program in an order that
// depends only on their names. If the stack does not look as gVisor makes it,
// it is left unchanged.
func orderVariables(t *kernel.Task) {
	mm := t.MemoryManager()
	start, end, arguments := mm.EnvvStart(), mm.EnvvEnd(), mm.ArgvStart()
	if end <= start || arguments > start || arguments < searched {
		return
	}
	text, stack := make([]byte, end-start), make([]byte, searched)
	if _, err := t.CopyInBytes(start, text); err != nil || text[len(text)-1] != 0 {
		return
	}
	if _, err := t.CopyInBytes(arguments-searched, stack); err != nil {
		return
	}
	variables := bytes.SplitAfter(text[:len(text)-1], []byte{0})
	variables[len(variables)-1] = append(slices.Clip(variables[len(variables)-1]), 0)
	at := bytes.Index(stack, pointers(start, variables))
	if at < 0 {
		return
	}
	slices.SortStableFunc(variables, byHash)
	list := arguments - searched + hostarch.Addr(at)
	if _, err := t.CopyOutBytes(start, bytes.Join(variables, nil)); err != nil {
		return
	}
	_, _ = t.CopyOutBytes(list, pointers(start, variables))
}

// pointers returns the list of pointers to consecutive strings in memory, with
// its terminator.
func pointers(start hostarch.Addr, strings [][]byte) []byte {
	var list []byte
	for _, s := range strings {
		list = binary.LittleEndian.AppendUint64(list, uint64(start))
		start += hostarch.Addr(len(s))
	}
	return binary.LittleEndian.AppendUint64(list, 0)
}

// login returns the place of a variable among those that a login sets, which come first
// in every shell, and 0 for the others. Who reads all variables reads these before any
// secret: what another thread does meanwhile does not make it look like one who wanted
// the first secret alone.
func login(name []byte) int {
	names := []string{"SHELL", "PWD", "LOGNAME", "HOME", "LANG", "USER", "PATH"}
	at := slices.Index(names, string(name))
	if at < 0 {
		return 0
	}
	return at - len(names)
}

// byHash orders variables: those of a login, then the others by a hash of their names.
// They look unsorted, but the order is always the same.
func byHash(a, b []byte) int {
	of := func(variable []byte) (int, uint64) {
		name, _, _ := bytes.Cut(variable, []byte{'='})
		h := fnv.New64a()
		_, _ = h.Write(name)
		return login(name), h.Sum64()
	}
	first, x := of(a)
	second, y := of(b)
	return cmp.Or(cmp.Compare(first, second), cmp.Compare(x, y), bytes.Compare(a, b))
}
