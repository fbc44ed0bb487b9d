package attackplan

import (
	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/attack"
	"github.com/mcpsf/mcpsf/internal/drive/protocol"
	"github.com/mcpsf/mcpsf/internal/drive/schema"
)

// Of a text that holds JSON, a server uses the members: a payload in place of all of it
// is mostly refused as no JSON. The first members that are attacked are worth as much
// as arguments, each later one less.
// no gap: bounds which attacks are planned; attacks show weaknesses, and the profile bounds them
const (
	shareText    = 30
	wholeMembers = 4
)

// inside makes the calls with a payload inside the JSON text that an argument of a tool
// is.
func (a *Plan) inside(t *target, p schema.Place, base schema.Input) []ranked {
	if t.method != protocol.MethodCall {
		return nil // addresses and prompts are made of plain texts
	}
	places := schema.Inside(base.JSON, p, a.Values.ForTool(&t.Tool))
	var list []ranked
	for n, member := range places {
		for _, r := range a.at(t, member, base, encodings(member, places)) {
			r.rank = r.rank * wholeMembers / max(wholeMembers, n+1)
			list = append(list, r)
		}
	}
	return list
}

// asTexts marks calls whose payload is a whole text that holds JSON otherwise, and is
// no document itself.
func asTexts(list []ranked) []ranked {
	for i := range list {
		list[i].text = !attack.OnDocuments(list[i].call.Attack.Class)
	}
	return list
}

// needsNoMember reports whether a class shows the same with the whole text as with a
// member of it: an overlong text is as long.
func needsNoMember(class *attack.Class, pointer string) bool {
	_, _, inText := mcpsf.PointerText(pointer)
	return inText && class.ID == attack.ClassOverlong
}
