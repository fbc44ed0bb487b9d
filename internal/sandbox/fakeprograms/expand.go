package fakeprograms

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// expand makes one answer for each kind, item and format that an answer of the
// table speaks of.
func (p *program) expand() ([]answer, error) {
	var all []answer
	for i := range p.Answers {
		a := &p.Answers[i]
		for _, k := range p.kindsOf(a) {
			for _, it := range itemsOf(a, k) {
				shown, err := p.show(a.about(k, it), k, it)
				if err != nil {
					return nil, fmt.Errorf("%s: %w", strings.Join(a.Words, " "), err)
				}
				all = append(all, shown...)
			}
		}
	}
	return all, nil
}

// kindsOf returns the kinds that an answer is made for, nil for one that is about
// none.
func (p *program) kindsOf(a *answer) []*kind {
	if a.Of == "" && a.Show == "" && !slices.Contains(a.Words, "$kind") {
		return []*kind{nil}
	}
	var list []*kind
	for i := range p.Kinds {
		if a.Of == "" || a.Of == p.Kinds[i].Words[0] {
			list = append(list, &p.Kinds[i])
		}
	}
	return list
}

func itemsOf(a *answer, k *kind) []*item {
	if k == nil || !slices.Contains(a.Words, "$item") && a.Show != "item" {
		return []*item{nil}
	}
	var list []*item
	for i := range k.Items {
		list = append(list, &k.Items[i])
	}
	return list
}

// about fills in the names of a kind and an item.
func (a *answer) about(k *kind, it *item) answer {
	made := *a
	if k == nil {
		return made
	}
	words := []string{"$kind", strings.Join(k.Words, "|")}
	texts := []string{"$plural", k.Words[0], "$singular", k.Words[min(1, len(k.Words)-1)], "$Kind", fmt.Sprint(k.Items[0].Object["kind"])}
	if it != nil {
		words = append(words, "$item", strings.Join(append([]string{it.Name}, it.Also...), "|"))
		texts = append(texts, "$item", it.Name, "$text", it.describe())
	}
	made.Words = slices.Clone(a.Words)
	for i, w := range made.Words {
		made.Words[i] = strings.NewReplacer(words...).Replace(w)
	}
	fill := strings.NewReplacer(texts...)
	made.Out, made.Err, made.Missing = fill.Replace(a.Out), fill.Replace(a.Err), fill.Replace(a.Missing)
	return made
}

// show makes one answer for each format.
func (p *program) show(a answer, k *kind, it *item) ([]answer, error) {
	if a.Show == "" {
		return []answer{a}, nil
	}
	var all []answer
	for _, f := range p.Formats {
		style, items := f.List, k.Items
		if a.Show == "item" {
			style, items = f.Item, []item{*it}
		}
		if style == "" {
			continue
		}
		made := a
		made.When = maps.Clone(f.When)
		if made.When == nil {
			made.When = map[string]string{}
		}
		maps.Copy(made.When, a.When)
		var err error
		if style == "template" {
			made.shell = templateCalls(items)
		} else if made.Out, err = render(style, k, items); err != nil {
			return nil, err
		}
		all = append(all, made)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("no format shows %s", a.Show)
	}
	return all, nil
}
