package rules

import "github.com/mcpsf/mcpsf"

// fillDisruption describes what a message did to the server.
func (f *fields) fillDisruption(d *mcpsf.DisruptionDetail) {
	f.What, f.Subject = string(d.What), string(d.What)
	f.Payload, f.Why, f.Asks = d.Message, d.Why, d.Asks
	f.Code, f.Signal, f.Seconds, f.Detail = d.Code, d.Signal, d.Seconds, d.Words
}
