package oauth

import (
	"math"
	"testing"
	"time"

	"golang.org/x/oauth2"
)

func TestTimesOfAServerAreBounded(t *testing.T) {
	for name, tt := range map[string]struct {
		interval, want int64
		expires        time.Duration
		wait           time.Duration
	}{
		"usual":              {interval: 2, want: 2, expires: time.Minute, wait: time.Minute},
		"nothing said":       {want: 5, wait: maxWait},
		"a negative time":    {interval: -1, want: 5, expires: -time.Hour, wait: maxWait},
		"far too long":       {interval: math.MaxInt64, want: 5, expires: 1000 * time.Hour, wait: maxWait},
		"as long as allowed": {interval: 29, want: 29, expires: maxWait, wait: maxWait},
	} {
		device := &oauth2.DeviceAuthResponse{Interval: tt.interval}
		if tt.expires != 0 {
			device.Expiry = time.Now().Add(tt.expires)
		}
		wait := bounded(device)
		if device.Interval != tt.want || wait > tt.wait || wait < tt.wait-time.Second || !device.Expiry.IsZero() {
			t.Errorf("%s: every %d s for %v", name, device.Interval, wait)
		}
	}
}
