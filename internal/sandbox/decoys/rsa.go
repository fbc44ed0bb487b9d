package decoys

import (
	"encoding/binary"
	"math/big"
	"math/bits"
	"sync"
)

// rsaKey is a private key with its fields in the order of PKCS #1.
//
// crypto/rsa no longer takes its randomness from the caller, and a key that is
// not a function of the seed would break replays, so the primes are found here.
// The key protects nothing.
type rsaKey struct {
	Version int
	N       *big.Int
	E       int
	D       *big.Int
	P, Q    *big.Int
	DP, DQ  *big.Int
	QInv    *big.Int
}

const (
	rsaExponent = 65537
	// sieved is the bound of the small primes used for sieving: with larger
	// primes, sieving takes longer than testing.
	sieved = 1 << 17
)

// search starts the search for the keys of a home. It runs in the background,
// because everything else takes less time.
func (k *kit) search() {
	small := smallPrimes(sieved)
	k.sshKey, k.accountKey = k.searchKey("rsa", 2048, small), k.searchKey("service account", 1024, small)
}

// searchKey searches both primes at once, and returns a function that waits for
// them.
func (k *kit) searchKey(label string, size int, small []uint64) func() rsaKey {
	var p, q *big.Int
	var wg sync.WaitGroup
	wg.Go(func() { p = prime(k.mint(label+" p"), size/2, small) })
	wg.Go(func() { q = prime(k.mint(label+" q"), size/2, small) })
	return sync.OnceValue(func() rsaKey {
		wg.Wait()
		return newRSAKey(p, q)
	})
}

func newRSAKey(p, q *big.Int) rsaKey {
	one := big.NewInt(1)
	p1, q1 := new(big.Int).Sub(p, one), new(big.Int).Sub(q, one)
	d := new(big.Int).ModInverse(big.NewInt(rsaExponent), new(big.Int).Mul(p1, q1))
	return rsaKey{
		N: new(big.Int).Mul(p, q), E: rsaExponent, D: d, P: p, Q: q,
		DP: new(big.Int).Mod(d, p1), DQ: new(big.Int).Mod(d, q1), QInv: new(big.Int).ModInverse(q, p),
	}
}

// prime finds a prime of exactly size bits that fits the exponent: it counts up
// from a random number and tests only numbers without small factors.
func prime(m *mint, size int, small []uint64) *big.Int {
	for {
		b := m.bytes(size / 8)
		b[0] |= 0xc0 // so that the product of two has twice the bits
		b[len(b)-1] |= 1
		if p := primeAbove(b, small); p != nil && p.BitLen() == size {
			return p
		}
	}
}

func primeAbove(start []byte, small []uint64) *big.Int {
	composite := make([]bool, 1<<13) // of start, start+2, start+4, ...
	for len(small) > 0 {
		n := group(small)
		sieve(composite, start, small[:n])
		small = small[n:]
	}
	one, two, e, first := big.NewInt(1), big.NewInt(2), big.NewInt(rsaExponent), new(big.Int).SetBytes(start)
	for i, known := range composite {
		if known {
			continue
		}
		p := new(big.Int).Add(first, big.NewInt(int64(2*i)))
		p1 := new(big.Int).Sub(p, one)
		// Almost only primes among random numbers of this size pass Fermat's
		// test; certainty would take as long as two more tests.
		if new(big.Int).Mod(p1, e).Sign() != 0 && new(big.Int).Exp(two, p1, p).Cmp(one) == 0 {
			return p
		}
	}
	return nil
}

// group returns how many of the primes have a product of 64 bits: one division
// of the large number serves all of them.
func group(small []uint64) int {
	product := uint64(1)
	for i, s := range small {
		high, low := bits.Mul64(product, s)
		if high != 0 {
			return i
		}
		product = low
	}
	return len(small)
}

// sieve marks the multiples of the primes. The length of the number is a
// multiple of a word.
func sieve(composite []bool, start []byte, primes []uint64) {
	product, rest := uint64(1), uint64(0)
	for _, s := range primes {
		product *= s
	}
	for at := 0; at < len(start); at += 8 {
		_, rest = bits.Div64(rest, binary.BigEndian.Uint64(start[at:]), product)
	}
	for _, s := range primes {
		half := (s + 1) / 2 // the inverse of 2
		for i := (s - rest%s) * half % s; i < uint64(len(composite)); i += s {
			composite[i] = true
		}
	}
}

// smallPrimes lists the odd primes below n.
func smallPrimes(n int) []uint64 {
	composite := make([]bool, n)
	var primes []uint64
	for i := 3; i < n; i += 2 {
		if composite[i] {
			continue
		}
		primes = append(primes, uint64(i))
		for j := i * i; j < n; j += 2 * i {
			composite[j] = true
		}
	}
	return primes
}
