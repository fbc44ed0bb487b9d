package decoys

import "testing"

// Tokens prove where something comes from, so they must not contain what two
// homes have in common: prefixes of services, headers of formats.
func TestTokensOfTwoHomesDiffer(t *testing.T) {
	const most = 13 // a match of that length is not reported as a leak
	a, b := mustMint(t, 90), mustMint(t, 91)
	for i := range a.Decoys {
		for j, x := range a.Decoys[i].Tokens {
			if i >= len(b.Decoys) || j >= len(b.Decoys[i].Tokens) {
				continue
			}
			if same := common(x, b.Decoys[i].Tokens[j]); len(same) > most {
				t.Errorf("%s: two homes share %q", a.Decoys[i].Path, same)
			}
		}
	}
}

// common is the longest text that is in both.
func common(x, y string) string {
	best, before := "", make([]int, len(y)+1)
	for p := range len(x) {
		now := make([]int, len(y)+1)
		for q := range len(y) {
			if x[p] == y[q] {
				now[q+1] = before[q] + 1
				if now[q+1] > len(best) {
					best = x[p+1-now[q+1] : p+1]
				}
			}
		}
		before = now
	}
	return best
}
