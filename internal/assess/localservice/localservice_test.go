package localservice

import (
	"net/netip"
	"slices"
	"testing"
)

// server is a server whose connections to localhost were refused.
type server struct {
	refused   []uint16
	listening []netip.AddrPort
	served    []uint16
	silent    []uint16
}

func (s *server) ServeLocal(ports []uint16)   { s.served = ports }
func (*server) Settled() bool                 { return true }
func (s *server) RefusedLocally() []uint16    { return s.refused }
func (s *server) waiting() []uint16           { return s.silent }
func (s *server) Listening() []netip.AddrPort { return s.listening }

func TestLearned(t *testing.T) {
	own := []netip.AddrPort{netip.MustParseAddrPort("127.0.0.1:3000"), netip.MustParseAddrPort("0.0.0.0:8000")}
	for name, tt := range map[string]struct {
		start, before, during []uint16 // refused at start, in an earlier call that worked, in the call that failed
		want                  []uint16
	}{
		"in the call":           {during: []uint16{9200, 9200}, want: []uint16{9200}},
		"at start":              {start: []uint16{6379}, want: []uint16{6379}},
		"in the call first":     {start: []uint16{6379}, during: []uint16{9200}, want: []uint16{9200}},
		"in a call that worked": {before: []uint16{9200}},
		"its own":               {during: []uint16{3000, 8000, 5432}, want: []uint16{5432}},
		"a debugger, a proxy":   {during: []uint16{9222, 9229, 9050, 1080, 53, 40000}},
		"a scan":                {during: []uint16{1, 2, 3, 4, 5, 6, 7, 8, 9}},
		"nothing":               {},
	} {
		t.Run(name, func(t *testing.T) {
			var all Services
			s := &server{refused: tt.start, listening: own}
			one := all.Of(s, s, s.waiting)
			one.Calling()
			s.refused = slices.Concat(s.refused, tt.before)
			one.Calling()
			s.refused = slices.Concat(s.refused, tt.during)
			if again := one.Unreached(); again != (len(tt.want) > 0) || !slices.Equal(all.Ports(), tt.want) || !slices.Equal(s.served, tt.want) {
				t.Errorf("made again: %v; served are %v, here %v", again, all.Ports(), s.served)
			}
			if one.Unreached() && len(tt.start) == 0 {
				t.Error("the same port was learned twice")
			}
		})
	}
}

// The list has an end, and after the first session nothing gets into it.
func TestBounds(t *testing.T) {
	var all Services
	s := &server{}
	one := all.Of(s, s, s.waiting)
	for port := range uint16(20) {
		one.Calling()
		s.refused = append(s.refused, 7000+port)
		if one.Unreached() != (port < 8) {
			t.Errorf("the %d. port", port+1)
		}
	}
	var frozen Services
	frozen.Freeze()
	other := frozen.Of(s, s, s.waiting)
	if other.Calling(); other.Unreached() || len(frozen.Ports()) > 0 {
		t.Error("something was learned too late")
	}
}

// What a server wanted when it started is there when it is started again, a few times.
func TestAgain(t *testing.T) {
	var all Services
	s := &server{refused: []uint16{5432}}
	if all.Of(s, s, s.waiting).Again(false) || len(all.Ports()) > 0 {
		t.Error("a server that works is started again")
	}
	if !all.Of(s, s, s.waiting).Again(true) || !slices.Equal(all.Ports(), []uint16{5432}) {
		t.Error("a server that did not start is not started again")
	}
	fresh := &server{}
	if all.Of(fresh, fresh, fresh.waiting).Again(true) {
		t.Error("started again for nothing")
	}
	called := all.Of(s, s, s.waiting)
	if called.Calling(); !called.Again(false) || all.Of(s, s, s.waiting).Again(true) {
		t.Error("not two times")
	}
	if (*Start)(nil).Again(true) {
		t.Error("a later session is started again")
	}
}

// A port whose client is not understood is given up: the call is made again, and finds
// nobody as before.
func TestSilent(t *testing.T) {
	var all Services
	s := &server{}
	one := all.Of(s, s, s.waiting)
	one.Calling()
	s.refused = []uint16{9876}
	if !one.Unreached() || !slices.Equal(s.served, []uint16{9876}) {
		t.Fatalf("served are %v", s.served)
	}
	one.Calling()
	s.silent = []uint16{9876}
	if !one.Unreached() || len(s.served) > 0 {
		t.Errorf("served are %v", s.served)
	}
	one.Calling()
	s.refused = append(s.refused, 9876)
	if one.Unreached() || one.Again(true) || len(all.Ports()) > 0 {
		t.Errorf("learned again: %v", all.Ports())
	}
}
