package html

import (
	"fmt"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// Bounds of the process tree: processes that are kept, that are drawn, and the
// depth. Deeper ones are drawn beside their parent.
// no gap: bounds what is shown; report.json and events.jsonl have everything
const (
	maxTasks     = 5000
	maxProcesses = 200
	maxDepth     = 10
)

type processView struct {
	Roots []*processNode
	// More counts the processes that are not drawn.
	More int
}

// processNode is a process, or several similar ones.
type processNode struct {
	// Programs are what it ran, one after the other.
	Programs []string
	PID      int
	Times    int
	By       string
	Time     string
	End      string
	// Bad is set if it was killed or failed.
	Bad      bool
	Memory   bool
	Remote   string
	Level    string
	Children []*processNode

	parent *processNode
	depth  int
	alike  string
}

// processSection shows which process started which.
type processSection struct{ *index }

// processes builds the tree of processes. Each start of the server numbers its
// processes anew.
func (b processSection) processes() processView {
	var roots []*processNode
	known := make(map[int]*processNode)
	total := 0
	node := func(pid int, parent *processNode) *processNode {
		if n := known[pid]; n != nil || pid == 0 || total >= maxTasks {
			return n
		}
		total++
		n := &processNode{PID: pid, Times: 1}
		known[pid] = n
		if parent == nil {
			roots = append(roots, n)
			return n
		}
		if parent.depth == maxDepth {
			parent = parent.parent
		}
		n.parent, n.depth = parent, parent.depth+1
		parent.Children = append(parent.Children, n)
		return n
	}
	for i := range b.Events {
		e := &b.Events[i]
		if e.Kind == mcpsf.KindSandboxStart {
			clear(known)
		}
		if e.Process == nil {
			continue
		}
		b.follow(e, known, node)
	}
	left := maxProcesses
	var view processView
	view.Roots = view.fold(roots, &left)
	return view
}

func (b processSection) follow(e *mcpsf.Event, known map[int]*processNode, node func(int, *processNode) *processNode) {
	d := e.Process
	switch e.Kind {
	case mcpsf.KindProcessFork:
		if d.Thread {
			return
		}
		if parent := node(e.PID, known[e.PPID]); parent != nil {
			if child := node(d.Child, parent); child != nil && child.Time == "" {
				child.Time, child.By = clock(e.T), b.line(b.caller(e), maxName)
			}
		}
	case mcpsf.KindProcessExec:
		n := node(e.PID, known[e.PPID])
		if n == nil || d.Error != "" {
			return
		}
		if n.Time == "" {
			n.Time, n.By = clock(e.T), b.line(b.caller(e), maxName)
		}
		_, what := b.Describe(e)
		n.Programs = append(n.Programs, b.line(what, maxLine))
		n.Memory = n.Memory || d.Memory
		n.Remote = b.line(d.Remote, maxName)
		if p, ok := b.proofs[e.Seq]; ok {
			n.Level = moreSevere(n.Level, severityLevel(p.severity))
		}
	case mcpsf.KindProcessExit:
		n := known[e.PID]
		if n == nil || d.Thread {
			return
		}
		_, n.End = b.Describe(e)
		n.End, n.Bad = b.line(n.End, 60), d.Code != 0 || d.Signal != ""
	}
}

// fold joins similar neighbours, and draws as many as there is room for.
func (v *processView) fold(nodes []*processNode, left *int) []*processNode {
	var kept []*processNode
	index := make(map[string]*processNode)
	for _, n := range nodes {
		n.identify()
		if same := index[n.alike]; same != nil {
			same.Times += n.Times
			continue
		}
		if *left == 0 {
			v.More += n.size()
			continue
		}
		*left--
		index[n.alike] = n
		kept = append(kept, n)
	}
	for _, n := range kept {
		n.Children = v.fold(n.Children, left)
	}
	return kept
}

// identify computes a text that is equal for equal subtrees; the depth is
// bounded.
func (n *processNode) identify() {
	if n.alike != "" {
		return
	}
	var s strings.Builder
	fmt.Fprintf(&s, "(%q %s %s", n.Programs, n.By, n.End)
	seen := make(map[string]bool)
	for _, c := range n.Children {
		if c.identify(); !seen[c.alike] {
			seen[c.alike] = true
			s.WriteString(c.alike)
		}
	}
	s.WriteByte(')')
	n.alike = s.String()
}

// size counts a process and those below it.
func (n *processNode) size() int {
	total := 1
	for _, c := range n.Children {
		total += c.size()
	}
	return total
}
