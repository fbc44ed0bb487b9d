package canary

// longestRun is how many equal bytes in a row are searched. No secret has more,
// in any encoding but compression.
const longestRun = 512

// WriteShort searches the next bytes with long runs of one byte shortened, unless
// something is being decompressed: a flood of one byte costs nothing, and a run
// inside compressed data stays what it is.
func (st *Stream) WriteShort(p []byte) []Hit {
	var hits []Hit
	for len(p) > 0 {
		start := longRun(p, 0)
		if start < 0 {
			return append(hits, st.Write(p)...)
		}
		end := start + longestRun
		hits = append(hits, st.Write(p[:end])...)
		run := p[end:]
		for p = run; len(p) > 0 && p[0] == run[0]; {
			p = p[1:]
		}
		if st.scan.inflaters > 0 {
			hits = append(hits, st.Write(run[:len(run)-len(p)])...)
		}
	}
	return hits
}

// longRun returns where a run of more than longestRun equal bytes begins,
// searching from an index.
func longRun(p []byte, from int) int {
	for i := from; i+longestRun < len(p); {
		first := i + longestRun // of the run that the last byte is in
		for first > i && p[first-1] == p[i+longestRun] {
			first--
		}
		if first == i {
			return i
		}
		i = first
	}
	return -1
}
