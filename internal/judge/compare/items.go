package compare

import (
	"fmt"
	"strings"

	"github.com/mcpsf/mcpsf"
)

func findingItems(c *Comparison) []item {
	var list []item
	for _, f := range c.Findings {
		text := string(f.Finding.Grade)
		if f.Was != nil {
			text += fmt.Sprintf(" (was %s, %s)", f.Was.Severity, f.Was.Grade)
		}
		if f.Waived {
			text += ", waived"
		}
		list = append(list, item{
			sign: sign(f.State), kind: fmt.Sprintf("%s %s", f.Finding.Severity, f.Finding.ID), name: strings.TrimSuffix(f.Finding.Message, "."), text: text,
		})
	}
	return list
}

func accessItems(c *Comparison) []item {
	var list []item
	for _, a := range c.Accesses {
		var text []string
		switch {
		case a.Install:
			text = append(text, "while it is installed")
		case a.Tool != "":
			text = append(text, "for "+a.Tool)
		}
		if a.Planted != "" {
			text = append(text, "a planted secret ("+a.Planted+")")
		}
		if a.State == New && a.Explanation.By == mcpsf.ByNobody {
			text = append(text, "nobody explains it")
		}
		list = append(list, item{sign: sign(a.State), kind: string(a.Kind), name: a.Name, text: strings.Join(text, ", ")})
	}
	return list
}

func offerItems(c *Comparison) []item {
	var list []item
	for _, o := range c.Tools {
		i := item{sign: "~", kind: o.Of, name: o.Tool, text: o.What}
		if i.kind == "" {
			i.kind, i.name, _ = strings.Cut(o.Tool, " ")
		}
		switch o.What {
		case "is new":
			i.sign, i.text = "+", ""
		case "is gone":
			i.sign, i.text = "-", ""
		}
		list = append(list, i)
	}
	return list
}

func packageItems(c *Comparison) []item {
	var list []item
	for _, p := range c.Packages {
		i := item{sign: sign(p.State), kind: "package", name: p.Name}
		before, after := bare(p.Old), bare(p.New)
		switch {
		case p.State == New:
			i.text = after
		case p.State == Gone:
			i.text = before
		case before == after:
			i.text = fmt.Sprintf("%s has other files than before", after)
		default:
			i.text = fmt.Sprintf("%s, was %s", after, before)
		}
		list = append(list, i)
	}
	return list
}

// bare removes the digests.
func bare(versions string) string {
	var list []string
	for one := range strings.SplitSeq(versions, ", ") {
		version, _, _ := strings.Cut(one, " ")
		list = append(list, version)
	}
	return strings.Join(list, ", ")
}
