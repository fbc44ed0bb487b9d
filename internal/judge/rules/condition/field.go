package condition

import (
	"slices"

	"github.com/mcpsf/mcpsf/internal/judge/rules/event"
)

// Fields returns all fields that conditions can name, by topic.
func Fields() []Field {
	return slices.Concat(
		originWords(),
		fileWords(),
		processWords(),
		netWords(),
		requestWords(),
		leakWords(),
		detailWords(),
		messageFieldWords(),
		changeWords(),
		attackWords(),
		checkWords(),
	)
}

// originWords describe when something happened, who did it, and its subject.
func originWords() []Field {
	return []Field{
		{`Kind`, "the kind of the event or fact, as it stands in `kinds` and `facts`", `Kind == "file.open"`, func(f *event.Fields) string { return f.Kind }},
		{`Phase`, "the phase of the run: `inspect`, `install`, `start`, `drive`, `attack`, `idle` or `stop`", `Phase != "install"`, func(f *event.Fields) string { return f.Phase }},
		{`Call`, "the id of the call that the event belongs to, `\"\"` if it belongs to none", `Call == ""`, func(f *event.Fields) string { return f.Call }},
		{`Method`, `the MCP method of that call, or of the message itself`, `Method == "tools/call"`, func(f *event.Fields) string { return f.Method }},
		{`Tool`, `the tool of that call`, `Tool == "read_file"`, func(f *event.Fields) string { return f.Tool }},
		{`Proc`, `the name of the process, which it can choose`, `Proc == "node"`, func(f *event.Fields) string { return f.Proc }},
		{`Program`, `the file that the process was executed from, which it cannot choose`, `Program == "/usr/bin/node"`, func(f *event.Fields) string { return f.Program }},
		{`Server`, `true for the first process of the sandbox`, `Server`, func(f *event.Fields) bool { return f.Server }},
		{`Pending`, `true while the call has no response yet`, `Pending`, func(f *event.Fields) bool { return f.Pending }},
		{`Subject`, `what the event is about: the path, the program, the address, the name`, `Subject == "/etc/passwd"`, func(f *event.Fields) string { return f.Subject }},
		{`Error`, "why it failed, `\"\"` if it did not", `Error == ""`, func(f *event.Fields) string { return f.Error }},
	}
}

// fileWords describe a file.
func fileWords() []Field {
	return []Field{
		{`Path`, `the file or program; of a leak its source`, `Path == "/etc/passwd"`, func(f *event.Fields) string { return f.Path }},
		{`To`, `the new name of a file, or where something went`, `isPersistencePath(To)`, func(f *event.Fields) string { return f.To }},
		{`Flags`, "how a file was opened: `r` read, `w` write, `c` create, `t` truncate, `a` append, `d` directory", `Flags contains "w"`, func(f *event.Fields) string { return f.Flags }},
		{`Changed`, `true if the event altered the file system`, `Changed`, func(f *event.Fields) bool { return f.Changed }},
		{`Destroyed`, `true if it took away or replaced content that was there`, `Destroyed`, func(f *event.Fields) bool { return f.Destroyed }},
		{`Runnable`, `true if the new mode of the file lets it be executed`, `Runnable`, func(f *event.Fields) bool { return f.Runnable }},
		{`OpenToAll`, `true if the new mode lets everybody write`, `OpenToAll`, func(f *event.Fields) bool { return f.OpenToAll }},
		{`Decoy`, "the kind of the decoy that the subject is, `\"\"` if it is none", `Decoy == "document"`, func(f *event.Fields) string { return f.Decoy }},
	}
}

// processWords describe a process that starts or ends.
func processWords() []Field {
	return []Field{
		{`Args`, `the command line, at most 64 words of it`, `any(Args, # == "--no-sandbox")`, func(f *event.Fields) []string { return f.Args }},
		{`Memory`, `true if the program was executed from memory and not from a file`, `Memory`, func(f *event.Fields) bool { return f.Memory }},
		{`Thread`, `true if it is a thread`, `Thread`, func(f *event.Fields) bool { return f.Thread }},
		{`Code`, `the exit code`, `Code != 0`, func(f *event.Fields) int { return f.Code }},
		{`Signal`, `the signal that ended the process`, `Signal == "SIGSEGV"`, func(f *event.Fields) string { return f.Signal }},
		{`Remote`, `the connection that a program has as its input or output`, `Remote != ""`, func(f *event.Fields) string { return f.Remote }},
	}
}

