package history

import (
	"fmt"
	"testing"

	"github.com/mcpsf/mcpsf/internal/judge/rules/hostname"
)

func TestFull(t *testing.T) {
	r := &Run{Traffic: newTraffic(), Repeated: newRepeated(nil)}
	for i := range hostname.MaxHosts - 1 {
		r.Traffic.Hosts[fmt.Sprint(i)] = true
	}
	if n := r.Full(); n != 0 {
		t.Errorf("%d, with room for one more", n)
	}
	r.Traffic.Hosts["one more"] = true
	if n := r.Full(); n != hostname.MaxHosts {
		t.Errorf("%d, want %d", n, hostname.MaxHosts)
	}
}
