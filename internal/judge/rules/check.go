package rules

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/mcpsf/mcpsf"
)

// maxText bounds each text of a rule; maxWhen its condition.
const (
	maxText = 4000
	maxWhen = 4000
)

var kebab = regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`)

// rule checks the document and compiles it.
func (p *parser) rule(doc *document) *rule {
	p.checkTexts(doc)
	p.checkGrades(doc)
	p.checkMaps(doc.Maps)
	r := &rule{
		Rule: Rule{
			ID: doc.ID, Title: doc.Title,
			Severity: doc.Severity, Grade: doc.Grade, Weight: doc.Weight,
			Kinds: doc.Kinds, Facts: doc.Facts,
			Rationale: strings.TrimSpace(doc.Rationale),
			Maps:      doc.Maps,
		},
		file:  p.file,
		group: p.groupBy(doc.Group),
		count: p.countOf(doc),
	}
	p.form(doc, r)
	r.message = p.messageOf("message", doc.Message, r.chain)
	if r.advice = p.messageOf("remediation", strings.TrimSpace(doc.Remediation), r.chain); r.advice != nil {
		r.Remediation = r.advice.general()
	}
	r.keepSteps(r.message)
	r.keepSteps(r.advice)
	if !p.untested {
		r.tests = p.testsOf(doc.Tests)
	}
	return r
}

// keepSteps has the events kept that a text tells of.
func (r *rule) keepSteps(m *message) {
	if r.chain == nil || m == nil {
		return
	}
	for _, i := range m.steps {
		r.chain.steps[i].kept = true
	}
}

// form compiles what the rule looks at: events one by one, a sequence of them,
// or facts.
func (p *parser) form(doc *document, r *rule) {
	forms := 0
	for _, key := range []string{"kinds", "sequence", "facts"} {
		if p.keys[key] != nil {
			forms++
		}
	}
	if forms > 1 {
		p.problem(p.at("id"), "a rule has either kinds or a sequence or facts; make two rules of it")
		return
	}
	if doc.Sequence != nil {
		if doc.When != "" {
			p.problem(p.at("when"), "when: in a sequence every step has its own, move it there")
		}
		r.chain = p.sequence(doc.Sequence)
		for _, s := range r.chain.steps {
			r.Kinds = append(r.Kinds, s.kinds...)
		}
		slices.Sort(r.Kinds)
		r.Kinds = slices.Compact(r.Kinds)
		return
	}
	if strings.TrimSpace(doc.When) == "" {
		p.problem(p.at("when"), "when is missing")
	}
	if p.keys["facts"] != nil {
		p.checkFacts(doc.Facts)
	} else {
		p.checkKinds(doc.Kinds, p.at("kinds"))
	}
	r.when = p.compile(doc.When, p.keys["when"], nil)
}

func (p *parser) checkTexts(doc *document) {
	if !kebab.MatchString(doc.ID) {
		p.problem(p.at("id"), "id %q must be words in lower case joined by hyphens", doc.ID)
	} else if name := strings.TrimSuffix(p.file, path.Ext(p.file)); name != doc.ID {
		p.problem(p.at("id"), "id %q and the file's name must be the same", doc.ID)
	}
	texts := []struct{ key, value string }{
		{"title", doc.Title}, {"message", doc.Message}, {"rationale", doc.Rationale}, {"remediation", doc.Remediation},
	}
	for _, t := range texts {
		switch {
		case strings.TrimSpace(t.value) == "":
			p.problem(p.at(t.key), "%s is missing", t.key)
		case len(t.value) > maxText:
			p.problem(p.at(t.key), "%s is longer than %d bytes", t.key, maxText)
		}
	}
}

func (p *parser) checkGrades(doc *document) {
	if _, ok := severityRank(doc.Severity); !ok {
		p.problem(p.at("severity"), "severity %q must be info, low, medium, high or critical", doc.Severity)
	}
	switch doc.Grade {
	case mcpsf.GradeProved, mcpsf.GradeAttempted, mcpsf.GradeSuspected:
	default:
		p.problem(p.at("grade"), "grade %q must be proved, attempted or suspected", doc.Grade)
	}
	if doc.Weight < 0 || doc.Weight > 100 {
		p.problem(p.at("weight"), "weight %d must be between 0 and 100", doc.Weight)
	}
	if doc.Severity == mcpsf.SeverityInfo && doc.Weight != 0 {
		p.problem(p.at("weight"), "severity info never raises the score: weight must be 0")
	}
}

func (p *parser) checkKinds(kinds []mcpsf.Kind, at int) {
	if len(kinds) == 0 {
		p.problem(at, "kinds is missing: name the kinds of events the rule looks at")
	}
	for i, k := range kinds {
		if !knownKind(k) {
			p.problem(at, "kinds: there is no kind %q", k)
		}
		if slices.Contains(kinds[:i], k) {
			p.problem(at, "kinds: %q stands there twice", k)
		}
	}
}

func (p *parser) checkFacts(kinds []string) {
	if len(kinds) == 0 {
		p.problem(p.at("facts"), "facts is empty: name the kinds of facts the rule looks at")
	}
	for _, k := range kinds {
		if !factKind.MatchString(k) {
			p.problem(p.at("facts"), "facts: a kind is words joined by dots such as manifest.script, not %q", k)
		}
	}
}

// groupBy defaults to tool and subject; an explicit empty list makes all hits
// of a run one finding.
func (p *parser) groupBy(group []string) []string {
	if n := p.keys["group"]; n == nil || n.Kind == yaml.ScalarNode {
		return []string{"tool", "subject"}
	}
	for _, g := range group {
		p.checkField("group", g)
	}
	return group
}

func (p *parser) countOf(doc *document) count {
	if doc.Count == nil {
		return count{Min: 1}
	}
	c := *doc.Count
	if c.Min < 1 || (c.Max != 0 && c.Max < c.Min) || c.Max > maxDistinct || c.Min > maxDistinct {
		p.problem(p.at("count"), "count: min must be at least 1, max not below it, both at most %d", maxDistinct)
	}
	if c.Distinct != "" {
		p.checkField("count", c.Distinct)
	}
	if c.Per != "" {
		c.per = p.seconds("count: per", c.Per, p.at("count"), "")
		switch {
		case c.Min < 2 || c.Max != 0:
			p.problem(p.at("count"), "count: per goes with a min of at least 2 and without max")
		case doc.Facts != nil:
			p.problem(p.at("count"), "count: facts have no time, leave out per")
		}
	}
	return c
}

func (p *parser) checkField(key, name string) {
	if !slices.Contains(groupFields(), name) {
		p.problem(p.at(key), "%s: %q must be one of %s", key, name, strings.Join(groupFields(), ", "))
	}
}

// severityRank orders the severities, info being 0.
func severityRank(s mcpsf.Severity) (int, bool) {
	i := slices.Index([]mcpsf.Severity{
		mcpsf.SeverityInfo, mcpsf.SeverityLow, mcpsf.SeverityMedium,
		mcpsf.SeverityHigh, mcpsf.SeverityCritical,
	}, s)
	return i, i >= 0
}

func knownKind(k mcpsf.Kind) bool {
	switch k {
	case mcpsf.KindProcessExec, mcpsf.KindProcessFork, mcpsf.KindProcessExit,
		mcpsf.KindFileOpen, mcpsf.KindFileRead, mcpsf.KindFileWrite, mcpsf.KindFileDelete,
		mcpsf.KindFileRename, mcpsf.KindFileChmod, mcpsf.KindFileLink, mcpsf.KindFileCreate,
		mcpsf.KindFileStat, mcpsf.KindNetConnect, mcpsf.KindNetListen, mcpsf.KindNetDNS, mcpsf.KindNetHTTP,
		mcpsf.KindNetTLS, mcpsf.KindNetSMTP, mcpsf.KindNetFlow, mcpsf.KindNetQuery, mcpsf.KindEnvRead, mcpsf.KindCanaryLeak, mcpsf.KindExecProof,
		mcpsf.KindMCPRequest, mcpsf.KindMCPResponse, mcpsf.KindMCPNotification,
		mcpsf.KindMCPMalformed, mcpsf.KindMCPStderr, mcpsf.KindMCPText, mcpsf.KindMCPChanged, mcpsf.KindMCPDisruption, mcpsf.KindAgentAction, mcpsf.KindRemoteCheck, mcpsf.KindCanaryRead,
		mcpsf.KindArchiveRefused, mcpsf.KindPrivilegeAttempt, mcpsf.KindProbeSandbox, mcpsf.KindLimitHit,
		mcpsf.KindSandboxStart, mcpsf.KindSandboxStop, mcpsf.KindSandboxError:
		return true
	}
	return false
}
