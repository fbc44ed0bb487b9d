package remote

import (
	"context"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/protocol"
)

const (
	// samples is how many sessions are opened to compare their ids.
	samples = 5
	// enoughBits is the minimum entropy of a session id.
	enoughBits = 64
)

// sessionIDs compares the ids of a few sessions.
func (p *prober) sessionIDs(ctx context.Context) {
	var ids []string
	for range samples {
		a := p.ask(ctx, ask{method: protocol.MethodInitialize})
		if a.session == "" {
			return // the server issues none, or no more
		}
		ids = append(ids, a.session)
	}
	if !p.old {
		for _, id := range ids {
			p.leave(ctx, id, false)
		}
	}
	got, weak := guess(ids)
	p.tell(mcpsf.RemoteDetail{
		Check: mcpsf.CheckSessionID, Method: "initialize", Got: got, Want: "ids that cannot be guessed", Weak: weak,
	})
}

// guess describes how hard it is to guess the next session id.
func guess(ids []string) (text string, weak bool) {
	if len(slices.Compact(slices.Sorted(slices.Values(ids)))) < len(ids) {
		return "two sessions have one id", true
	}
	if step, ok := counted(ids); ok {
		return fmt.Sprintf("the ids are counted up, by no more than %v", step), true
	}
	bits := varying(ids)
	text = fmt.Sprintf("ids of %d characters, about %.0f bits of which vary", len(ids[0]), bits)
	return text, bits < enoughBits
}

// varying estimates how many bits differ between ids: it counts the positions
// that are not the same in all. A random character is the same in all five only
// once in tens of thousands of positions.
func varying(ids []string) float64 {
	length := len(ids[0])
	for _, id := range ids {
		length = min(length, len(id))
	}
	places := 0
	var seen []byte
	for i := range length {
		before := len(seen)
		differ := false
		for _, id := range ids {
			seen = append(seen, id[i])
			differ = differ || id[i] != ids[0][i]
		}
		if differ {
			places++
		} else {
			seen = seen[:before]
		}
	}
	return float64(places) * bitsOf(string(seen))
}

// bitsOf estimates the entropy of a character by the alphabet of the characters
// that vary.
func bitsOf(seen string) float64 {
	digits, hex := true, true
	for _, c := range seen {
		digit := c >= '0' && c <= '9'
		digits = digits && digit
		hex = hex && (digit || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F')
	}
	switch {
	case digits:
		return math.Log2(10)
	case hex:
		return 4
	}
	return 5 // letters and digits; more with both cases
}

// counted reports whether the ids increase by small steps.
func counted(ids []string) (step *big.Int, ok bool) {
	const small = 1 << 20
	var numbers []*big.Int
	prefix := common(ids)
	for _, id := range ids {
		n, fine := new(big.Int).SetString(strings.TrimRight(id[len(prefix):], "-_"), 16)
		if !fine {
			return nil, false
		}
		numbers = append(numbers, n)
	}
	largest := new(big.Int)
	for i := 1; i < len(numbers); i++ {
		step := new(big.Int).Sub(numbers[i], numbers[i-1])
		if step.Sign() <= 0 || step.Cmp(big.NewInt(small)) > 0 {
			return nil, false
		}
		if step.Cmp(largest) > 0 {
			largest = step
		}
	}
	return largest, true
}

// common returns the common prefix of all ids.
func common(ids []string) string {
	prefix := ids[0]
	for _, id := range ids[1:] {
		for !strings.HasPrefix(id, prefix) {
			prefix = prefix[:len(prefix)-1]
		}
	}
	return prefix
}

// sessionTaken uses a session without the credentials that opened it.
func (p *prober) sessionTaken(ctx context.Context) {
	if p.open || p.old || len(p.opts.Credentials) == 0 {
		return
	}
	first := p.ask(ctx, ask{method: protocol.MethodInitialize})
	if first.session == "" {
		return
	}
	a := p.ask(ctx, ask{method: "tools/list", session: first.session, bare: true})
	p.tell(mcpsf.RemoteDetail{
		Check: mcpsf.CheckSessionTaken, Method: "tools/list", Sent: "the id of a session and " + noCredentials, Got: a.String(), Want: "HTTP 401",
		Weak: a.taken(),
	})
	p.leave(ctx, first.session, false)
}

// sessionMadeUp uses a session id that the server never issued but that has the
// form of one.
func (p *prober) sessionMadeUp(ctx context.Context) {
	if p.old {
		return
	}
	first := p.ask(ctx, ask{method: protocol.MethodInitialize})
	if first.session == "" {
		return
	}
	p.leave(ctx, first.session, false)
	made := []byte(first.session)
	slices.Reverse(made)
	for i := range made {
		if made[i] != '-' && i%3 == 0 {
			made[i] = "0123456789abcdef"[(int(made[i])+i)%16]
		}
	}
	a := p.ask(ctx, ask{method: "tools/list", session: string(made)})
	p.tell(mcpsf.RemoteDetail{
		Check: mcpsf.CheckSessionMadeUp, Method: "tools/list", Sent: "the id of a session that there never was", Got: a.String(), Want: "HTTP 404",
		Weak: a.taken(),
	})
}
