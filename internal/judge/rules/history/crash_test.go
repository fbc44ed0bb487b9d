package history

import (
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf/internal/judge/rules/programs"
)

func TestCrashIsAttributed(t *testing.T) {
	const (
		site = "/home/dev/code/server/.venv/lib/python3.11/site-packages"
		node = "/home/dev/code/server/node_modules"
	)
	for name, c := range map[string]struct{ printed, want string }{
		"nothing printed": {"", ""},
		"a group of exceptions ends in the SDK": {`  + Exception Group Traceback (most recent call last):
  |   File "/home/dev/code/server/server.py", line 9, in <module>
  |     asyncio.run(main())
  |   File "` + site + `/mcp/server/lowlevel/server.py", line 600, in run
  |     async with anyio.create_task_group() as tg:
  |   File "` + site + `/anyio/_backends/_asyncio.py", line 772, in __aexit__
  | ExceptionGroup: unhandled errors in a TaskGroup (1 sub-exception)
  +-+---------------- 1 ----------------
    | Traceback (most recent call last):
    |   File "` + site + `/mcp/shared/session.py", line 355, in _receive_loop
    |   File "` + site + `/pydantic/main.py", line 253, in model_validate
    | pydantic_core.ValidationError`, "mcp"},
		"one of the group ends in the server": {`  + Exception Group Traceback (most recent call last):
  |   File "` + site + `/mcp/server/lowlevel/server.py", line 600, in run
  | ExceptionGroup: unhandled errors
    | Traceback (most recent call last):
    |   File "` + site + `/mcp/shared/session.py", line 355, in _receive_loop
    |   File "` + site + `/my_server/tools.py", line 5, in find
    | KeyError: 'x'`, ""},
		"a library of the server's": {`Traceback (most recent call last):
  File "` + site + `/mcp/shared/session.py", line 355, in _receive_loop
  File "` + site + `/lxml/etree.py", line 1, in parse
ValueError`, ""},
		"Node's uncaught exception": {`node:internal/process/promises:394
TypeError: x
    at ReadBuffer.readMessage (file://` + node + `/@modelcontextprotocol/sdk/dist/esm/shared/stdio.js:20:31)
    at Socket.emit (node:events:524:28)`, "@modelcontextprotocol/sdk"},
		"the runtime alone": {"Error: write EPIPE\n    at afterWriteDispatched (node:internal/stream_base_commons:159:15)", ""},
	} {
		var crash Crashes
		for line := range strings.SplitSeq(c.printed, "\n") {
			crash.line(line)
		}
		if got := crash.sdk(); got != c.want {
			t.Errorf("%s: want %q, got %q from %q", name, c.want, got, crash.traces)
		}
	}
	if programs.SDKOf("/home/dev/code/server/mcp/server.py") != "" {
		t.Error("a folder of the server's counts as the SDK")
	}
}
