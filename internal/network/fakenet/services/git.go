package services

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
)

const (
	noCommit = "0000000000000000000000000000000000000000"
	flushPkt = "0000"
)

// git serves an empty repository at any path and accepts pushes.
func git(_ *Services, r *Request) *Answer {
	switch {
	case strings.HasSuffix(r.Path, "/info/refs"):
		return advertise(r.Query.Get("service"))
	case strings.HasSuffix(r.Path, "/git-upload-pack"):
		return gitAnswer("git-upload-pack-result", pkt("NAK\n"))
	case strings.HasSuffix(r.Path, "/git-receive-pack"):
		return gitAnswer("git-receive-pack-result", received(r.Kept))
	}
	return nil
}

func gitAnswer(kind, body string) *Answer {
	return of(http.StatusOK, "application/x-"+kind, []byte(body)).with("Cache-Control", "no-cache, max-age=0, must-revalidate")
}

func pkt(s string) string { return fmt.Sprintf("%04x%s", len(s)+4, s) }

func advertise(service string) *Answer {
	var can string
	switch service {
	case "git-upload-pack":
		can = "multi_ack thin-pack side-band side-band-64k ofs-delta shallow no-progress include-tag multi_ack_detailed allow-tip-sha1-in-want object-format=sha1 agent=git/2.43.0"
	case "git-receive-pack":
		can = "report-status delete-refs ofs-delta object-format=sha1 agent=git/2.43.0"
	default: // clients before 2010
		return of(http.StatusOK, "text/plain; charset=utf-8", nil)
	}
	return gitAnswer(service+"-advertisement", pkt("# service="+service+"\n")+flushPkt+pkt(noCommit+" capabilities^{}\x00"+can+"\n")+flushPkt)
}

// received accepts every update of a push: lines of "OLD NEW REF" up to the
// flush packet.
func received(body []byte) string {
	var b strings.Builder
	b.WriteString(pkt("unpack ok\n"))
	for range 100 {
		if len(body) < 4 {
			break
		}
		size, err := strconv.ParseUint(string(body[:4]), 16, 16)
		if err != nil || size < 4 || int(size) > len(body) {
			break
		}
		command, _, _ := strings.Cut(string(body[4:size]), "\x00")
		if words := strings.Fields(command); len(words) == 3 {
			b.WriteString(pkt("ok " + words[2] + "\n"))
		}
		body = body[size:]
	}
	return b.String() + flushPkt
}
