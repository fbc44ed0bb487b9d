package resolve

// budget bounds the work on one file: every evaluated node counts.
type budget struct {
	out   *output
	steps int
}

// spend counts a step; false if the file has cost enough.
func (b *budget) spend() bool {
	b.steps++
	if b.steps > maxSteps {
		b.out.f.Cut = true
		return false
	}
	return true
}
