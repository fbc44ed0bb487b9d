package capture

import (
	"math"
	"time"
)

const (
	// The first packets of a flow contain a TLS handshake and a request.
	firstPackets = 24
	firstBytes   = 16 << 10
	// minReserve keeps the beginnings of some flows even if Max is small.
	minReserve = 16 * firstBytes
)

// limit decides which frames are kept.
type limit struct {
	left    int64 // for every frame
	reserve int64 // for the first packets of flows, once left is used up
	secrets int64

	// One second can use only its share of the reserve, so that thousands of new
	// flows at once leave room for flows that begin later.
	second int64
	share  int64
}

func newLimit(most int64) limit {
	return limit{left: most, reserve: max(most/8, minReserve), secrets: max(most/4, minReserve), second: math.MinInt64}
}

// admit reserves room for a frame of a flow; f is nil if the frame has no flow.
func (l *limit) admit(size int64, f *flow, at time.Time) bool {
	if size <= l.left {
		l.left -= size
		return true
	}
	l.left = 0 // later, smaller frames are not kept either
	if f == nil || f.packets > firstPackets || f.bytes > firstBytes {
		return false
	}
	if now := at.Unix(); now != l.second {
		l.second, l.share = now, min(max(l.reserve/32, firstBytes), l.reserve)
	}
	if size > l.share {
		return false
	}
	l.share -= size
	l.reserve -= size
	return true
}

func (l *limit) admitSecret(size int64) bool {
	if size > l.secrets {
		return false
	}
	l.secrets -= size
	return true
}
