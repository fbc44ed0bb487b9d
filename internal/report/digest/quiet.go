package digest

import (
	"strings"

	"github.com/mcpsf/mcpsf"
)

// Unspoken is the folded name of events that the timeline never counts, because
// the group's heading already shows them.
const Unspoken = "the conversation itself"

// dnsPort is the port of name servers.
const dnsPort = 53

// Quiet names the count that an unremarkable event is added to, "" if it gets
// its own line. It is not called for events that prove a finding.
func Quiet(e *mcpsf.Event, call string) string {
	switch e.Kind {
	case mcpsf.KindProcessFork:
		if e.Process != nil && e.Process.Thread {
			return "thread{s}"
		}
		return "fork{s}"
	case mcpsf.KindProcessExec:
		if e.Process != nil && e.Process.Error == "ENOENT" {
			return "lookup{s} of missing programs" // the search along PATH
		}
	case mcpsf.KindNetConnect, mcpsf.KindNetTLS, mcpsf.KindNetFlow:
		return quietNet(e)
	case mcpsf.KindEnvRead:
		if e.Env != nil && e.Env.Canary == "" {
			return "read{s} of variables"
		}
	case mcpsf.KindSandboxStop, mcpsf.KindRunDigest:
		return Unspoken
	case mcpsf.KindProcessExit:
		if e.Process == nil || e.Process.Thread || (e.Process.Code == 0 && e.Process.Signal == "") {
			return "orderly exit{s}"
		}
	case mcpsf.KindMCPResponse:
		if call != "" {
			return Unspoken
		}
	case mcpsf.KindMCPRequest:
		if call != "" && (e.MCP == nil || !e.MCP.FromServer) {
			return Unspoken
		}
	case mcpsf.KindMCPNotification:
		return "notification{s}"
	case mcpsf.KindFileStat:
		if e.File != nil && above(e.File.Path) {
			return "look{s} at the directories above its own"
		}
		return quietFile(e.File)
	case mcpsf.KindFileOpen, mcpsf.KindFileRead:
		return quietFile(e.File)
	case mcpsf.KindFileWrite, mcpsf.KindFileCreate, mcpsf.KindFileDelete, mcpsf.KindFileRename,
		mcpsf.KindFileChmod, mcpsf.KindFileLink:
		return quietChange(e.File)
	}
	return ""
}

// quietNet is for connections that other events describe better.
func quietNet(e *mcpsf.Event) string {
	switch {
	case e.TLS != nil && e.TLS.Rejected == "":
		return "TLS handshake{s}"
	case e.Flow != nil && (strings.HasSuffix(e.Flow.Service, "http") || e.Flow.Service == "dns"):
		return "end{s} of connections"
	case e.Kind != mcpsf.KindNetConnect || e.Net == nil:
		return ""
	case e.Net.Family == "unix" && e.Net.Error == "ENOENT":
		return "lookup{s} of missing sockets" // the C library looks for its cache
	case e.Net.Type == "dgram" || e.Net.Port == dnsPort:
		return "datagram socket{s}" // the resolver, and its check of addresses
	}
	return ""
}

// quietFile is for looking at files.
func quietFile(f *mcpsf.FileDetail) string {
	switch {
	case f == nil || f.Canary != "":
		return ""
	case strings.Contains(f.Flags, "w"):
		return quietChange(f)
	case f.Error == "ENOENT" || f.Error == "ENOTDIR":
		return "lookup{s} of missing files"
	case within(f.Path, mcpsf.WorkDir):
		return "read{s} of its own files"
	case within(f.Path, "/tmp"):
		return "read{s} of temporary files"
	case system(f.Path):
		return "read{s} of system files"
	}
	return ""
}

// quietChange is for changing files.
func quietChange(f *mcpsf.FileDetail) string {
	switch {
	case f == nil || f.Canary != "":
		return ""
	case !within(f.Path, mcpsf.WorkDir) && !within(f.Path, "/tmp") && !within(f.Path, "/dev"):
		return ""
	case f.To != "" && !within(f.To, mcpsf.WorkDir) && !within(f.To, "/tmp"):
		return ""
	case within(f.Path, "/dev"):
		return "write{s} to devices"
	}
	return "change{s} to its own files"
}

func system(path string) bool {
	for _, dir := range []string{
		"/usr", "/lib", "/lib64", "/bin", "/sbin", "/opt", "/proc", "/sys", "/dev",
		"/etc/ssl", "/etc/ld.so.cache", "/etc/ld.so.preload", "/etc/localtime", "/etc/nsswitch.conf",
		"/etc/passwd", "/etc/group", "/etc/hosts", "/etc/host.conf", "/etc/resolv.conf",
	} {
		if within(path, dir) {
			return true
		}
	}
	return false
}

// above reports whether path is a parent of the server's own files: runtimes
// look at every part of their program's path.
func above(path string) bool {
	return path == "/" || within(mcpsf.WorkDir, path)
}

// more names the events of a kind beyond those shown.
func more(k mcpsf.Kind) string {
	what, ok := map[mcpsf.Kind]string{
		mcpsf.KindProcessExec:      "more program start{s}",
		mcpsf.KindProcessExit:      "more exit{s}",
		mcpsf.KindFileOpen:         "more opening{s} of files",
		mcpsf.KindFileRead:         "more read{s} of files",
		mcpsf.KindFileWrite:        "more write{s} to files",
		mcpsf.KindFileDelete:       "more deletion{s} of files",
		mcpsf.KindFileRename:       "more renaming{s} of files",
		mcpsf.KindFileChmod:        "more change{s} of file modes",
		mcpsf.KindFileLink:         "more link{s}",
		mcpsf.KindFileCreate:       "more new file{s} or directories",
		mcpsf.KindFileStat:         "more look{s} at files",
		mcpsf.KindNetConnect:       "more connection attempt{s}",
		mcpsf.KindNetListen:        "more listening socket{s}",
		mcpsf.KindMCPRequest:       "more request{s}",
		mcpsf.KindMCPResponse:      "more response{s}",
		mcpsf.KindMCPMalformed:     "more line{s} that are not MCP",
		mcpsf.KindMCPStderr:        "more line{s} on stderr",
		mcpsf.KindCanaryRead:       "more read{s} of decoys",
		mcpsf.KindPrivilegeAttempt: "more attempt{s} at privileges",
		mcpsf.KindProbeSandbox:     "more look{s} for a sandbox",
		mcpsf.KindLimitHit:         "more limit{s} reached",
	}[k]
	if !ok {
		return "more event{s} of kind " + string(k)
	}
	return what
}

func within(path, dir string) bool {
	return path == dir || strings.HasPrefix(path, dir+"/")
}
