package shape

import (
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
)

// issued is how many records a collection has.
const issued = 3

// ID is the number of a record of a collection, which is a host and a path. It is
// the same at any time.
func ID(seed uint64, host, path string, record int) int {
	return dice(seed, host, collection(path), "record", strconv.Itoa(record)).IntN(90000) + 10000
}

// Issued returns the number of the record that a path ends with, if the collection
// above it has that record. The number is ours: it is compared with the path, not
// taken from it.
func Issued(seed uint64, host, path string) (id int, ok bool) {
	above, last, found := cutLast(path)
	if !found || len(last) > maxName {
		return 0, false
	}
	last = strings.ToLower(strings.TrimSuffix(last, ".json"))
	for i := range issued {
		id := ID(seed, host, above, i)
		names := []string{strconv.Itoa(id), uuidOf(seed, id), strings.ReplaceAll(uuidOf(seed, id), "-", ""), hexOf(seed, id, 24)}
		if slices.Contains(names, last) || strings.HasSuffix(last, "_"+wordOf(seed, id)) {
			return id, true
		}
	}
	return 0, false
}

// collection is a path without what does not matter.
func collection(path string) string {
	return strings.TrimSuffix(strings.Trim(path, "/"), ".json")
}

func cutLast(path string) (above, last string, found bool) {
	path = strings.Trim(path, "/")
	i := strings.LastIndexByte(path, '/')
	if i < 0 {
		return "", path, false
	}
	return path[:i], path[i+1:], true
}

func uuidOf(seed uint64, id int) string {
	h := hexOf(seed, id, 32)
	return h[:8] + "-" + h[8:12] + "-4" + h[13:16] + "-a" + h[17:20] + "-" + h[20:]
}

// hexOf is an id as n hexadecimal digits.
func hexOf(seed uint64, id, n int) string {
	return letters(dice(seed, "hex", strconv.Itoa(id), strconv.Itoa(n)), n, "0123456789abcdef")
}

// wordOf is an id as letters and digits, as behind the prefixes of some services.
func wordOf(seed uint64, id int) string {
	return letters(dice(seed, "word", strconv.Itoa(id)), 14, "abcdefghijklmnopqrstuvwxyz0123456789")
}

func letters(d *rand.Rand, n int, from string) string {
	p := make([]byte, n)
	for i := range p {
		p[i] = from[d.IntN(len(from))]
	}
	return string(p)
}

// dice are random numbers that depend on the seed and on the given strings.
func dice(seed uint64, of ...string) *rand.Rand {
	sum := fnv.New64a()
	var part []byte
	for _, s := range of {
		part = append(strconv.AppendInt(part[:0], int64(len(s)), 10), ':')
		sum.Write(append(part, s...)) // a hash returns no error
	}
	return rand.New(rand.NewPCG(seed, sum.Sum64()))
}
