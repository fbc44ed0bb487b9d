package rulefile

import (
	"path"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/rules/event"
	"github.com/mcpsf/mcpsf/internal/judge/rules/message"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// maxText bounds each text of a rule, maxWhen its condition.
// no gap: bounds a rule that its author wrote; more is an error
const (
	maxText = 4000
	maxWhen = 4000
	// MaxDistinct bounds the number of different values that a rule counts.
	MaxDistinct = 1000
)

var kebab = lazyregexp.New(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`)

// rule checks the document and compiles it.
func (p *parser) rule(doc *document) *Compiled {
	p.checkTexts(doc)
	p.checkGrades(doc)
	p.checkMaps(doc.Maps)
	r := &Compiled{
		Rule: Rule{
			ID: doc.ID, Title: doc.Title, Category: doc.Category,
			Severity: doc.Severity, Grade: doc.Grade, Weight: doc.Weight,
			Kinds: doc.Kinds, Facts: doc.Facts,
			Rationale: strings.TrimSpace(doc.Rationale),
			Maps:      doc.Maps,
		},
		File:  p.file,
		Group: p.groupBy(doc.Group),
		Count: p.countOf(doc),
	}
	p.form(doc, r)
	r.Covers = p.covers(doc)
	r.Message = p.message("message", doc.Message, r.Chain)
	if r.Advice = p.message("remediation", strings.TrimSpace(doc.Remediation), r.Chain); r.Advice != nil {
		r.Remediation = r.Advice.General()
	}
	r.keepSteps(r.Message)
	r.keepSteps(r.Advice)
	if !p.untested {
		r.Tests = p.testsOf(doc.Tests)
	}
	return r
}

// keepSteps marks the steps whose events a text refers to, so that they are kept.
func (r *Compiled) keepSteps(m *message.Message) {
	if r.Chain == nil || m == nil {
		return
	}
	for _, i := range m.Steps {
		r.Chain.Steps[i].Kept = true
	}
}

// message compiles a message or a remediation, which may refer to the steps of a
// sequence.
func (p *parser) message(key, text string, c *Sequence) *message.Message {
	if text == "" {
		return nil
	}
	var steps []string
	if c != nil {
		for _, s := range c.Steps {
			steps = append(steps, s.Name)
		}
	}
	m, err := message.Compile(key, text, steps)
	if err != nil {
		p.problem(p.at(key), "%v", err)
	}
	return m
}

// form compiles what the rule examines: single events, a sequence of events, or
// facts.
func (p *parser) form(doc *document, r *Compiled) {
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
		r.Chain = p.sequence(doc.Sequence)
		for _, s := range r.Chain.Steps {
			r.Kinds = append(r.Kinds, s.Kinds...)
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
	r.When = p.compile(doc.When, p.keys["when"], nil)
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
	switch doc.Category {
	case mcpsf.CategoryBehaviour, mcpsf.CategoryWeakness:
	default:
		p.problem(p.at("category"), "category %q must be behaviour (the server attacks its user) or weakness (it can be attacked)", doc.Category)
	}
	if _, ok := SeverityRank(doc.Severity); !ok {
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
		if !KnownKind(k) {
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

// groupBy defaults to tool and subject. An explicit empty list makes all hits of
// a run one finding.
func (p *parser) groupBy(group []string) []string {
	if n := p.keys["group"]; n == nil || n.Kind == yaml.ScalarNode {
		return []string{"tool", "subject"}
	}
	for _, g := range group {
		p.checkField("group", g)
	}
	return group
}

func (p *parser) countOf(doc *document) Count {
	if doc.Count == nil {
		return Count{Min: 1}
	}
	c := *doc.Count
	if c.Min < 1 || (c.Max != 0 && c.Max < c.Min) || c.Max > MaxDistinct || c.Min > MaxDistinct {
		p.problem(p.at("count"), "count: min must be at least 1, max not below it, both at most %d", MaxDistinct)
	}
	if c.Distinct != "" {
		p.checkField("count", c.Distinct)
	}
	if c.Per != "" {
		c.Seconds = p.seconds("count: per", c.Per, p.at("count"), "")
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
	if !slices.Contains(event.GroupFields(), name) {
		p.problem(p.at(key), "%s: %q must be one of %s", key, name, strings.Join(event.GroupFields(), ", "))
	}
}

// SeverityRank orders the severities; info is 0.
func SeverityRank(s mcpsf.Severity) (int, bool) {
	i := slices.Index([]mcpsf.Severity{
		mcpsf.SeverityInfo, mcpsf.SeverityLow, mcpsf.SeverityMedium,
		mcpsf.SeverityHigh, mcpsf.SeverityCritical,
	}, s)
	return i, i >= 0
}

// GradeRank orders the grades; the least certain is 0.
func GradeRank(g mcpsf.Grade) int {
	return slices.Index([]mcpsf.Grade{mcpsf.GradeSuspected, mcpsf.GradeAttempted, mcpsf.GradeProved}, g)
}

// KnownKind tells whether there are events of a kind.
func KnownKind(k mcpsf.Kind) bool {
	switch k {
	case mcpsf.KindProcessExec, mcpsf.KindProcessFork, mcpsf.KindProcessExit,
		mcpsf.KindFileOpen, mcpsf.KindFileRead, mcpsf.KindFileWrite, mcpsf.KindFileDelete,
		mcpsf.KindFileRename, mcpsf.KindFileChmod, mcpsf.KindFileLink, mcpsf.KindFileCreate,
		mcpsf.KindFileStat, mcpsf.KindNetConnect, mcpsf.KindNetListen, mcpsf.KindNetDNS, mcpsf.KindNetHTTP,
		mcpsf.KindNetTLS, mcpsf.KindNetSMTP, mcpsf.KindNetFlow, mcpsf.KindNetQuery, mcpsf.KindEnvRead, mcpsf.KindCanaryLeak, mcpsf.KindExecProof,
		mcpsf.KindMCPRequest, mcpsf.KindMCPResponse, mcpsf.KindMCPNotification,
		mcpsf.KindMCPMalformed, mcpsf.KindMCPStderr, mcpsf.KindMCPText, mcpsf.KindMCPChanged, mcpsf.KindMCPDisruption, mcpsf.KindSecretFlow, mcpsf.KindAgentAction, mcpsf.KindRemoteCheck, mcpsf.KindCanaryRead,
		mcpsf.KindArchiveRefused, mcpsf.KindPrivilegeAttempt, mcpsf.KindProbeSandbox, mcpsf.KindLimitHit,
		mcpsf.KindSandboxStart, mcpsf.KindSandboxStop, mcpsf.KindSandboxError, mcpsf.KindRunDigest:
		return true
	}
	return false
}

var factKind = lazyregexp.New(`^[a-z][a-z0-9-]*(\.[a-z][a-z0-9-]*)+$`)
