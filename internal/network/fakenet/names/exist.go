package names

import (
	"strings"

	"golang.org/x/net/publicsuffix"
)

// Some software looks up a random name to detect a network that answers for
// every name. A real resolver does not know such names, so this one does not
// either.

// no gap: what is not remembered is shown by its address, and explains nothing
const (
	maxName  = 253
	maxLabel = 63
	// shortestRandom is the length from which a random label can be recognised.
	shortestRandom = 12
)

// exists says whether a name could be that of an Internet host. Reserved
// example and test names count, because our own examples use them.
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

// registered is the registrable domain of a name, "" if the name is shorter.
// Suffixes below which a company gives names to others, like those of cloud
// storage, count as registered.
func registered(name string) string {
	suffix, official := publicsuffix.PublicSuffix(name)
	for !official {
		_, rest, more := strings.Cut(suffix, ".")
		if !more {
			break // an unknown suffix
		}
		suffix, official = publicsuffix.PublicSuffix(rest)
	}
	rest, ok := strings.CutSuffix(name, "."+suffix)
	if !ok || rest == "" {
		return ""
	}
	return rest[strings.LastIndexByte(rest, '.')+1:] + "." + suffix
}

// random says whether a label was generated and not chosen by a person. Only
// the registrable label is checked, never the ones before it: those may carry
// exfiltrated data, and the sender must believe that it arrives.
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

// changes counts the changes between letters and digits.
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

// isMetadata recognises the names of cloud metadata services.
func isMetadata(name string) bool {
	switch name {
	case "metadata.google.internal", "metadata", "metadata.azure.internal", "instance-data", "instance-data.ec2.internal":
		return true
	}
	return false
}
