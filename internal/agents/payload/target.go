package payload

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/attack"
	"github.com/mcpsf/mcpsf/internal/drive/meaning"
	"github.com/mcpsf/mcpsf/internal/drive/schema"
)

// target is a tool that a model is asked to attack.
type target struct {
	tool   mcpsf.Tool
	schema json.RawMessage
	places []schema.Place
	// input is one that the tool accepts, as far as is known.
	input json.RawMessage
	// classes are the attack classes that apply to it.
	classes []string
	facts   []mcpsf.Fact
	// units are the calls so far; calls that belong together are in one unit.
	units [][]AttackCall
}

// subject is what the model is asked about a tool, nil if the tool takes no
// arguments.
func (p *proposer) subject(tool mcpsf.Tool) *target {
	s := &target{tool: tool, schema: tool.InputSchema, input: p.Inputs[tool.Name]}
	values := p.Values.For(tool.Name)
	s.places = schema.Places(s.schema, values, p.Seed)
	if len(s.places) == 0 && s.input != nil {
		s.schema = schema.Described(s.input) // its error message described the arguments
		s.places = schema.Places(s.schema, values, p.Seed)
	}
	if len(s.places) == 0 {
		return nil
	}
	if s.input == nil {
		made, _ := schema.Generate(s.schema, values, p.Seed) // the best value found
		s.input = made.JSON
	}
	for _, c := range attack.All() {
		if p.marks[c.ID] != nil && slices.ContainsFunc(s.places, func(at schema.Place) bool {
			return at.Type == "object" || at.Type == "array" || c.Yield(s.attackPlace(at, nil)) > 0
		}) {
			s.classes = append(s.classes, c.ID)
		}
	}
	if len(s.classes) == 0 {
		return nil
	}
	s.facts = factsAbout(tool.Name, p.Facts)
	return s
}

// maxFacts is how many facts a model gets.
// gap: model-payloads
const maxFacts = 20

// factsAbout are the facts about a tool, then those about no specific tool that
// an attack may lead to.
func factsAbout(tool string, facts []mcpsf.Fact) []mcpsf.Fact {
	var own, others []mcpsf.Fact
	for _, f := range facts {
		switch {
		case f.Tool == tool:
			own = append(own, f)
		case f.Tool != "" || f.Package != "":
		case f.Kind == "code.exec-input" || f.Kind == "code.deserialize",
			f.Kind == "code.capability" && (f.Name == string(mcpsf.CapabilityExec) || f.Name == string(mcpsf.CapabilityDynamic)):
			others = append(others, f)
		}
	}
	own = append(own, others...)
	return own[:min(len(own), maxFacts)]
}

// at is the place that a model named: one of the schema, or one derived from
// the value.
func (p *proposer) at(s *target, pointer string, value any) attack.Place {
	base := p.base(s, pointer)
	ordinary, _ := schema.Get(base, pointer)
	find := func(pointer string) int {
		return slices.IndexFunc(s.places, func(at schema.Place) bool { return at.Pointer == pointer })
	}
	i := find(pointer)
	if i < 0 {
		i = find(firsts(pointer))
	}
	if i >= 0 {
		found := s.attackPlace(s.places[i], ordinary)
		found.Pointer = pointer
		return found
	}
	name := nameOf(pointer)
	made := attack.Place{Pointer: pointer, Name: name, Kind: string(meaning.KindUnknown), Value: ordinary}
	if alone, err := json.Marshal(map[string]any{name: value}); err == nil {
		if places := schema.Places(schema.Described(alone), p.Values.For(s.tool.Name), p.Seed); len(places) > 0 {
			made.Type, made.Kind = places[0].Type, string(places[0].Kind)
		}
	}
	return made
}

func (s *target) attackPlace(at schema.Place, ordinary json.RawMessage) attack.Place {
	return attack.Place{
		Pointer: at.Pointer, Name: at.Name, Description: at.Description, Type: at.Type, Format: at.Format, Pattern: at.Pattern,
		Enum: at.Enum, MaxLength: at.MaxLength, Kind: string(at.Kind), Value: ordinary,
	}
}

// base is an input that has a value at the pointer.
func (p *proposer) base(s *target, pointer string) json.RawMessage {
	if _, ok := schema.Get(s.input, pointer); ok {
		return s.input
	}
	base, _ := schema.MinimalWith(s.schema, p.Values.For(s.tool.Name), p.Seed, pointer) // the best value found
	return base.JSON
}

// firsts is the pointer with every array index replaced by 0.
func firsts(pointer string) string {
	parts := strings.Split(pointer, "/")
	for i, part := range parts {
		if _, err := strconv.Atoi(part); err == nil {
			parts[i] = "0"
		}
	}
	return strings.Join(parts, "/")
}

// nameOf is the last name in a pointer.
func nameOf(pointer string) string {
	parts := strings.Split(pointer, "/")
	for _, part := range slices.Backward(parts) {
		if _, err := strconv.Atoi(part); err != nil && part != "" {
			return mcpsf.PointerName(part)
		}
	}
	return "value"
}
