package main

import (
	"regexp"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// kind is a kind of reason why a tool did not work.
type kind string

// The kinds.
const (
	missingProgram kind = "missing program"
	browser        kind = "browser"
	service        kind = "service not reachable"
	credential     kind = "credential"
	poorAnswer     kind = "answer lacks something"
	badInput       kind = "input refused"
	crash          kind = "crash"
	timeout        kind = "timeout"
	notCalled      kind = "not called"
	other          kind = "other"
)

// kinds returns all kinds in the order of the page.
func kinds() []kind {
	return []kind{missingProgram, browser, service, credential, poorAnswer, badInput, crash, timeout, notCalled, other}
}

// How the help that mcpsf gives begins.
const (
	helpInstall  = "install "
	helpAccount  = "an account"
	helpVariable = "--env"
	helpService  = "a service"
)

// What refusals say. A list of what a validation library found is about the input
// if it says so; without that it is mostly what the code found in an answer.
var (
	saysBrowser    = regexp.MustCompile(`(?i)chrom(?:e|ium)|browserType|playwright install|browser (?:executable|is not installed|not found)|webdriver`)
	saysProgram    = regexp.MustCompile(`(?i)spawn \S+ ENOENT|command not found|: not found$|executable file not found|is not installed|not found (?:in|on) (?:your |the )?\$?PATH\b`)
	saysCredential = regexp.MustCompile(`(?i)\b40[13]\b|unauthori[sz]ed|forbidden|authenticat|\bapi[ _-]?key|access[ _-]?token|(?:invalid|missing|no|bearer|auth) token|credential|\blog(?:ged)? ?in\b`)
	saysService    = regexp.MustCompile(`(?i)ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ENETUNREACH|getaddrinfo|no such host|name or service not known|fetch failed|socket hang up|(?:fail\w*|unable|could not|cannot|can't) (?:to )?(?:connect|reach)|connect(?:ion)? ?(?:error|refused|reset|closed|failed)|network error|failed to make request|max retries`)
	saysTimeout    = regexp.MustCompile(`(?i)\btime(?:d[ -]?)?out\b|deadline exceeded`)
	saysOutput     = regexp.MustCompile(`(?i)output validation|structured (?:output|content)|outputSchema|(?:pars|decod|read)\w* (?:\w+ )?(?:api )?response`)
	saysArguments  = regexp.MustCompile(`(?i)-32602|input (?:validation )?error|invalid (?:arguments|params|parameters)|parameter validation|validation errors? for (?:call\[|\w+Arguments)`)
	saysAnswer     = regexp.MustCompile(`(?i)cannot read propert|\bundefined\b|is not (?:a function|iterable|an? (?:array|object))|NoneType|KeyError|IndexError|AttributeError|has no attribute|out of range|subscriptable|unexpected (?:token|end|content|response|status)|JSONDecode|expecting value|problem communicating|"code": ?"(?:invalid_|custom)|validation errors? for|\b(?:no|without) .*(?:results?|returned|found|response)\b`)
	saysInput      = regexp.MustCompile(`(?i)requires?d?\b|specify|\bmust\b|\bmissing\b|invalid|expected|\bprovide|unknown|unsupported|outside|not (?:found|supported|allowed|available|valid|exist|match)|does(?: not|n't) (?:exist|match)|no such|already exists|ENOENT|EISDIR|only supported|could not find|no pending`)
)

// kindOf sorts a tool that did not work by how its last call ended, by the help
// that mcpsf gives and, at last, by the words of its refusal. It is a guess where
// only words are left.
func kindOf(t *tool) kind {
	switch t.Failed {
	case "":
		return notCalled
	case mcpsf.CallCrashed:
		return crash
	case mcpsf.CallTimeout:
		return timeout
	}
	if k := byHelp(t.Help); k != "" {
		return k
	}
	return byWords(t.Reason)
}

// byHelp is the kind that mcpsf saw, "" for none.
func byHelp(help string) kind {
	switch {
	case strings.HasPrefix(help, helpInstall) && saysBrowser.MatchString(help):
		return browser
	case strings.HasPrefix(help, helpInstall):
		return missingProgram
	case strings.HasPrefix(help, helpAccount), strings.HasPrefix(help, helpVariable):
		return credential
	case strings.HasPrefix(help, helpService):
		return service
	}
	return ""
}

// byWords is the kind of the first words that are known.
func byWords(reason string) kind {
	for _, known := range []struct {
		words *regexp.Regexp
		kind  kind
	}{
		{saysOutput, poorAnswer},
		{saysArguments, badInput},
		{saysBrowser, browser},
		{saysProgram, missingProgram},
		{saysService, service},
		{saysCredential, credential},
		{saysTimeout, timeout},
		{saysAnswer, poorAnswer},
		{saysInput, badInput},
	} {
		if known.words.MatchString(reason) {
			return known.kind
		}
	}
	return other
}
