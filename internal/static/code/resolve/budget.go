package resolve

// budget bounds the work on one file: every evaluated node counts.
type budget struct {
	out   *output
	steps int
}

// spend counts a step; it returns false if the budget is used up.
func (b *budget) spend() bool {
	b.steps++
	if b.steps > maxSteps {
		b.out.f.Cut = true
		return false
	}
	return true
}
