package order

// nameRule finds orders in the names of parameters.
type nameRule struct {
	tools      *Resolver
	conditions *conditions
	found      *Ledger
}

// magic: a parameter whose name alone asks for the conversation, or for the
// content of a file.
func (b *nameRule) find(s *utterance) {
	if s.Tool < 0 || len(s.Words) > 8 {
		return
	}
	var things []Asset
	if s.Has("conversation", "conv") && s.Has("conv-all", "content") && len(s.Words) < 5 && !b.tools.isAboutChats(s.Tool) {
		things = []Asset{{Kind: AssetConversation}}
	} else if s.Has("content", "got") || s.Near(0, len(s.Words), "content", "contents", "reading") {
		things = fileFinder{s}.findWellKnown()
	}
	if len(things) == 0 {
		return
	}
	s.setCondition(b.conditions.of(s))
	b.found.add(s, Found{
		Order: Order{Action: Pass, To: b.tools.Names.Tools[s.Tool].Name + " " + s.param}, Assets: things,
		Sink: sink{Channel: ViaTool, Tool: s.Tool, Param: s.param}, Via: -1,
	})
}
