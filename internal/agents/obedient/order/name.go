package order

// nameRule finds orders in the names of parameters.
type nameRule struct {
	tools      *Resolver
	conditions *conditions
	found      *Ledger
}

// find adds an order for a parameter whose name alone asks for the conversation
// or for the content of a file.
func (r *nameRule) find(s *utterance) {
	if s.Tool < 0 || len(s.Words) > 8 {
		return
	}
	var assets []Asset
	if s.Has("conversation", "conv") && s.Has("conv-all", "content") && len(s.Words) < 5 && !r.tools.isAboutChats(s.Tool) {
		assets = []Asset{{Kind: AssetConversation}}
	} else if s.Has("content", "got") || s.Near(0, len(s.Words), "content", "contents", "reading") {
		assets = fileFinder{s}.findWellKnown()
	}
	if len(assets) == 0 {
		return
	}
	s.setCondition(r.conditions.of(s))
	r.found.add(s, Found{
		Order: Order{Action: Pass, To: r.tools.Names.Tools[s.Tool].Name + " " + s.param}, Assets: assets,
		Sink: sink{Channel: ViaTool, Tool: s.Tool, Param: s.param}, Via: -1,
	})
}
