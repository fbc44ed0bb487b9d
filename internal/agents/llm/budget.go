package llm

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"
	"sync"
)

// Budget bounds the usage of all asks together, of one model or of several. An
// ask counts when it ends. While it runs, its maximal usage is reserved, and
// its reply is bounded by what is left.
type Budget struct {
	Tokens int64   // 0: no limit
	USD    float64 // 0: no limit

	mu   sync.Mutex
	used Usage
	// held is the reservation of running asks. An ask that does not fit beside
	// them waits until one ends.
	held   Usage
	heldBy int
	ended  chan struct{}
}

// leastReply is the shortest reply worth paying for.
const leastReply = 256

// ParseBudget parses "200k", "1.5M" or "50000" as tokens, "$2.50" as dollars,
// and both as "200k,$2.50".
func ParseBudget(s string) (*Budget, error) {
	var b Budget
	for part := range strings.SplitSeq(s, ",") {
		amount, unit := strings.TrimSpace(part), 1.0
		dollars, usd := strings.CutPrefix(amount, "$")
		if n := len(amount); !usd && n > 0 {
			unit = map[byte]float64{'k': 1e3, 'K': 1e3, 'm': 1e6, 'M': 1e6}[amount[n-1]]
			if unit == 0 {
				unit = 1
			} else {
				amount = amount[:n-1]
			}
		} else if usd {
			amount = dollars
		}
		n, err := strconv.ParseFloat(amount, 64)
		n *= unit
		if err != nil || math.IsNaN(n) || n <= 0 || n > 1e12 || usd && b.USD > 0 || !usd && (b.Tokens > 0 || n < 1) {
			return nil, usagef("%q is no budget; say how many tokens (200k), how many dollars ($2.50), or both (200k,$2.50)", clean(s))
		}
		if usd {
			b.USD = n
		} else {
			b.Tokens = int64(n)
		}
	}
	return &b, nil
}

// Used is the usage so far.
func (b *Budget) Used() Usage {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.used
}

// Half is a budget of half of what is left, so that one user of the budget
// leaves the rest to others. Its usage counts for the whole budget only if the
// model is bounded by that, too.
func (b *Budget) Half() *Budget {
	used := b.Used()
	half := &Budget{}
	if b.Tokens > 0 {
		half.Tokens = max(1, (b.Tokens-used.Tokens())/2)
	}
	if b.USD > 0 {
		half.USD = max(math.SmallestNonzeroFloat64, (b.USD-cost(used))/2)
	}
	return half
}

// Check says before the first ask whether the budget can be enforced: one in
// dollars needs a model with a known price.
func (b *Budget) Check(m Model) error {
	if b.USD > 0 && priceFor(m) == nil {
		return usagef("what %s costs is not known; give a budget in tokens, as in --llm-budget 200k", m.Name())
	}
	return nil
}

// priced is implemented by models whose price may be known.
type priced interface{ Price() *Price }

func priceFor(m Model) *Price {
	if p, ok := m.(priced); ok {
		return p.Price()
	}
	return nil
}

// WithBudget bounds a model by a budget. Asks beyond it fail with [ErrBudget]
// and send nothing.
func WithBudget(m Model, b *Budget) Model { return &bounded{Model: m, budget: b} }

type bounded struct {
	Model

	budget *Budget
}

// Price implements [priced].
func (m *bounded) Price() *Price { return priceFor(m.Model) }

// Ask implements [Model].
func (m *bounded) Ask(ctx context.Context, a *Ask) (*Reply, error) {
	if err := m.budget.Check(m.Model); err != nil {
		return nil, &Error{Kind: KindBudget, Message: err.Error(), err: err}
	}
	price := m.Price()
	held, err := m.budget.hold(ctx, a, price)
	if err != nil {
		return nil, err
	}
	within := *a
	within.MaxTokens = int(held.Out)
	reply, err := m.Model.Ask(ctx, &within)
	used := Usage{}
	if err == nil {
		used = reply.Usage
	} else if e := asError(err); e != nil {
		used = e.Usage
	}
	if used.Cost == nil && price != nil && used.Tokens() > 0 {
		cost := price.of(used.In, used.Out)
		used.Cost = &cost
	}
	m.budget.settle(held, used)
	return reply, err
}

// hold reserves the maximal usage of an ask.
func (b *Budget) hold(ctx context.Context, a *Ask, price *Price) (Usage, error) {
	want := Usage{In: estimate(a), Out: int64(a.MaxTokens)}
	if want.Out <= 0 {
		want.Out = DefaultMaxTokens
	}
	for {
		b.mu.Lock()
		if got, ok := b.fit(want, price); ok {
			b.held, b.heldBy = b.held.Add(got), b.heldBy+1
			b.mu.Unlock()
			return got, nil
		}
		if b.heldBy == 0 {
			defer b.mu.Unlock()
			return Usage{}, &Error{Kind: KindBudget, err: ErrBudget, Message: b.spent(want)}
		}
		if b.ended == nil {
			b.ended = make(chan struct{})
		}
		ended := b.ended
		b.mu.Unlock()
		select {
		case <-ended:
		case <-ctx.Done():
			return Usage{}, &Error{Kind: KindCancelled, Message: "nobody waits for the reply any more", err: context.Cause(ctx)}
		}
	}
}

// fit shortens the reply to what is left, unless that is too short.
func (b *Budget) fit(want Usage, price *Price) (Usage, bool) {
	least := min(want.Out, leastReply)
	if b.Tokens > 0 {
		left := b.Tokens - b.used.Tokens() - b.held.Tokens() - want.In
		want.Out = min(want.Out, left)
	}
	if b.USD > 0 && price != nil {
		left := b.USD - cost(b.used) - cost(b.held)
		for want.Out >= least && price.of(want.In, want.Out) > left {
			want.Out = want.Out * 7 / 8
		}
		all := price.of(want.In, want.Out)
		want.Cost = &all
	}
	return want, want.Out >= least
}

func cost(u Usage) float64 {
	if u.Cost == nil {
		return 0
	}
	return *u.Cost
}

// settle replaces a reservation by the actual usage.
func (b *Budget) settle(held, used Usage) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.used = b.used.Add(used)
	b.heldBy--
	rest := Usage{In: b.held.In - held.In, Out: b.held.Out - held.Out}
	if c := cost(b.held) - cost(held); b.heldBy > 0 && held.Cost != nil {
		rest.Cost = &c
	}
	b.held = rest
	if b.ended != nil {
		close(b.ended)
		b.ended = nil
	}
}

// spent describes the budget and the wanted usage.
func (b *Budget) spent(want Usage) string {
	var limits []string
	if b.Tokens > 0 {
		limits = append(limits, fmt.Sprintf("%d of %d tokens", b.used.Tokens(), b.Tokens))
	}
	if b.USD > 0 {
		limits = append(limits, fmt.Sprintf("$%.4f of $%.2f", cost(b.used), b.USD))
	}
	return fmt.Sprintf("%s: %s; the next ask has about %d tokens by itself; raise --llm-budget", ErrBudget, strings.Join(limits, ", "), want.In)
}
