package harness

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/harness/attack"
	"github.com/mcpsf/mcpsf/internal/harness/schema"
)

// maxPayload bounds how much of a payload is told.
const maxPayload = 1 << 10

// Aim says what to shoot at a server.
type Aim struct {
	World  *attack.World
	Values schema.Values
	Seed   uint64
	// All takes every payload, not only the most telling ones of each class.
	All bool
	// Most bounds the number of shots.
	Most int
}

// Shots are the attacks on the tools of a session, those first of which most is
// to be expected, and last those that the server may not get over. Arguments that worked before are kept beside the payload.
func (a *Aim) Shots(s *mcpsf.Session) []Shot {
	worked := map[string]json.RawMessage{}
	for _, c := range s.Calls {
		if c.Method == "tools/call" && c.Status == mcpsf.CallOK && worked[c.Tool] == nil {
			worked[c.Tool] = c.Arguments
		}
	}
	var list []ranked
	for _, tool := range s.Tools {
		places := schema.Places(tool.InputSchema, a.Values.For(tool.Name), a.Seed)
		if len(places) == 0 && worked[tool.Name] != nil {
			tool.InputSchema = schema.Described(worked[tool.Name]) // it said what it wants when it refused
			places = schema.Places(tool.InputSchema, a.Values.For(tool.Name), a.Seed)
		}
		for _, p := range places {
			list = append(list, a.at(&tool, p, worked[tool.Name])...)
		}
	}
	slices.SortStableFunc(list, func(x, y ranked) int { return cmp.Compare(y.rank, x.rank) })
	var shots []Shot
	for _, r := range list[:min(len(list), a.Most)] {
		shots = append(shots, r.shot)
	}
	slices.SortStableFunc(shots, func(x, y Shot) int { return cmp.Compare(x.burden(), y.burden()) })
	return shots
}

// burden orders shots by what they do to the server: one that ends has to be
// started again, and one that is kept busy has no time for the others.
func (s *Shot) burden() int {
	switch s.Attack.Sign {
	case mcpsf.SignCrash:
		return 1
	case mcpsf.SignCost:
		return 2
	}
	return 0
}

// ranked is a shot and what is to be expected of it.
type ranked struct {
	shot Shot
	rank int
}

// at aims at one place of a tool.
func (a *Aim) at(tool *mcpsf.Tool, p schema.Place, worked json.RawMessage) []ranked {
	base := worked
	value, ok := schema.Get(base, p.Pointer)
	if !ok {
		base, _ = schema.Reach(tool.InputSchema, a.Values.For(tool.Name), a.Seed, p.Pointer) // the best that was found
		value, _ = schema.Get(base, p.Pointer)
	}
	place := attack.Place{
		Pointer: p.Pointer, Name: p.Name, Description: p.Description, Type: p.Type, Format: p.Format, Pattern: p.Pattern,
		Enum: p.Enum, MaxLength: p.MaxLength, Kind: string(p.Kind), Value: value,
	}
	var list []ranked
	for _, class := range attack.All() {
		if class.Yield(place) <= 0 {
			continue
		}
		payloads := class.Payloads(a.World, place)
		if !a.All {
			payloads = payloads[:min(len(payloads), class.Balanced)]
		}
		for i, y := range payloads {
			if y.Sign == mcpsf.SignEcho && p.Kind == schema.KindMarkup {
				continue // what is markup comes back as markup
			}
			args, err := schema.Put(base, p.Pointer, y.Value)
			if err != nil {
				continue
			}
			list = append(list, ranked{
				shot: Shot{Tool: tool.Name, Arguments: args, Attack: mcpsf.AttackDetail{
					Class: class.ID, Place: p.Pointer, Payload: shown(y.Value), Why: y.Why, Plain: y.Plain, Sign: y.Sign, Marker: y.Marker,
				}},
				rank: class.Worth(place, i),
			})
		}
	}
	return list
}

// shown is a payload as it is told.
func shown(value any) string {
	text, ok := value.(string)
	if !ok {
		raw, err := marshal(value)
		if err != nil {
			return fmt.Sprintf("%T", value)
		}
		text = string(raw)
	}
	text, _ = clip(text, maxPayload)
	return text
}
