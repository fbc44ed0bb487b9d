package sequence

import (
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/chain"
	"github.com/mcpsf/mcpsf/internal/drive/meaning"
)

// Order returns the indexes of the tools in the order to call them: what signs in or
// opens something comes first, what removes and closes last.
func Order(tools []mcpsf.Tool) []int {
	list := slices.Clone(tools)
	for i := range list {
		list[i].Name = joined(list[i].Name)
	}
	return chain.Order(list)
}

// Opens reports whether a tool opens something, such as a session.
func Opens(tool string) bool { return comesBefore(tool, "create") }

// Makes reports whether a tool opens or creates something.
func Makes(tool string) bool { return comesBefore(tool, "list") }

// Stores reports whether a tool puts something somewhere, or changes what is there.
func Stores(tool string) bool {
	words := meaning.Words(tool)
	if len(words) == 0 || TakesAway(tool) {
		return false
	}
	switch words[0] {
	case "create", "add", "new", "make", "insert", "put", "save", "store", "write", "append", "attach", "upload", "import", "register",
		"update", "edit", "change", "set", "rename", "modify", "patch", "configure", "replace", "move", "assign", "define", "record", "log",
		"schedule", "submit", "post", "remember", "tag", "label", "track", "subscribe", "load", "ingest", "upsert":
		return true
	}
	return false
}

// TakesAway reports whether a tool removes or closes something: others may then lack
// what they need.
func TakesAway(tool string) bool { return comesBefore("get", tool) }

// comesBefore reports whether a tool is called before another one that is listed
// before it.
func comesBefore(tool, other string) bool {
	return Order([]mcpsf.Tool{{Name: other}, {Name: tool}})[0] == 1
}

// joined returns a name whose verbs of two words are one: sign_in is a login.
func joined(tool string) string {
	words := meaning.Words(tool)
	changed := false
	for i := 0; i+1 < len(words); i++ {
		if verb := phrasal(words[i], words[i+1]); verb != "" {
			words, changed = slices.Replace(words, i, i+2, verb), true
		}
	}
	if !changed {
		return tool
	}
	return strings.Join(words, "_")
}

// phrasal returns the one word for a verb of two, "" if they are none.
func phrasal(first, second string) string {
	switch first {
	case "log", "logged", "logging", "sign", "signed", "signing":
	default:
		return ""
	}
	switch second {
	case "in", "on":
		return verbLogin
	case "out", "off":
		return "logout"
	}
	return ""
}
