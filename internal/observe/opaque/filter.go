package opaque

// filterBits is the size of a filter: two bytes for each of the pieces that it is used
// for, so that one piece in five hundred is taken for a known one.
const filterBits = 16 * maxGrams / 2

// probes is how many bits a hash sets.
const probes = 4

// filter is a Bloom filter for hashes. Its memory is made with the first one.
type filter struct {
	bits  []uint64
	count int // hashes that were new
}

func (f *filter) add(hash uint64) {
	if f.bits == nil {
		f.bits = make([]uint64, filterBits/64)
	}
	fresh := false
	for bit := range places(hash) {
		word, mask := &f.bits[bit/64], uint64(1)<<(bit%64)
		fresh = fresh || *word&mask == 0
		*word |= mask
	}
	if fresh {
		f.count++
	}
}

func (f *filter) has(hash uint64) bool {
	if f.bits == nil {
		return false
	}
	for bit := range places(hash) {
		if f.bits[bit/64]&(1<<(bit%64)) == 0 {
			return false
		}
	}
	return true
}

// places are the bits of a hash.
func places(hash uint64) func(yield func(bit uint64) bool) {
	return func(yield func(uint64) bool) {
		at, step := hash>>32, hash|1
		for range probes {
			if !yield(at % filterBits) {
				return
			}
			at += step & (1<<32 - 1)
		}
	}
}
