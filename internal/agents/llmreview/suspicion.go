package llmreview

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"unicode"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/safetext"
)

// gap: model-review
const (
	// maxSuspected bounds the suspicions of a report.
	maxSuspected = 12
	// leastQuote is the shortest quote that counts, in letters and digits;
	// maxQuote how much of it is reported.
	leastQuote = 6
	maxQuote   = 300
	// shingle is how many words in a row two texts share only if one copies the
	// other; maxShared bounds how many of a quote are compared.
	shingle, maxShared = 6, 80
)

// kind is what can be suspected. The titles are ours: a model chooses one and
// does not write its own.
type kind struct{ name, title string }

func kinds() []kind {
	return []kind{
		{"steers-the-model", "A text may be meant to steer a model"},
		{"asks-for-secrets", "A text may ask for what is secret"},
		{"misleads", "A description may not be true of what is done"},
		{"sends-data", "Data may go where the user does not expect it"},
		{"too-much-access", "More may be used than the purpose needs"},
		{"runs-code", "Code or commands may be run that the user does not see"},
		{"stays-behind", "Something may stay behind or change what others see"},
		{"other", "Something else may need a look"},
	}
}

func kindNames() []string {
	var names []string
	for _, k := range kinds() {
		names = append(names, k.name)
	}
	return names
}

func kindTitle(name string) string {
	all := kinds()
	for _, k := range all {
		if k.name == name {
			return k.title
		}
	}
	return all[len(all)-1].title
}

// addSuspicions keeps the suspicions whose quotes are found.
func (h *review) addSuspicions(a *ask, said *answer) {
	for i := range said.suspicions {
		if i == 2*maxSuspicions {
			h.out.Beyond += len(said.suspicions) - i
			return
		}
		s := &said.suspicions[i]
		b, text := a.at(s), plain(s.text, maxText)
		switch {
		case b == nil || b.of == ofAccess && h.material.access(b, quoted(s.quote)) == nil:
			h.out.Invented++
		case b.probe != nil: // suspecting a probe is right
		case h.material.repeats(b, quoted(s.quote)) || h.has(b, quoted(s.quote)):
			h.out.Repeated++
		case text == "" || a.mentionsProbe(text) || len(h.out.Suspicions) == maxSuspected:
			h.out.Beyond++
		default:
			h.out.Suspicions = append(h.out.Suspicions, h.suspicion(s, b, text))
		}
	}
}

func (h *review) suspicion(s *claim, b *block, text string) mcpsf.Suspicion {
	words := quoted(s.quote)
	quote := safetext.Line(s.quote, maxQuote)
	f := mcpsf.Finding{
		ID: mcpsf.RuleModelSuspects, Title: kindTitle(s.kind), Category: mcpsf.CategoryBehaviour, Severity: severity(s.severity), Grade: mcpsf.GradeSuspected,
		Message:  fmt.Sprintf("%s suspects this, and no rule confirms it: %s %q.", h.out.Model, b.where(), quote),
		Evidence: []int64{}, Occurrences: 1, Phase: mcpsf.PhaseDrive, Call: b.call,
		Opinion:     &mcpsf.Opinion{Model: h.out.Model, Text: text},
		Remediation: "Read what is quoted and decide for yourself: nothing but a model's word stands behind this.",
		Fingerprint: fingerprint(b.of, b.name, words),
	}
	if b.of == ofTool || b.of == ofResult {
		f.Tool = b.name
	}
	if h.material.static {
		f.Phase = mcpsf.PhaseInspect
	}
	if b.event > 0 {
		f.Evidence = append(f.Evidence, b.event)
	}
	if access := h.material.access(b, words); access != nil {
		f.Tool, f.Phase = access.Tool, access.Phase
		if access.Event > 0 {
			f.Evidence = append(f.Evidence, access.Event)
		}
	}
	return mcpsf.Suspicion{Finding: f, Quote: quote, Of: b.of, Name: cut(b.name, maxLine)}
}

// where describes the text that a quote is in.
func (b *block) where() string {
	switch b.of {
	case ofServer:
		return "the server's instructions say"
	case ofTool:
		return fmt.Sprintf("the tool %q says of itself", cut(b.name, maxLine))
	case ofPrompt:
		return fmt.Sprintf("the prompt %q says of itself", cut(b.name, maxLine))
	case ofResult:
		return fmt.Sprintf("the tool %q answered", cut(b.name, maxLine))
	case ofResource:
		return "a resource is called"
	}
	return "the server was seen to use"
}

// severity is at most medium, whatever a model says.
func severity(s string) mcpsf.Severity {
	switch strings.ToLower(strings.TrimSpace(s)) {
	case "medium", "high", "critical":
		return mcpsf.SeverityMedium
	}
	return mcpsf.SeverityLow
}

func fingerprint(of, name, words string) string {
	sum := sha256.Sum256([]byte(strings.Join([]string{mcpsf.RuleModelSuspects, of, name, words}, "\x00")))
	return hex.EncodeToString(sum[:])[:16]
}

// access is the access that is quoted, nil if the quote is of something else.
func (m *material) access(b *block, words string) *mcpsf.Access {
	if b.of != ofAccess {
		return nil
	}
	for i := range m.accesses {
		a := &m.accesses[i]
		if name := bare(a.Name); name != "" && strings.Contains(words, name) {
			return a
		}
	}
	return nil
}

// repeats says whether a finding rests on the same words.
func (m *material) repeats(b *block, words string) bool {
	if a := m.access(b, words); a != nil {
		words = bare(a.Name)
	}
	for _, known := range m.known {
		if shares(words, known) {
			return true
		}
	}
	return false
}

// has says whether the model reported the same before.
func (h *review) has(b *block, words string) bool {
	for i := range h.out.Suspicions {
		s := &h.out.Suspicions[i]
		if s.Of == b.of && s.Name == cut(b.name, maxLine) && (shares(words, quoted(s.Quote)) || shares(quoted(s.Quote), words)) {
			return true
		}
	}
	return false
}

// shares says whether so many consecutive words of one text are in the other.
func shares(words, other string) bool {
	list := strings.Fields(words)
	if len(list) <= shingle {
		return strings.Contains(other, words)
	}
	list = list[:min(len(list), maxShared)]
	for i := range len(list) - shingle + 1 {
		if strings.Contains(other, strings.Join(list[i:i+shingle], " ")) {
			return true
		}
	}
	return false
}

// quoted are the words of a quote, without what models put around one.
func quoted(quote string) string {
	var lines []string
	for line := range strings.SplitSeq(cut(quote, maxAnswer), "\n") {
		lines = append(lines, strings.TrimPrefix(strings.TrimSpace(line), "| "))
	}
	return strings.Trim(bare(strings.Join(lines, "\n")), `"'.… `)
}

// bare is a text without differences that a reader does not see: kinds of space
// and quotation marks, and backslashes.
func bare(s string) string {
	return oneLine(strings.NewReplacer(`\n`, " ", `\r`, " ", `\t`, " ", `\`, "", "’", "'", "‘", "'", "“", `"`, "”", `"`).Replace(s))
}

// meaningful distinguishes quotes from words that occur everywhere.
func meaningful(words string) bool {
	n := 0
	for _, r := range words {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			n++
		}
	}
	return n >= leastQuote
}
