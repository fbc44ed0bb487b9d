package listener

const (
	// leastRun is how often a unit has to be repeated to be one of our megabytes.
	// no gap: a repeated unit is no order
	leastRun = 4 << 10
	// maxUnit is the longest unit of ours, as servers write it back: an escaped letter (\u00e9).
	// no gap: a longer one is scanned
	maxUnit = 6
)

// withoutRuns leaves out what is repeated thousands of times. Some attacks send a
// megabyte of one character; servers log it, list it and answer with it, and it is
// not theirs.
func withoutRuns(text []byte) []byte {
	for unit := 1; unit <= maxUnit && len(text) > leastRun; unit++ {
		text = withoutRunsOf(text, unit)
	}
	return text
}

// withoutRunsOf leaves out runs of units of that many bytes, in whole units: half an
// escape would break the message.
func withoutRunsOf(text []byte, unit int) []byte {
	var out []byte
	kept, same := 0, 0 // text[:kept] is in out or left out; the last bytes equal those one unit before
	for i := unit; i <= len(text); i++ {
		if i < len(text) && text[i] == text[i-unit] {
			same++
			continue
		}
		if same >= leastRun*unit {
			begin := i - same
			out, kept = append(out, text[kept:begin]...), begin+same/unit*unit
		}
		same = 0
	}
	if kept == 0 {
		return text
	}
	return append(out, text[kept:]...)
}
