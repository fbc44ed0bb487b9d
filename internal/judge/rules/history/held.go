package history

import (
	"slices"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/rules/declared"
	"github.com/mcpsf/mcpsf/internal/judge/rules/event"
	"github.com/mcpsf/mcpsf/internal/judge/rules/lex"
)

// Held are the secrets that the server has read since it was started and that
// nothing of the user's explains. From then on whatever it sends may hold them.
type Held struct {
	variables []heldVariable
	files     []heldFile
	// all is the event in which all environment variables were read at once, 0 if
	// they were not.
	all int64
	// given are the calls in which the server read a file that the user named,
	// others those in which it read a private file that nobody named.
	given, others map[string]bool
	// inFolders are the decoys in folders that the caller named.
	inFolders []heldFile
	// documents are the user's documents that were read and that nobody named.
	documents []heldFile
}

type heldVariable struct {
	name string
	// documented is set if the package's documentation mentions it.
	documented bool
	seq        int64
}

type heldFile struct {
	path string
	seq  int64
}

func (h *Held) restart() { *h = Held{} }

// Given records that the server read a file that the user named in a call.
func (h *Held) Given(call string) {
	if h.given == nil {
		h.given = map[string]bool{}
	}
	h.given[call] = true
}

// GaveFile tells whether the server read a file that the user named in the call
// of an event, and no private file beside it: what is sent may hold either.
func (h *Held) GaveFile(f *event.Fields) bool { return h.given[f.Call] && !h.others[f.Call] }

// Document adds a document of the user's that nobody named, read in a call.
func (h *Held) Document(path, call string, seq int64) {
	h.Other(call)
	known := slices.ContainsFunc(h.documents, func(f heldFile) bool { return f.path == path })
	if !known && len(h.documents) < lex.MaxListed {
		h.documents = append(h.documents, heldFile{path, seq})
	}
}

// InFolder adds a decoy that was read in a folder that the caller named.
func (h *Held) InFolder(path string, seq int64) {
	if len(h.inFolders) < lex.MaxListed {
		h.inFolders = append(h.inFolders, heldFile{path, seq})
	}
}

// Other records that the server read a private file in a call that nobody named.
func (h *Held) Other(call string) {
	if h.others == nil {
		h.others = map[string]bool{}
	}
	h.others[call] = true
}

// Variable adds a planted environment variable that was read by name.
func (h *Held) Variable(name string, documented bool, seq int64) {
	known := slices.ContainsFunc(h.variables, func(v heldVariable) bool { return v.name == name })
	if !known && len(h.variables) < lex.MaxListed {
		h.variables = append(h.variables, heldVariable{name, documented, seq})
	}
}

// File adds a decoy, however common it is that a library reads it.
func (h *Held) File(path string, seq int64) {
	known := slices.ContainsFunc(h.files, func(f heldFile) bool { return f.path == path })
	if !known && len(h.files) < lex.MaxListed {
		h.files = append(h.files, heldFile{path, seq})
	}
}

// All records that all environment variables were read at once.
func (h *Held) All(seq int64) {
	if h.all == 0 {
		h.all = seq
	}
}

// describe fills in which of them the message of an event may hold. A variable
// whose service the host belongs to does not count, and one that nothing
// mentions comes first.
func (h *Held) describe(e *mcpsf.Event, f *event.Fields) {
	switch e.Kind {
	case mcpsf.KindNetHTTP, mcpsf.KindNetFlow, mcpsf.KindNetSMTP, mcpsf.KindNetDNS, mcpsf.KindMCPResponse:
	default:
		return
	}
	if d := e.Opaque; d != nil {
		f.Opaque, f.OpaqueTotal, f.Part = d.Bytes, d.Total, d.Part
	}
	for _, v := range h.variables {
		if f.Host != "" && declared.Serves(v.name, f.Host) || f.Variable != "" && (!f.Documented || v.documented) {
			continue
		}
		f.Variable, f.Documented, f.ReadBy = v.name, v.documented, v.seq
	}
	if len(h.files) > 0 {
		f.SecretFile = h.files[0].path
		if f.Variable == "" {
			f.ReadBy = h.files[0].seq
		}
	}
	if len(h.inFolders) > 0 {
		f.FolderSecret = h.inFolders[0].path
		if f.ReadBy == 0 {
			f.ReadBy = h.inFolders[0].seq
		}
	}
	if len(h.documents) > 0 {
		f.Document = h.documents[0].path
		if f.ReadBy == 0 {
			f.ReadBy = h.documents[0].seq
		}
	}
	if f.All = h.all != 0; f.All && f.ReadBy == 0 {
		f.ReadBy = h.all
	}
}