// netWords describe the host that was contacted.
func netWords() []Field {
	return []Field{
		{`Reach`, "where an address leads: `unix`, `loopback`, `any` or `remote`", `Reach == "remote"`, func(f *event.Fields) string { return f.Reach }},
		{`Address`, `the address`, `Address == "127.0.0.1"`, func(f *event.Fields) string { return f.Address }},
		{`Port`, `the port`, `Port == 22`, func(f *event.Fields) int { return f.Port }},
		{`Host`, `the name that was spoken to, or the address where there was none`, `Host == "api.github.com"`, func(f *event.Fields) string { return f.Host }},
		{`Domain`, `the part of the host that one owner has`, `Domain == "github.com"`, func(f *event.Fields) string { return f.Domain }},
		{`Class`, "what a well-known host is there for: `telemetry`, `registry`, `request catcher`, `tunnel`, `paste or file drop`, `chat room`, `onion service`, `public resolver`", `Class == "telemetry"`, func(f *event.Fields) string { return f.Class }},
		{`Resolver`, `true for a connection to the resolver of the machine itself`, `!Resolver`, func(f *event.Fields) bool { return f.Resolver }},
		{`Unseen`, "true for a connection of which the network itself tells more: look at `net.flow`", `!Unseen`, func(f *event.Fields) bool { return f.Unseen }},
		{`Registry`, `true for what an installation has to speak to: the resolver and the gateway to the package registries`, `!Registry`, func(f *event.Fields) bool { return f.Registry }},
	}
}

// requestWords describe a request to a host.
func requestWords() []Field {
	return []Field{
		{`Verb`, `the method of an HTTP request`, `Verb == "POST"`, func(f *event.Fields) string { return f.Verb }},
		{`URL`, `its address`, `URL contains "/upload"`, func(f *event.Fields) string { return f.URL }},
		{`Status`, `the status of the answer`, `Status == 200`, func(f *event.Fields) int { return f.Status }},
		{`Service`, `the protocol that was spoken`, `Service == "smtp"`, func(f *event.Fields) string { return f.Service }},
		{`Sent`, `how many bytes went out`, `Sent > 1000`, func(f *event.Fields) int { return int(f.Sent) }},
		{`Rejected`, `why TLS failed`, `Rejected != ""`, func(f *event.Fields) string { return f.Rejected }},
		{`Recipients`, `mail addresses in a request or mail that nobody gave`, `len(Recipients) > 0`, func(f *event.Fields) []string { return f.Recipients }},
		{`Proposed`, `mail addresses that only the schema of the tool gave`, `len(Proposed) > 0`, func(f *event.Fields) []string { return f.Proposed }},
	}
}

// leakWords describe known data that was found in outgoing data.
func leakWords() []Field {
	return []Field{
		{`Planted`, `true for a decoy: a secret that was planted`, `Planted`, func(f *event.Fields) bool { return f.Planted }},
		{`Given`, `true for what the caller gave`, `Given`, func(f *event.Fields) bool { return f.Given }},
		{`Configured`, `true for what the server was started with`, `Configured`, func(f *event.Fields) bool { return f.Configured }},
		{`Belongs`, `true if it goes to the service it is for`, `!Belongs`, func(f *event.Fields) bool { return f.Belongs }},
		{`Outside`, `true if it goes over the network`, `Outside`, func(f *event.Fields) bool { return f.Outside }},
		{`Writes`, `true if it is not merely part of an address: a body went out`, `Writes`, func(f *event.Fields) bool { return f.Writes }},
		{`Hidden`, `true if it was encoded on purpose`, `Hidden`, func(f *event.Fields) bool { return f.Hidden }},
		{`Channel`, "how it left: `http`, `dns`, `smtp`, `tcp`, `udp`, `mcp`, `stderr`, `file` or `arguments`", `Channel == "dns"`, func(f *event.Fields) string { return f.Channel }},
		{`Part`, `the part of the request, message or text`, `Part == "body"`, func(f *event.Fields) string { return f.Part }},
		{`Encoding`, `how it was encoded`, `Encoding contains "base64"`, func(f *event.Fields) string { return f.Encoding }},
		{`Variable`, `the name of an environment variable; of what is sent, one that was read before by name, unexplained, and is for another service`, `Variable == "AWS_SECRET_ACCESS_KEY"`, func(f *event.Fields) string { return f.Variable }},
		{`Documented`, `true if the documentation of the package mentions that variable`, `Variable != "" && !Documented`, func(f *event.Fields) bool { return f.Documented }},
		{`FolderSecret`, `of what is sent, a decoy that was read before in a folder that the caller named`, `FolderSecret != ""`, func(f *event.Fields) string { return f.FolderSecret }},
		{`Document`, `of what is sent, a document of the user that was read before and that nobody named`, `Document != ""`, func(f *event.Fields) string { return f.Document }},
		{`SecretFile`, `of what is sent, a decoy that was read before, unexplained or by habit of a library`, `SecretFile != ""`, func(f *event.Fields) string { return f.SecretFile }},
		{`Opaque`, `of what is sent, how many random bytes it has that no argument, no configuration and no earlier answer contains`, `Opaque >= 64`, func(f *event.Fields) int { return int(f.Opaque) }},
		{`OpaqueTotal`, `how many the domain got since the server was started, these included`, `OpaqueTotal >= 48`, func(f *event.Fields) int { return int(f.OpaqueTotal) }},
		{`All`, `true if all variables were read at once, or had been when something was sent`, `All`, func(f *event.Fields) bool { return f.All }},
	}
}
