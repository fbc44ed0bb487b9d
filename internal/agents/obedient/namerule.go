package obedient

// nameRule finds orders in the names of parameters.
type nameRule struct {
	tools      *resolver
	conditions *conditions
	found      *ledger
}

// magic: a parameter whose name alone asks for the conversation, or for the
// content of a file.
func (b *nameRule) find(s *utterance) {
	if s.tool < 0 || len(s.Words) > 8 {
		return
	}
	var things []asset
	if s.has("conversation", "conv") && s.has("conv-all", "content") && len(s.Words) < 5 && !b.tools.isAboutChats(s.tool) {
		things = []asset{{kind: assetConversation}}
	} else if s.has("content", "got") || s.near(0, len(s.Words), "content", "contents", "reading") {
		things = fileFinder{s}.findWellKnown()
	}
	if len(things) == 0 {
		return
	}
	s.setCondition(b.conditions.of(s))
	b.found.add(s, found{
		Order: Order{Action: Pass, To: b.tools.names.tools[s.tool].Name + " " + s.param}, assets: things,
		sink: sink{channel: viaTool, tool: s.tool, param: s.param}, via: -1,
	})
}
