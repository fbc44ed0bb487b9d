package promptscan

import (
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// magic are names of parameters that a model fills with what it was told.
func magic() Names {
	return NamesOf("conversation_history", "chat_history", "message_history", "conversation_context", "chat_context", "full_conversation",
		"conversation_log", "chat_log", "previous_messages", "prior_messages", "conversation_summary", "chat_transcript", "full_context",
		"entire_context", "context_window", "context_dump", "memory_dump", "system_prompt", "system_message", "system_instructions",
		"developer_prompt", "developer_message", "initial_prompt", "hidden_prompt", "sidenote", "side_note", "tools_list", "available_tools",
		"tool_list", "all_tools", "tool_call_history", "previous_tool_results", "other_tools", "chain_of_thought", "internal_reasoning",
		"internal_thoughts", "scratchpad_contents", "user_prompt", "original_prompt", "user_message_verbatim", "original_user_message",
		"original_user_prompt", "last_user_message", "llm_model", "llm_name", "llm_provider", "ai_model_name", "client_model", "agent_context",
		"agent_memory", "session_history", "user_profile_dump", "prompt_history")
}

// parameters finds those that make the model pass on what it was told, by
// their names. What their descriptions ask for the grammar finds.
func (o *object) parameters() {
	if o.of == ofResult || o.forModels {
		return
	}
	names := magic()
	for i := range o.texts {
		t := &o.texts[i]
		if t.role != roleName || t.parameter == "" || t.parameter != t.value || !names[bare(t.value)] {
			continue
		}
		if o.asks(t.parameter) {
			continue
		}
		o.tell(mcpsf.TextMagicParameter, t.field, shown(o.describing(t.parameter), 0, 200), printable(t.parameter))
	}
}

// asks says whether that was told of the parameter already.
func (o *object) asks(parameter string) bool {
	return slices.ContainsFunc(o.found, func(d mcpsf.TextDetail) bool {
		return d.What == mcpsf.TextMagicParameter && d.Target == printable(parameter)
	})
}

// describing is what a parameter's description says.
func (o *object) describing(parameter string) string {
	for i := range o.texts {
		t := &o.texts[i]
		if t.parameter == parameter && t.role == roleProse {
			return t.value
		}
	}
	return parameter
}

// modelled: the tool is one that talks to a model itself, so that it
// needs prompts and messages.
func (o *object) modelled() bool {
	for i := range o.texts {
		t := &o.texts[i]
		if t.role == roleValue || t.parameter != "" && t.role == roleProse && len(t.value) > 300 {
			continue
		}
		low := strings.ToLower(t.value[:min(len(t.value), 2000)])
		for _, w := range []string{
			"llm sampling", "sampling", "chat completion", "completion from", "language model", " llm", "gpt-", "openai", "anthropic", "gemini",
			"ollama", "mistral", "prompt template", "prompt engineering", "create an agent", "create an assistant", "creates an agent", "chatbot",
			"ai model", "text generation", "generate text", "inference", "fine-tun", "sub-agent", "subagent", "system prompt for the",
		} {
			if strings.Contains(low, w) && !strings.Contains(low, "conversation so far") && !strings.Contains(low, "your system") {
				return t.parameter == "" || t.role != roleProse
			}
		}
	}
	return false
}
