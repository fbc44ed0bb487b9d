package resolve

// budget is what a file may cost: all that is computed from its tree counts.
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
