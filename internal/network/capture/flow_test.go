package capture

import "testing"

func TestFlowIsTheSameBothWays(t *testing.T) {
	var table flows
	there := table.of(packet{proto: 6, src: inside(), dst: outside(), opens: true, isn: 1})
	back := table.of(packet{proto: 6, src: outside(), dst: inside()})
	if there != back || back.client != inside() {
		t.Errorf("the answer is in another flow, or its client is %v", back.client)
	}
	if other := table.of(packet{proto: 17, src: inside(), dst: outside()}); other == there {
		t.Error("another protocol is in the same flow")
	}
}

func TestFlowOpenedAgain(t *testing.T) {
	var table flows
	opening := packet{proto: 6, src: inside(), dst: outside(), opens: true, isn: 1}
	first := table.of(opening)
	if table.of(opening) != first {
		t.Error("a repeated opening is another flow")
	}
	opening.isn = 2
	again := table.of(opening)
	if again == first {
		t.Error("a second connection between the same ports is hidden in the first flow")
	}
	if table.of(packet{proto: 6, src: outside(), dst: inside()}) != again {
		t.Error("what follows is not in the second flow")
	}
}

func TestFlowsAreForgotten(t *testing.T) {
	var table flows
	busy := table.of(packet{proto: 17, src: inside(), dst: outside()})
	for i := range 5 * generation {
		to := port(outside(), i%65536)
		table.of(packet{proto: uint8(100 + i/65536), src: inside(), dst: to})
		if i%1000 == 0 && table.of(packet{proto: 17, src: outside(), dst: inside()}) != busy {
			t.Fatalf("a busy flow was forgotten after %d others", i)
		}
		if n := len(table.young) + len(table.old); n > 2*generation {
			t.Fatalf("%d flows are remembered", n)
		}
	}
}
