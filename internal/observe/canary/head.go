package canary

import "fmt"

// headSize is how much of a stream is searched again under transformations that
// change all bytes. There the whole search is repeated; later in the stream,
// such transformations are recognised only around indexed text.
const headSize = 4096

// lookAgain searches the beginning of the stream reversed and with its
// characters mapped.
func (st *Stream) lookAgain() {
	head := st.head
	if len(head) < minValue {
		return
	}
	st.head = nil
	other := make([]byte, len(head))
	search := func(name string, at int64, num int64) {
		c := st.root.child(name, at, num, 1)
		c.again, c.deflateAt = true, plausible
		c.depth = maxDepth - 1 // allows one decoding inside
		c.write(other)
		c.finish()
	}
	for i, c := range head {
		other[len(head)-1-i] = c
	}
	search(nameReverse, int64(len(head)-1), -1)
	for _, m := range [...]struct {
		name  string
		table [256]byte
	}{{nameRot13, rot13()}, {nameRot47, rot47()}} {
		translate(other, head, &m.table)
		search(m.name, 0, 1)
	}
	for _, key := range guessKeys(head) {
		table := xorWith(key)
		translate(other, head, &table)
		search(fmt.Sprintf("xor(%02x)", key), 0, 1)
	}
}

func translate(dst, src []byte, table *[256]byte) {
	for i, c := range src {
		dst[i] = table[c]
	}
}

// guessKeys returns likely XOR keys: those that turn the most frequent byte
// into one that is frequent in escapes and separated digits, and those that
// produce the magic number of compressed data.
func guessKeys(b []byte) []byte {
	var counts [256]int
	text := true
	for _, c := range b {
		counts[c]++
		text = text && (c >= ' ' && c <= '~' || c == '\n' || c == '\r' || c == '\t')
	}
	top := byte(0)
	for c := range counts {
		if counts[c] > counts[top] {
			top = byte(c)
		}
	}
	var keys []byte
	seen := [256]bool{0: true}
	try := func(key byte) {
		if !seen[key] {
			seen[key] = true
			keys = append(keys, key)
		}
	}
	// Zeros are frequent in binary data, the others in text.
	usual := top == 0 || text && (top == ' ' || top == '"' || top == 'e')
	if !usual && counts[top]*8 >= len(b) {
		for _, c := range "%\\0&#x;.-: \n\x00" {
			try(top ^ byte(c))
		}
	}
	for i := 0; i+magicSize <= len(b) && len(keys) < 16; i++ {
		if d := b[i] ^ b[i+1]; d == 0x1f^0x8b && b[i+1]^b[i+2] == 0x8b^0x08 {
			try(b[i] ^ 0x1f)
		} else if d == 0x28^0xb5 && b[i+1]^b[i+2] == 0xb5^0x2f && b[i+2]^b[i+3] == 0x2f^0xfd {
			try(b[i] ^ 0x28)
		} else if d == 0x78^0x9c {
			key := xorWith(b[i] ^ 0x78)
			var rest [plausible]byte
			k := copy(rest[:], b[i+2:])
			translate(rest[:k], rest[:k], &key)
			if plausibleDeflate(rest[:k], k < plausible) {
				try(b[i] ^ 0x78)
			}
		}
	}
	return keys
}
