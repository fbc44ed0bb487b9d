package names

import (
	"strings"

	"golang.org/x/net/publicsuffix"
)

// Some software asks for a name that nobody has, to find out whether the
// network lies. A real resolver does not know such names, and neither does
// this one.

const (
	maxName  = 253
	maxLabel = 63
	// shortestRandom is the length from which a label can be told to be
	// random at all.
	shortestRandom = 12
)

// exists reports whether a name could be that of a host in the Internet. Names
// for examples and tests count: they are what our own examples talk to.
func exists(name string) bool {
	labels := strings.Split(name, ".")
	if len(name) > maxName || len(labels) < 2 {
		return false
	}
	for _, l := range labels {
		if l == "" || len(l) > maxLabel {
			return false
		}
	}
	top := labels[len(labels)-1]
	switch top {
	case "example", "test":
		return true
	case "invalid", "localhost", "local", "lan", "home", "internal", "intranet", "corp", "onion", "arpa", "private":
		return false
	}
	if _, known := publicsuffix.PublicSuffix(top); !known {
		return false
	}
	zone := registered(name)
	if zone == "" {
		return false // a public suffix itself
	}
	label, _, _ := strings.Cut(zone, ".")
	return !random(label)
}

// registered is the part of a name that somebody had to register, "" if it is
// shorter than that. Suffixes below which a company lets others have names,
// like those of cloud storage, are themselves registered.
func registered(name string) string {
	suffix, official := publicsuffix.PublicSuffix(name)
	for !official {
		_, rest, more := strings.Cut(suffix, ".")
		if !more {
			break // one that nobody has heard of
		}
		suffix, official = publicsuffix.PublicSuffix(rest)
	}
	rest, ok := strings.CutSuffix(name, "."+suffix)
	if !ok || rest == "" {
		return ""
	}
	return rest[strings.LastIndexByte(rest, '.')+1:] + "." + suffix
}

// random tells a label that was generated at random from one that a person
// chose. What is looked at is the label that has to be registered, never the
// ones before it: those may carry exfiltrated data, and the sender shall believe
// that it arrives.
func random(label string) bool {
	if len(label) < shortestRandom || strings.HasPrefix(label, "xn--") || strings.Contains(label, "-") {
		return false
	}
	vowels, digits, run, longest := 0, 0, 0, 0
	for _, c := range label {
		switch {
		case strings.ContainsRune("aeiouy", c):
			vowels++
			run = 0
			continue
		case c >= '0' && c <= '9':
			digits++
		}
		run++
		longest = max(longest, run)
	}
	letters := len(label) - digits
	switch {
	case digits > 0 && digits < len(label) && changes(label) >= 5:
		return true // a7x9k2...
	case longest >= 7:
		return true
	case letters >= shortestRandom && vowels*6 < letters:
		return true
	}
	return false
}

// changes counts how often letters and digits take turns.
func changes(label string) int {
	n := 0
	for i := 1; i < len(label); i++ {
		if isDigit(label[i]) != isDigit(label[i-1]) {
			n++
		}
	}
	return n
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// isMetadata knows the names of the clouds' metadata services.
func isMetadata(name string) bool {
	switch name {
	case "metadata.google.internal", "metadata", "metadata.azure.internal", "instance-data", "instance-data.ec2.internal":
		return true
	}
	return false
}
