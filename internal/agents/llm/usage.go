package llm

// Usage is what asks took.
type Usage struct {
	In  int64 `json:"in"` // tokens
	Out int64 `json:"out"`
	// Cost is in US dollars at list price; nil if the price is not known.
	Cost *float64 `json:"cost,omitempty"`
	// Estimated: the provider did not say, so it was counted here, high rather
	// than low.
	Estimated bool `json:"estimated,omitempty"`
}

// Tokens is all of them.
func (u Usage) Tokens() int64 { return u.In + u.Out }

// Add is the sum. What something of unknown price cost in all is unknown.
func (u Usage) Add(v Usage) Usage {
	sum := Usage{In: u.In + v.In, Out: u.Out + v.Out, Estimated: u.Estimated || v.Estimated}
	switch {
	case u.Tokens() == 0 && u.Cost == nil:
		sum.Cost = v.Cost
	case v.Tokens() == 0 && v.Cost == nil:
		sum.Cost = u.Cost
	case u.Cost != nil && v.Cost != nil:
		cost := *u.Cost + *v.Cost
		sum.Cost = &cost
	}
	return sum
}

// maxTokens is more than any provider counts for one ask; what claims more
// makes no sense.
const maxTokens = 1 << 30

// counted takes a provider's count, or, where there is none that makes sense,
// an estimate.
func counted(in, out int64, estimate Usage) Usage {
	if in <= 0 || in > maxTokens || out < 0 || out > maxTokens {
		estimate.Estimated = true
		return estimate
	}
	return Usage{In: in, Out: out}
}

// tokens estimates how many a text of so many bytes makes. English has four
// bytes a token, JSON and other languages fewer.
func tokens(bytes int) int64 { return int64(bytes+2) / 3 }

// estimate is what an ask takes to read.
func estimate(a *Ask) int64 {
	const each = 8 // a turn or a tool beside its text
	n := tokens(len(a.System)) + each
	for _, t := range a.Turns {
		n += tokens(len(t.Text)+len(t.Thinking)) + each
		for _, c := range t.Calls {
			n += tokens(len(c.Name)+len(c.Arguments)) + each
		}
		for _, r := range t.Results {
			n += tokens(len(r.Text)) + each
		}
	}
	for _, t := range a.Tools {
		n += tokens(len(t.Name)+len(t.Description)+len(t.Schema)) + each
	}
	return n
}
