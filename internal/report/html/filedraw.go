package html

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// drawFiles prepares the nodes below n for drawing, the most remarkable first.
func (b filesSection) drawFiles(n *fileNode, left *int) []*fileNode {
	slices.SortStableFunc(n.Children, func(x, y *fileNode) int {
		return cmp.Or(cmp.Compare(y.weight, x.weight), cmp.Compare(x.Name, y.Name))
	})
	var drawn []*fileNode
	rest, hidden := &fileNode{}, 0
	for _, c := range n.Children {
		if *left <= 0 || len(drawn) >= maxChildren && c.weight == 0 {
			hidden += c.gather(rest)
			continue
		}
		*left--
		for len(c.Children) == 1 && c.uses == [len(useLetters)]int64{} { // join a directory with its only entry
			only := c.Children[0]
			only.Name = c.Name + "/" + only.Name
			c = only
		}
		b.drawFile(c, left)
		drawn = append(drawn, c)
	}
	if hidden > 0 {
		n.Rest = fmt.Sprintf("and %s more: %s", thousands(int64(hidden)), rest.words())
	}
	return drawn
}

func (b filesSection) drawFile(n *fileNode, left *int) {
	n.Name = b.line(n.Name, maxName)
	for i, count := range n.uses {
		if count > 0 {
			n.Uses = append(n.Uses, use{useLetters[i : i+1], useNames()[i], thousands(count)})
		}
	}
	n.Tools = b.line(strings.Join(n.tools, ", "), maxName)
	if len(n.tools) == 4 {
		n.Tools = "many"
	}
	if len(n.Children) > 0 {
		n.Inside = plural(n.gather(&fileNode{}), "file")
	}
	n.Open = n.weight > 0
	n.Children = b.drawFiles(n, left)
}

// weigh computes how remarkable a node is, including all below it.
func (n *fileNode) weigh() int {
	if n.Decoy != "" {
		n.weight = 1
	}
	if n.Level != "" {
		n.weight = 2
	}
	for _, c := range n.Children {
		n.weight = max(n.weight, c.weigh())
	}
	return n.weight
}

// gather adds the uses of a node and all below it to another, and counts files.
func (n *fileNode) gather(into *fileNode) int {
	files := 0
	if !n.Dir || len(n.Children) == 0 {
		files = 1
	}
	for i, count := range n.uses {
		into.uses[i] += count
	}
	for _, c := range n.Children {
		files += c.gather(into)
	}
	return files
}

func (n *fileNode) words() string {
	var words []string
	for i, count := range n.uses {
		if count > 0 {
			words = append(words, useNames()[i]+" "+thousands(count)+"×")
		}
	}
	return strings.Join(words, ", ")
}
