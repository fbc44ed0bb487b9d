package html

import (
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// The bounds of the map of files.
// no gap: bounds what is shown; report.json and events.jsonl have everything
const (
	maxFiles    = 400
	maxChildren = 14
	maxParts    = 24
	maxTracked  = 50_000
)

type filesView struct {
	Roots []*fileNode
	// Missing counts lookups of missing files, "" for none.
	Missing string
}

// fileNode is a file or a directory.
type fileNode struct {
	Name string
	Dir  bool
	// Uses say what was done, one letter each.
	Uses  []use
	Decoy string
	Level string
	Tools string
	// Inside counts the files of a directory; Rest says what is not shown.
	Inside   string
	Rest     string
	Open     bool
	Children []*fileNode

	uses  [len(useLetters)]int64
	tools []string
	index map[string]*fileNode
	// weight is how remarkable it is.
	weight int
}

type use struct {
	Letter, Name, Count string
}

// useLetters are the kinds of use of a file, in the order of the page.
const useLetters = "RWDMPLXS"

func useNames() []string {
	return []string{"read", "written", "deleted", "moved", "mode changed", "linked", "executed", "looked at"}
}

// filesSection shows the tree of files that were used.
type filesSection struct{ *index }

// fileMap returns the tree of the files that were used.
func (b filesSection) fileMap() filesView {
	root := &fileNode{Dir: true, index: map[string]*fileNode{}}
	missing, tracked := int64(0), 0
	for i := range b.Events {
		e := &b.Events[i]
		f := e.File
		if f == nil || e.Kind == mcpsf.KindArchiveRefused {
			continue
		}
		if f.Error == "ENOENT" || f.Error == "ENOTDIR" {
			missing += max(e.Count, 1)
			continue
		}
		for _, name := range []string{f.Path, f.To} {
			if name != "" && tracked < maxTracked {
				n, made := root.at(b.folded(e, name))
				tracked += made
				b.touch(n, e)
			}
		}
	}
	for i := range b.Events {
		e := &b.Events[i]
		switch {
		case e.Canary != nil:
			b.prove(root.find(e.Canary.Source), e)
		case e.Leak != nil && e.Leak.Channel == mcpsf.ChannelFile:
			b.prove(root.find(e.Leak.Destination), e)
		}
	}
	var view filesView
	if missing > 0 {
		view.Missing = thousands(missing)
	}
	root.weigh()
	left := maxFiles
	view.Roots = b.drawFiles(root, &left)
	return view
}

// folded returns the name under which a file is shown: system files are shown by directory.
func (b filesSection) folded(e *mcpsf.Event, name string) string {
	if _, proves := b.proofs[e.Seq]; proves || b.Loud(e) || !strings.HasPrefix(name, "/") {
		return name
	}
	top, rest, _ := strings.Cut(name[1:], "/")
	switch top {
	case "usr", "lib", "lib64", "bin", "sbin", "opt", "proc", "sys", "dev":
		if rest != "" {
			return "/" + top + "/"
		}
	}
	return name
}

// at returns the node of a path, made with all its parents, and how many nodes were made.
func (n *fileNode) at(name string) (node *fileNode, made int) {
	parts := pathParts(name)
	if len(parts) > maxParts {
		parts = append(parts[:maxParts-1:maxParts-1], strings.Join(parts[maxParts-1:], "/"))
	}
	for i, part := range parts {
		child := n.index[part]
		if child == nil {
			child = &fileNode{Name: part, index: map[string]*fileNode{}}
			n.index[part] = child
			n.Children = append(n.Children, child)
			made++
		}
		child.Dir = child.Dir || i < len(parts)-1 || strings.HasSuffix(name, "/") && name != "/"
		n = child
	}
	return n, made
}

// pathParts returns the names along a path; the first includes the leading slash.
func pathParts(name string) []string {
	parts := strings.Split(strings.Trim(name, "/"), "/")
	if strings.HasPrefix(name, "/") {
		parts[0] = "/" + parts[0]
	}
	return parts
}

// find returns the node of a path, nil if there is none.
func (n *fileNode) find(name string) *fileNode {
	for _, part := range pathParts(name) {
		if n = n.index[part]; n == nil {
			return nil
		}
	}
	return n
}

// touch adds what an event did to a node.
func (b filesSection) touch(n *fileNode, e *mcpsf.Event) {
	add := func(letter byte) { n.uses[strings.IndexByte(useLetters, letter)] += max(e.Count, 1) }
	flags := e.File.Flags
	switch e.Kind {
	case mcpsf.KindFileRead:
		add('R')
	case mcpsf.KindFileWrite, mcpsf.KindFileCreate:
		add('W')
	case mcpsf.KindFileDelete:
		add('D')
	case mcpsf.KindFileRename:
		add('M')
	case mcpsf.KindFileChmod:
		add('P')
	case mcpsf.KindFileLink:
		add('L')
	case mcpsf.KindFileStat:
		add('S')
	case mcpsf.KindFileOpen:
		switch {
		case strings.ContainsAny(flags, "wcta"):
			add('W')
		case strings.Contains(flags, "x"):
			add('X')
		default:
			add('R')
		}
	}
	if e.File.CanaryKind != "" {
		n.Decoy = b.line(e.File.CanaryKind, 60)
	}
	if who := b.caller(e); len(n.tools) < 4 && !slices.Contains(n.tools, who) {
		n.tools = append(n.tools, who)
	}
	b.prove(n, e)
}

func (b filesSection) prove(n *fileNode, e *mcpsf.Event) {
	if p, ok := b.proofs[e.Seq]; ok && n != nil {
		n.Level = moreSevere(n.Level, severityLevel(p.severity))
	}
}
