package rulefile

// Join is the value that the events of a sequence have in common.
type Join string

// joins lists all joins.
func joins() []Join {
	return []Join{JoinProcess, JoinFile, JoinFlow, JoinHost, JoinCanary, JoinCall, JoinTool, JoinNone}
}

// The joins. A flow is a host and a port.
const (
	JoinProcess Join = "process"
	JoinFile    Join = "file"
	JoinFlow    Join = "flow"
	JoinHost    Join = "host"
	JoinCanary  Join = "canary"
	JoinCall    Join = "call"
	JoinTool    Join = "tool"
	JoinNone    Join = "none"
)
