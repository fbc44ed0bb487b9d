package payload

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/attack"
	"github.com/mcpsf/mcpsf/internal/drive/schema"
	"github.com/mcpsf/mcpsf/internal/safetext"
)

// gap: model-payloads
const (
	// maxArguments bounds the bytes of a model's arguments, maxDepth their
	// nesting, and maxLeaves the number of values.
	maxArguments, maxDepth, maxLeaves = 32 << 10, 24, 400
	// maxPayload bounds how much of a payload is reported, maxWhy the model's
	// reason.
	maxPayload, maxWhy = 1 << 10, 120
	// maxPointer bounds the pointer to it.
	maxPointer = 400
)

// proposal is a payload as a model writes it.
type proposal struct {
	Tool      string          `json:"tool"`
	Class     string          `json:"class"`
	Arguments json.RawMessage `json:"arguments"`
	Place     string          `json:"place"`
	Why       string          `json:"why"`
}

// validate makes calls from a proposal, or says why it cannot be used.
func (p *proposer) validate(s *target, raw json.RawMessage) (class string, calls []AttackCall, err error) {
	var it proposal
	if json.Unmarshal(raw, &it) != nil {
		return "", nil, errors.New("it is no payload")
	}
	switch {
	case it.Tool != "" && it.Tool != s.tool.Name:
		return "", nil, errors.New("it is for another tool")
	case p.marks[it.Class] == nil:
		return "", nil, errors.New("it is of a class that nobody asked for")
	}
	args, err := object(it.Arguments)
	if err != nil {
		return "", nil, err
	}
	pointer, value, err := p.placeIn(&it, args)
	if err != nil {
		return "", nil, err
	}
	place := p.at(s, pointer, value)
	payloads, err := p.World.Adopt(it.Class, place, value)
	if err != nil {
		return "", nil, err
	}
	base, err := p.completeArguments(s, &it, args, pointer, value)
	if err != nil {
		return "", nil, err
	}
	key := fingerprint(s.tool.Name, it.Class, pointer, value)
	if p.seen[key] {
		return "", nil, errors.New("it is sent anyway")
	}
	p.seen[key] = true
	calls, err = p.calls(s, &it, place, base, payloads)
	return it.Class, calls, err
}

// calls are the calls with the payloads, and before them those that show
// whether the tool has limits, where that matters and is not tested anyway.
func (p *proposer) calls(s *target, it *proposal, place attack.Place, base json.RawMessage, payloads []attack.Payload) ([]AttackCall, error) {
	var calls []AttackCall
	if at := s.tool.Name + "\n" + it.Class + "\n" + place.Pointer; attack.Limited(it.Class) && !p.guarded[at] {
		p.guarded[at] = true
		for _, y := range p.classes[it.Class].Payloads(p.World, place) {
			if args, err := schema.Put(base, place.Pointer, y.Value); err == nil && y.Plain {
				calls = append(calls, p.call(s, it.Class, place.Pointer, args, &y))
			}
		}
	}
	why := safetext.Line(it.Why, maxWhy)
	if why == "" || why == attack.HardToWrite { // our own code judges the latter
		why = "it did not say why"
	}
	for _, y := range payloads {
		args, err := schema.Put(base, place.Pointer, y.Value)
		if err != nil {
			return nil, errors.New("its arguments cannot be sent")
		}
		if y.Why == "" {
			y.Why = why
		}
		c := p.call(s, it.Class, place.Pointer, args, &y)
		c.Attack.By = safetext.Line(p.Model.Name(), maxLine)
		calls = append(calls, c)
	}
	return calls, nil
}

func (p *proposer) call(s *target, class, pointer string, args json.RawMessage, y *attack.Payload) AttackCall {
	return AttackCall{Tool: s.tool.Name, Arguments: args, Attack: mcpsf.AttackDetail{
		Class: class, Place: pointer, Payload: clip(text(y.Value), maxPayload), Why: y.Why, Plain: y.Plain, Sign: y.Sign, Marker: y.Marker,
	}}
}

// placeIn finds the hostile value: the one with a marker of the class or, for
// classes without markers, the one that the model named.
func (p *proposer) placeIn(it *proposal, args map[string]any) (pointer string, value any, err error) {
	held := p.markerPlaces(it.Class, args)
	named := it.Place
	if !strings.HasPrefix(named, "/") {
		named = "/" + named // some models write a bare name
	}
	value, there := get(args, named)
	there = there && named != "/" && len(named) <= maxPointer
	_, isText := value.(string)
	outside := slices.ContainsFunc(held, func(pointer string) bool { return !under(pointer, named) })
	marked := p.needsMarker(it.Class)
	switch {
	case marked && len(held) == 0:
		return "", nil, errors.New("it holds nothing that success could be told by")
	case there && !outside && (isText || attack.Untyped(it.Class) || !marked):
		return named, value, nil
	case len(held) > 1 || len(held) == 1 && !marked:
		return "", nil, errors.New("what success is told by stands in several values")
	case len(held) == 1 && len(held[0]) <= maxPointer:
		value, _ = get(args, held[0])
		return held[0], value, nil
	}
	return "", nil, errors.New("its place is not in its arguments")
}

// needsMarker says whether payloads of a class contain a marker. The others are
// judged by what happens to the server.
func (p *proposer) needsMarker(class string) bool { return len(p.marks[class][0].Texts) > 0 }

// markerPlaces are the places of all texts that contain a marker of this class
// or of another.
func (p *proposer) markerPlaces(class string, args map[string]any) []string {
	var held []string
	leaves(args, "", func(pointer, text string) {
		for id, marks := range p.marks {
			for i := range marks {
				if len(marks[i].Texts) > 0 && (id == class || !marks[i].Every) && marks[i].In(text) {
					if len(held) == 0 || held[len(held)-1] != pointer {
						held = append(held, pointer)
					}
				}
			}
		}
	})
	return held
}

// under says whether a pointer equals another or is below it.
func under(pointer, top string) bool {
	return pointer == top || strings.HasPrefix(pointer, top+"/")
}
