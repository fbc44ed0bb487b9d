package llm

// limits bound the memory that a provider's answer takes.
type limits struct {
	stream    int64 // bytes of a complete answer
	event     int   // bytes of one event
	text      int   // bytes of text, and of thinking
	calls     int
	arguments int // bytes, of all calls together
	name      int // bytes, longer than any name
	depth     int // of JSON
	failure   int64
}

func defaultLimits() limits {
	return limits{
		stream: 32 << 20, event: 4 << 20, text: 1 << 20, calls: 64, arguments: 1 << 20,
		name: 256, depth: 100, failure: 64 << 10,
	}
}
