package box

// Exit is how the server's first process ended.
type Exit struct {
	// Known is false while it runs, and if the sandbox ended without reporting
	// it.
	Known  bool
	Code   int
	Signal int
	// Error is set when the sandbox itself failed.
	Error string
	// Limit names the limit for which the supervisor ended the sandbox, Max is
	// its size and Value the measured value.
	Limit      string
	Max, Value int64
}
