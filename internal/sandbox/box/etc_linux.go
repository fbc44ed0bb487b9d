package box

import (
	"fmt"
	"os"

	"github.com/mcpsf/mcpsf"
)

// Where programs look for trusted certificates, and where a company adds its
// own.
const (
	bundleFile = "/etc/ssl/certs/ca-certificates.crt"
	rootsFile  = "/usr/local/share/ca-certificates/internal-root.crt"
)

// trusting are the variables that name another certificate list to runtimes
// with their own.
func trusting() []string {
	return []string{
		"NODE_EXTRA_CA_CERTS=" + rootsFile, "SSL_CERT_FILE=" + bundleFile, "REQUESTS_CA_BUNDLE=" + bundleFile,
		"CURL_CA_BUNDLE=" + bundleFile, "GIT_SSL_CAINFO=" + bundleFile,
	}
}

// etcFiles is the synthetic /etc: one user and the files that programs read
// there.
func etcFiles(m machine, roots []byte, network, image bool) []File {
	resolver := "127.0.0.53" // where no server answers
	if network {
		resolver = mcpsf.NetRouter4
	}
	passwd := fmt.Sprintf("root:x:0:0:root:/root:/bin/bash\ndaemon:x:1:1:daemon:/usr/sbin:/usr/sbin/nologin\n"+
		"nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n%s:x:%d:%d:%s:%s:/bin/bash\n",
		mcpsf.User, mcpsf.UID, mcpsf.GID, "Dev", mcpsf.Home)
	group := fmt.Sprintf("root:x:0:\ndaemon:x:1:\nsudo:x:27:%s\nnogroup:x:65534:\n%s:x:%d:\n", mcpsf.User, mcpsf.User, mcpsf.GID)
	files := []File{
		{Path: "/etc/passwd", Mode: 0o644, Content: []byte(passwd)},
		{Path: "/etc/group", Mode: 0o644, Content: []byte(group)},
		{Path: "/etc/shadow", Mode: 0o640, Content: []byte("root:*:19700:0:99999:7:::\n" + mcpsf.User + ":!:19700:0:99999:7:::\n")},
		{Path: "/etc/hosts", Mode: 0o644, Content: []byte("127.0.0.1 localhost\n127.0.1.1 " + m.hostname + "\n::1 localhost ip6-localhost ip6-loopback\n")},
		{Path: "/etc/hostname", Mode: 0o644, Content: []byte(m.hostname + "\n")},
		{Path: "/etc/resolv.conf", Mode: 0o644, Content: []byte("nameserver " + resolver + "\noptions edns0 trust-ad\n")},
		{Path: "/etc/nsswitch.conf", Mode: 0o644, Content: []byte("passwd: files\ngroup: files\nshadow: files\nhosts: files dns\n")},
		{Path: "/etc/host.conf", Mode: 0o644, Content: []byte("multi on\n")},
		{Path: "/etc/machine-id", Mode: 0o444, Content: []byte(m.id + "\n")},
		{Path: "/etc/timezone", Mode: 0o644, Content: []byte("Etc/UTC\n")},
		{Path: "/etc/shells", Mode: 0o644, Content: []byte("/bin/sh\n/bin/bash\n")},
	}
	for i := range files {
		files[i].System = true
	}
	if len(roots) > 0 {
		files = append(files, File{Path: rootsFile, Mode: 0o644, Content: roots, System: true})
	}
	if image {
		return files
	}
	// Without it, runtimes compare every file of time zones there is.
	files = append(files, File{Path: "/etc/localtime", Link: "/usr/share/zoneinfo/Etc/UTC", System: true})
	// These describe the host's runtime, not its user, and the runtime needs
	// them unchanged.
	for _, path := range []string{"/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/os-release", "/etc/debian_version", bundleFile, "/etc/mime.types", "/etc/protocols", "/etc/services"} {
		if content, err := os.ReadFile(path); err == nil {
			if path == bundleFile {
				content = append(content, roots...)
			}
			files = append(files, File{Path: path, Mode: 0o644, Content: content, System: true})
		}
	}
	return files
}
