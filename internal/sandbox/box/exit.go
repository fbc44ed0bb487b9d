package box

// Exit says how the server's first process ended.
type Exit struct {
	// Known is false while it runs, and if the sandbox ended without telling.
	Known  bool
	Code   int
	Signal int
	// Error is set when the sandbox itself failed.
	Error string
	// Limit names the limit by which the supervisor ended the sandbox, Max is
	// its size and Value what was measured.
	Limit      string
	Max, Value int64
}
