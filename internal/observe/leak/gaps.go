package leak

import (
	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/gap"
	"github.com/mcpsf/mcpsf/internal/observe/canary"
)

// Gaps says which bounds were reached so far.
func (f *Finder) Gaps() []mcpsf.Gap {
	f.mu.Lock()
	defer f.mu.Unlock()
	var list []mcpsf.Gap
	add := func(code mcpsf.GapCode, limit, count int64) {
		if count > 0 {
			list = append(list, gap.New(code, limit, count))
		}
	}
	add(gap.LeaksNotTold, maxDestinations, f.told.untold)
	add(gap.PiecesNotJoined, maxGathers, f.pieces.givenUp)
	add(gap.NotDecoded, 0, f.unsearched)
	add(gap.ResultsNotDecoded, 0, f.resultsUnsearched)
	add(gap.ValuesNotSearched, maxValues, f.valuesLeft)
	return list
}

// search searches one message, and says whether it was not decoded to the end.
func search(set *canary.Set, body []byte) ([]canary.Hit, bool) {
	st := set.Stream(nil)
	hits := st.WriteShort(body)
	hits = append(hits, st.Close()...)
	return hits, st.Cut()
}

// noteValues counts arguments of one call that are not searched for.
func (f *Finder) noteValues(left int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.valuesLeft = max(f.valuesLeft, int64(left))
}

// noteCut counts a message that was not decoded to the end. One in a file has not
// left: it is searched again on its way out.
func (f *Finder) noteCut(channel string, cut bool) {
	if !cut {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	switch channel {
	case mcpsf.ChannelFile:
	case mcpsf.ChannelMCP, mcpsf.ChannelStderr: // often a long argument of ours that comes back
		f.resultsUnsearched++
	default:
		f.unsearched++
	}
}
