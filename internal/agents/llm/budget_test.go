package llm

import (
	"context"
	"errors"
	"math"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// fake gives scripted answers without a network.
type fake struct {
	name  string
	price *Price
	ask   func(ctx context.Context, a *Ask) (*Reply, error)
}

func (f *fake) Name() string                                    { return f.name }
func (f *fake) Price() *Price                                   { return f.price }
func (f *fake) Ask(ctx context.Context, a *Ask) (*Reply, error) { return f.ask(ctx, a) }
func uses(in, out int64) func(context.Context, *Ask) (*Reply, error) {
	return func(context.Context, *Ask) (*Reply, error) {
		return &Reply{Text: "x", Usage: Usage{In: in, Out: out}}, nil
	}
}

func TestBudgetTokens(t *testing.T) {
	b := &Budget{Tokens: 1000}
	asked := 0
	m := WithBudget(&fake{name: "fake", ask: func(ctx context.Context, a *Ask) (*Reply, error) {
		asked++
		return uses(100, 200)(ctx, a)
	}}, b)
	var err error
	for n := 0; err == nil && n < 100; n++ {
		_, err = m.Ask(t.Context(), hello())
	}
	if e := asError(err); !errors.Is(err, ErrBudget) || e.Kind != KindBudget || asked != 3 {
		t.Errorf("%d asks, then %v; want 3, then %v: a fourth reply would not fit", asked, err, ErrBudget)
	}
	if got, want := b.Used(), (Usage{In: 300, Out: 600}); got != want {
		t.Errorf("used %+v, want %+v", got, want)
	}
	for _, want := range []string{"900 of 1000 tokens", "--llm-budget"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("error %q, want %q in it", err, want)
		}
	}
}

// TestBudgetCuts: a reply is bounded by what is left.
func TestBudgetCuts(t *testing.T) {
	b := &Budget{Tokens: 2000}
	var limits []int
	m := WithBudget(&fake{name: "fake", ask: func(ctx context.Context, a *Ask) (*Reply, error) {
		limits = append(limits, a.MaxTokens)
		return uses(100, 700)(ctx, a)
	}}, b)
	a := hello()
	a.MaxTokens = 1000
	for range 2 {
		if _, err := m.Ask(t.Context(), a); err != nil {
			t.Fatal(err)
		}
	}
	in := int(estimate(a))
	if diff := cmp.Diff([]int{1000, 1000}, limits); diff != "" {
		t.Errorf("limits (-want +got):\n%s", diff)
	}
	if _, err := m.Ask(t.Context(), a); err != nil {
		t.Fatal(err)
	}
	if want := 2000 - 1600 - in; limits[2] != want {
		t.Errorf("the third reply may have %d tokens, want %d", limits[2], want)
	}
	if a.MaxTokens != 1000 {
		t.Errorf("the caller's ask was changed: MaxTokens %d", a.MaxTokens)
	}
}

func TestBudgetUSD(t *testing.T) {
	b := &Budget{USD: 0.01}
	asked := 0
	m := WithBudget(&fake{name: "fake", price: &Price{In: 1, Out: 10}, ask: func(ctx context.Context, a *Ask) (*Reply, error) {
		asked++
		return uses(1000, 100)(ctx, a)
	}}, b)
	var err error
	for n := 0; err == nil && n < 100; n++ {
		_, err = m.Ask(t.Context(), hello())
	}
	// Each ask costs 0.2 cents; the shortest reply of a fifth would cost 0.26.
	if !errors.Is(err, ErrBudget) || asked != 4 {
		t.Errorf("%d asks, then %v; want 4, then %v", asked, err, ErrBudget)
	}
	if used := b.Used(); used.Cost == nil || math.Abs(*used.Cost-0.008) > 1e-9 {
		t.Errorf("used %+v, want $0.008", used)
	}
}

func TestBudgetUnpriced(t *testing.T) {
	asked := 0
	m := &fake{name: "local", ask: func(ctx context.Context, a *Ask) (*Reply, error) { asked++; return uses(1, 1)(ctx, a) }}
	b := &Budget{USD: 5}
	const want = "what local costs is not known; give a budget in tokens"
	if err := b.Check(m); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("Check: %v, want %q", err, want)
	}
	if _, err := WithBudget(m, b).Ask(t.Context(), hello()); err == nil || !strings.Contains(err.Error(), want) || asked > 0 {
		t.Errorf("Ask: %v after %d asks, want %q after none", err, asked, want)
	}
	if err := (&Budget{Tokens: 5}).Check(m); err != nil {
		t.Errorf("Check of a budget in tokens: %v", err)
	}
	if err := b.Check(Record(&fake{price: &Price{}}, nil, nil)); err != nil {
		t.Errorf("Check of a recorded model: %v, want its price to be known", err)
	}
}

// TestBudgetFailures: a request that failed after it began counts.
func TestBudgetFailures(t *testing.T) {
	b := &Budget{Tokens: 10000}
	m := WithBudget(&fake{name: "fake", ask: func(context.Context, *Ask) (*Reply, error) {
		return nil, &Error{Kind: KindConnection, Message: "broke off", Usage: Usage{In: 70, Out: 7, Estimated: true}}
	}}, b)
	if _, err := m.Ask(t.Context(), hello()); err == nil {
		t.Fatal("want the error")
	}
	if got, want := b.Used(), (Usage{In: 70, Out: 7, Estimated: true}); got != want {
		t.Errorf("used %+v, want %+v", got, want)
	}
}

