package unmarked

import (
	"strings"

	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// maxLabel bounds a text beside an error that only says what the error is about.
// no gap: a longer one is a result
const maxLabel = 160

// members counts what the members of an object say.
type members struct {
	// denied are members that say in so many words that the call failed, such as
	// "success": false. failed are errors, and hinted what is one only where a
	// message is beside it: a job has the status "failed", too.
	denied, failed, hinted int
	// told are messages, small labels and numbers, large texts, lists and objects that
	// hold something, own what identifies a record.
	told, small, large, own int
	// fine is set if a member says that the call worked, marked if one is the mark that
	// belongs beside the text.
	fine, marked bool
}

// object reports whether the members of an object say that the call failed, and that
// there is nothing else. An element of a list is more likely to be a record of an error.
func (o *decision) object(object map[string]any, element bool) bool {
	var m members
	for name, v := range object {
		if isNothing(v) && v != false || o.repeated(name, v) {
			continue
		}
		o.member(&m, plainName(name), v)
	}
	switch {
	case m.marked:
		return true
	case m.fine || m.large > 0 || element && m.small > 0:
		return false
	case m.denied > 0:
		return true
	case m.failed > 0:
		return m.own == 0
	}
	return m.hinted > 0 && m.told > 0 && m.own+m.small == 0
}

// plainName returns the name of a member without its notation.
func plainName(name string) string {
	return strings.NewReplacer("_", "", "-", "", " ", "").Replace(strings.ToLower(name))
}

// member counts one member.
func (o *decision) member(m *members, name string, v any) {
	switch name {
	case "success", "ok", "succeeded", "successful", "issuccess":
		if yes, ok := v.(bool); ok && !yes {
			m.denied++
		} else {
			m.fine = true
		}
	case "iserror":
		m.marked = m.marked || v == true
	case "error", "err", "errormessage", "errmsg", "errordescription", "exception":
		o.fails(m, v)
	case "status", "object", "type", "code", "statuscode", "httpstatus", "errorcode", "resultcode":
		status(m, name, v)
	default:
		another(m, name, v)
	}
}

// fails counts a member that is called error.
func (o *decision) fails(m *members, v any) {
	switch v := v.(type) {
	case string:
		if !noError.MatchString(strings.TrimSpace(v)) && !o.repeats(v) {
			m.failed++
		}
	case bool:
		if v {
			m.hinted++
		}
	case map[string]any:
		var inner members
		for name, e := range v {
			switch name = plainName(name); {
			case isNothing(e):
			case name == "name":
				inner.told++ // of its class
			default:
				o.member(&inner, name, e)
			}
		}
		if inner.large+inner.own > 0 {
			m.large++ // the error is what was asked for
		} else if inner.told+inner.failed > 0 {
			m.failed++
		}
	default:
		m.own++ // how many there are, or which ones
	}
}

// noError matches what stands in a member called error if there is none.
var noError = lazyregexp.New(`(?i)^(?:none|null|nil|no|no errors?|false|ok|success|n/?a|undefined|0|-|)[.!]?$`)

// status counts a member that says how the call ended.
func status(m *members, name string, v any) {
	switch v := v.(type) {
	case string:
		switch strings.ToLower(v) {
		case "error", "failed", "failure", "fail":
			m.hinted++
		case "ok", "success", "succeeded", "done", "completed", "passed":
			m.fine = m.fine || name == "status"
		default:
			switch {
			case failedStatus.MatchString(v):
				m.hinted++
			case name == "status" && strings.ToUpper(v) != v:
				m.own++ // the state of something
			}
		}
	case float64:
		if v >= 400 && v < 600 {
			m.hinted++
		} else if v >= 200 && v < 300 {
			m.fine = true
		}
	}
}

// failedStatus is the status of a request that failed, as a text.
var failedStatus = lazyregexp.New(`^[45]\d\d$`)

// another counts a member that does not say whether the call failed.
func another(m *members, name string, v any) {
	switch {
	case about.MatchString(name):
		explains(m, v)
		return
	case record.MatchString(name):
		m.own++
	}
	switch v := v.(type) {
	case float64:
		m.own++
	case string:
		if len(v) > maxLabel || strings.Contains(v, "\n") {
			m.large++
		} else {
			m.small++
		}
	case []any, map[string]any:
		m.large++
	}
}

// explains counts a member beside an error that is about it.
func explains(m *members, v any) {
	switch v := v.(type) {
	case string:
		m.told++
	case []any:
		if isReport(v) {
			m.large++
		}
	}
}

var (
	// about are the members that explain an error, or repeat the call.
	about = lazyregexp.New(`^(?:message|msg|details?|reason|cause|description|explanation|hints?|suggestions?|suggested\w*|help\w*|title|tips?|solution|usage|note|errors?|stack|stacktrace|traceback|trace|requestid|traceid|documentationurl|docs?|errortype|errorclass|errordetails?|errorname|param|field|tool|toolname|action|operation|function|method|next\w*|troubleshooting|` +
		`elapsed\w*|duration\w*|took|timems|durationms|attempts?|retry\w*|retries|version|server|provider|source|input|inputs|received|args|arguments|params|parameters|request|query|(?:available|valid|allowed|supported|accepted|possible|expected|required|missing|example)\w*)$`)
	// record are the members of things that have a life of their own.
	record = lazyregexp.New(`^(?:id|name|state|level|severity|line|column|row|file|filename|event|progress|exitcode|returncode|stdout|stderr|output|(?:created|updated|started|finished|ended|completed)\w*)$`)
	// position are the members of what a linter reports.
	position = lazyregexp.New(`^(?:line|column|row|offset|start|end|severity|rule|ruleid|file|filename|location|loc)$`)
)

// isReport tells whether a list is what a tool found in something that it was given.
func isReport(list []any) bool {
	for _, e := range list {
		if object, ok := e.(map[string]any); ok {
			for name := range object {
				if position.MatchString(plainName(name)) {
					return true
				}
			}
		}
	}
	return false
}
