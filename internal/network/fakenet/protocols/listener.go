package protocols

import (
	"context"

	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// Syslog lines, with or without a length in front, and metrics.
var (
	logLine = lazyregexp.New(`^(?:\d{1,6} )?<\d{1,3}>`)
	metric  = lazyregexp.New(`^[\w.-]{1,200}:[-+0-9.]{1,40}\|(?:c|g|ms|h|s|d)\b`)
)

func unknown() speaker { return listener("", nil) }

func syslog() speaker { return listener("syslog", logLine) }

func statsd() speaker { return listener("statsd", metric) }

// listener is a protocol in which the server sends nothing.
func listener(name string, opening *lazyregexp.Regexp) speaker {
	return speaker{
		name: name,
		match: func(first []byte) match {
			if opening != nil && opening.Match(first) {
				return yes
			}
			return no
		},
		serve: func(context.Context, *wire) error { return errStray },
	}
}
