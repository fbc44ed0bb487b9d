package fakenet

import (
	"os"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/mcpsf/mcpsf/internal/network/fakenet/names"
)

// Opening and closing networks leaves no descriptors open.
func TestDescriptorsAreGivenBack(t *testing.T) {
	open := func() int {
		list, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Fatal(err)
		}
		return len(list)
	}
	before := 0
	for i := range 6 {
		pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_SEQPACKET|unix.SOCK_CLOEXEC, 0)
		if err != nil {
			t.Fatal(err)
		}
		ours, theirs := os.NewFile(uintptr(pair[0]), "ours"), os.NewFile(uintptr(pair[1]), "theirs")
		s, err := New(t.Context(), ours, &Options{
			Names: names.New(1, nil, true), Lookup: func(Lookup) {}, Refused: func(Flow) {},
		})
		if err != nil {
			t.Fatal(err)
		}
		s.Close()
		_, _ = ours.Close(), theirs.Close()
		if i == 0 {
			before = open() // the runtime has opened its own by now
		}
	}
	if now := open(); now > before {
		t.Errorf("%d descriptors are open after one network, %d after six", before, now)
	}
}
