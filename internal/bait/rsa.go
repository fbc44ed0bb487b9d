package bait

import (
	"math/big"
	"sync"
)

// rsaKey is a private key in the order in which PKCS #1 writes it.
//
// crypto/rsa no longer takes its randomness from the caller, and a key that
// is not a function of the seed would break replays, so the primes are found
// here. The key protects nothing.
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
	rsaBits     = 2048
	rsaExponent = 65537
)

// newRSAKey looks for both primes at once: that is where the time goes.
func newRSAKey(k *kit) rsaKey {
	var p, q *big.Int
	var wg sync.WaitGroup
	wg.Go(func() { p = prime(k.mint("rsa p"), rsaBits/2) })
	wg.Go(func() { q = prime(k.mint("rsa q"), rsaBits/2) })
	wg.Wait()

	one := big.NewInt(1)
	p1, q1 := new(big.Int).Sub(p, one), new(big.Int).Sub(q, one)
	d := new(big.Int).ModInverse(big.NewInt(rsaExponent), new(big.Int).Mul(p1, q1))
	return rsaKey{
		N: new(big.Int).Mul(p, q), E: rsaExponent, D: d, P: p, Q: q,
		DP: new(big.Int).Mod(d, p1), DQ: new(big.Int).Mod(d, q1), QInv: new(big.Int).ModInverse(q, p),
	}
}

// prime finds a prime of exactly so many bits that fits the exponent: it
// walks up from a random number and tries only what no small prime divides.
func prime(m *mint, bits int) *big.Int {
	small := smallPrimes(8000)
	for {
		b := m.bytes(bits / 8)
		b[0] |= 0xc0 // so that the product of two has twice the bits
		b[len(b)-1] |= 1
		start := new(big.Int).SetBytes(b)
		if p := primeAbove(start, small); p != nil && p.BitLen() == bits {
			return p
		}
	}
}

func primeAbove(start *big.Int, small []uint64) *big.Int {
	const span = 1 << 14
	rest := make([]uint64, len(small))
	for i, s := range small {
		rest[i] = new(big.Int).Mod(start, new(big.Int).SetUint64(s)).Uint64()
	}
	one, e := big.NewInt(1), big.NewInt(rsaExponent)
	for step := uint64(0); step < span; step += 2 {
		if dividedByAny(rest, small, step) {
			continue
		}
		p := new(big.Int).Add(start, new(big.Int).SetUint64(step))
		fits := new(big.Int).Mod(new(big.Int).Sub(p, one), e).Sign() != 0
		if fits && p.ProbablyPrime(0) {
			return p
		}
	}
	return nil
}

func dividedByAny(rest, small []uint64, step uint64) bool {
	for i, s := range small {
		if (rest[i]+step)%s == 0 {
			return true
		}
	}
	return false
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
