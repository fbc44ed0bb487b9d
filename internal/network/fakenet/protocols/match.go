package protocols

import (
	"bytes"
	"strings"
)

// match says whether the first bytes belong to a protocol.
type match int

const (
	no match = iota
	maybe
	yes
)

// opens compares the first bytes with a fixed beginning.
func opens(first []byte, with string) match {
	switch {
	case strings.HasPrefix(string(first[:min(len(first), len(with))]), with):
		return yes
	case strings.HasPrefix(with, string(first[:min(len(first), len(with))])):
		return maybe
	}
	return no
}

// opensAny compares the first bytes with commands, ignoring case.
func opensAny(first []byte, with ...string) match {
	best := no
	upper := bytes.ToUpper(first[:min(len(first), 32)])
	for _, s := range with {
		best = max(best, opens(upper, s))
	}
	return best
}

// never is for protocols whose clients wait for a greeting.
func never([]byte) match { return no }