// TestBudgetConcurrent: concurrent asks stay within the budget together, and
// none is refused that fits once the others have ended.
func TestBudgetConcurrent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := &Budget{Tokens: 20000}
		var now, most, asked atomic.Int64
		m := WithBudget(&fake{name: "fake", ask: func(ctx context.Context, a *Ask) (*Reply, error) {
			if n := now.Add(1); n > most.Load() {
				most.Store(n)
			}
			defer now.Add(-1)
			asked.Add(1)
			time.Sleep(time.Second)
			return uses(20, 480)(ctx, a)
		}}, b)
		var refused atomic.Int64
		var wg sync.WaitGroup
		for range 60 {
			wg.Go(func() {
				a := hello()
				a.MaxTokens = 4000
				if _, err := m.Ask(t.Context(), a); errors.Is(err, ErrBudget) {
					refused.Add(1)
				} else if err != nil {
					t.Errorf("Ask: %v", err)
				}
			})
		}
		wg.Wait()
		if used := b.Used().Tokens(); used > b.Tokens || used < b.Tokens-1000 || asked.Load()+refused.Load() != 60 {
			t.Errorf("%d of %d tokens used by %d asks, %d refused", used, b.Tokens, asked.Load(), refused.Load())
		}
		if most.Load() < 2 {
			t.Errorf("%d at a time, want several", most.Load())
		}
	})
}

func TestBudgetWaiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := &Budget{Tokens: 1000}
		m := WithBudget(&fake{name: "fake", ask: func(ctx context.Context, _ *Ask) (*Reply, error) {
			<-ctx.Done()
			return nil, &Error{Kind: KindCancelled, err: ctx.Err()}
		}}, b)
		ctx, cancel := context.WithCancel(t.Context())
		var wg sync.WaitGroup
		for range 3 {
			wg.Go(func() {
				_, err := m.Ask(ctx, hello())
				if e := asError(err); e == nil || e.Kind != KindCancelled || !errors.Is(err, context.Canceled) {
					t.Errorf("Ask: %v, want %q", err, KindCancelled)
				}
			})
		}
		synctest.Wait()
		cancel()
		wg.Wait()
		if b.heldBy != 0 || b.held != (Usage{}) {
			t.Errorf("%+v is still set aside for %d", b.held, b.heldBy)
		}
	})
}

// A half budget leaves the other half to others, and its usage counts for the
// whole.
func TestBudgetHalf(t *testing.T) {
	whole := &Budget{Tokens: 2200, USD: 3}
	model := &fake{name: "fake", price: &Price{}, ask: uses(100, 300)}
	all := WithBudget(model, whole)
	if _, err := all.Ask(t.Context(), hello()); err != nil {
		t.Fatal(err)
	}
	half := whole.Half()
	if half.Tokens != 900 || half.USD != 1.5 {
		t.Errorf("half of what is left is %d tokens and $%v, want 900 and $1.5", half.Tokens, half.USD)
	}
	part := WithBudget(all, half)
	var err error
	asked := 0
	for ; err == nil && asked < 10; asked++ {
		_, err = part.Ask(t.Context(), hello())
	}
	if asked != 3 || !errors.Is(err, ErrBudget) || whole.Used().Tokens() != 1200 {
		t.Errorf("%d asks, %v, %d tokens of the whole are used; want the third to be refused, and 1200", asked, err, whole.Used().Tokens())
	}
	if _, err := all.Ask(t.Context(), hello()); err != nil {
		t.Errorf("nothing is left to others: %v", err)
	}
	if spent := (&Budget{Tokens: 1}).Half(); spent.Tokens == 0 {
		t.Error("half of nothing is no bound")
	}
}

func TestParseBudget(t *testing.T) {
	tests := []struct {
		in   string
		want *Budget
	}{
		{"50000", &Budget{Tokens: 50000}}, {"200k", &Budget{Tokens: 200000}}, {"1.5M", &Budget{Tokens: 1500000}},
		{"$2.50", &Budget{USD: 2.5}}, {"200k, $2", &Budget{Tokens: 200000, USD: 2}}, {"$0.01,1m", &Budget{Tokens: 1000000, USD: 0.01}},
		{"", nil}, {"0", nil}, {"-1", nil}, {"k", nil}, {"$", nil}, {"NaN", nil}, {"Inf", nil}, {"1e300", nil}, {"1,2", nil}, {"$1,$2", nil},
		{"$1k", nil}, {"200 k", nil}, {"0.5", nil}, {"a lot", nil},
	}
	for _, tt := range tests {
		got, err := ParseBudget(tt.in)
		if diff := cmp.Diff(tt.want, got, cmpopts.IgnoreUnexported(Budget{})); diff != "" || (err == nil) != (tt.want != nil) {
			t.Errorf("ParseBudget(%q) error %v (-want +got):\n%s", tt.in, err, diff)
		}
	}
}

func TestUsageAdd(t *testing.T) {
	one, two := 1.0, 2.0
	three := 3.0
	tests := []struct{ a, b, want Usage }{
		{Usage{}, Usage{In: 1, Cost: &one}, Usage{In: 1, Cost: &one}},
		{Usage{In: 1, Cost: &one}, Usage{}, Usage{In: 1, Cost: &one}},
		{Usage{In: 1, Cost: &one}, Usage{Out: 2, Cost: &two}, Usage{In: 1, Out: 2, Cost: &three}},
		{Usage{In: 1, Cost: &one}, Usage{Out: 2, Estimated: true}, Usage{In: 1, Out: 2, Estimated: true}},
		{Usage{In: 1}, Usage{Out: 2, Cost: &two}, Usage{In: 1, Out: 2}},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, tt.a.Add(tt.b)); diff != "" {
			t.Errorf("%+v.Add(%+v) (-want +got):\n%s", tt.a, tt.b, diff)
		}
	}
}
