package llm

// Usage is what asks cost.
type Usage struct {
	In  int64 `json:"in"` // tokens
	Out int64 `json:"out"`
	// Cost is in US dollars at list price; nil if the price is unknown.
	Cost *float64 `json:"cost,omitempty"`
	// Estimated: the provider reported no usage, so it was estimated, rather
	// too high than too low.
	Estimated bool `json:"estimated,omitempty"`
}

// Tokens is all tokens.
func (u Usage) Tokens() int64 { return u.In + u.Out }

// Add is the sum. If one cost is unknown, so is the sum.
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

// maxTokens is more than any ask uses; a larger count is invalid.
// no gap: bounds the conversation with a model; a failed ask is reported
const maxTokens = 1 << 30

// counted takes a provider's count, or an estimate if that is missing or
// invalid.
func counted(in, out int64, estimate Usage) Usage {
	if in <= 0 || in > maxTokens || out < 0 || out > maxTokens {
		estimate.Estimated = true
		return estimate
	}
	return Usage{In: in, Out: out}
}

// tokens estimates the tokens of a text of so many bytes. English has four
// bytes per token, JSON and other languages fewer.
func tokens(bytes int) int64 { return int64(bytes+2) / 3 }

// estimate is the input tokens of an ask.
func estimate(a *Ask) int64 {
	const each = 8 // overhead of a turn or a tool
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
