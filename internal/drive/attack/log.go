package attack

import (
	"bytes"

	"github.com/mcpsf/mcpsf"
)

// ClassLog is the class whose sign appears in the server's log.
const ClassLog = "log-injection"

func logInjection() Class {
	return Class{
		ID:    ClassLog,
		Title: "A value forges lines of the log",
		Yield: kinds{
			"text": 30, "name": 35, "query": 30, "id": 25, "path": 25, "url": 20, "argument": 20, "unknown": 20, "email": 20, "host": 20, "command": 10,
		}.of,
		Payloads: logPayloads,
		Balanced: 1,
	}
}

func logPayloads(w *World, p Place) []Payload {
	ordinary := p.text()
	var all []Payload
	for i, f := range [][2]string{
		{"\n", "second line"},
		{"\r\n", "second line as Windows ends it"},
		{"\r", "line that is written over"},
		{"\u2028", "line separator"},
	} {
		marker := "2024-05-17T09:30:00Z INFO " + w.Word("log", i) + " signed in"
		// The text after the marker distinguishes a separate line from the
		// value repeated in quotes.
		all = append(all, Payload{Value: ordinary + f[0] + marker + f[0], Sign: mcpsf.SignEcho, Marker: marker, Why: f[1]})
	}
	return all
}

// logged reports whether one line of standard error begins with the marker.
func logged(marker string, line []byte) bool {
	for l := range bytes.SplitSeq(line, []byte("\n")) {
		if bytes.HasPrefix(bytes.TrimLeft(l, "\r\u2028"), []byte(marker)) {
			return true
		}
		if _, after, ok := bytes.Cut(l, []byte("\r")); ok && bytes.HasPrefix(after, []byte(marker)) {
			return true
		}
	}
	return false
}
