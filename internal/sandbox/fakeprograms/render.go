package fakeprograms

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"go.yaml.in/yaml/v3"
)

// render writes items of a kind in one style.
func render(style string, k *kind, items []item) (string, error) {
	switch style {
	case "json": // one object, or a list of them
		if len(items) == 1 {
			return jsonText(items[0].Object)
		}
		return jsonText(objects(items))
	case "array":
		return jsonText(objects(items))
	case "cluster-json": // a list of Kubernetes
		return jsonText(clusterList(items))
	case "cluster-yaml":
		return yamlText(clusterList(items))
	case "yaml":
		if len(items) == 1 {
			return yamlText(items[0].Object)
		}
		return yamlText(objects(items))
	case "lines":
		return jsonLines(items)
	case "table":
		return table(k.Header, rows(items)), nil
	case "table-namespaces":
		return table(append([]string{"NAMESPACE"}, k.Header...), withNamespace(items)), nil
	case "rows": // a table for programs
		return tabbed(rows(items)), nil
	case "names":
		return strings.Join(names(items, ""), "\n"), nil
	case "names-in-line":
		return strings.Join(names(items, ""), " "), nil
	case "kind-names":
		return strings.Join(names(items, k.Words[min(1, len(k.Words)-1)]+"/"), "\n"), nil
	}
	return "", fmt.Errorf("unknown style %q", style)
}

func clusterList(items []item) map[string]any {
	return map[string]any{"apiVersion": "v1", "kind": "List", "metadata": map[string]any{"resourceVersion": ""}, "items": objects(items)}
}

func objects(items []item) []any {
	list := []any{}
	for i := range items {
		list = append(list, items[i].Object)
	}
	return list
}

func names(items []item, prefix string) []string {
	var list []string
	for i := range items {
		list = append(list, prefix+items[i].Name)
	}
	return list
}

func rows(items []item) [][]string {
	var list [][]string
	for i := range items {
		list = append(list, items[i].Row)
	}
	return list
}

func withNamespace(items []item) [][]string {
	list := rows(items)
	for i := range list {
		space := "default"
		if meta, ok := items[i].Object["metadata"].(map[string]any); ok {
			if s, ok := meta["namespace"].(string); ok {
				space = s
			}
		}
		list[i] = append([]string{space}, list[i]...)
	}
	return list
}

func jsonText(v any) (string, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "    ")
	if err := e.Encode(plain(v)); err != nil {
		return "", err
	}
	return strings.TrimSuffix(b.String(), "\n"), nil
}

// jsonLines has one object in each line.
func jsonLines(items []item) (string, error) {
	var lines []string
	for i := range items {
		line, err := json.Marshal(plain(items[i].flat()))
		if err != nil {
			return "", err
		}
		lines = append(lines, string(line))
	}
	return strings.Join(lines, "\n"), nil
}

func (it *item) flat() map[string]any {
	if it.Fields != nil {
		return it.Fields
	}
	return it.Object
}

func yamlText(v any) (string, error) {
	var b bytes.Buffer
	e := yaml.NewEncoder(&b)
	e.SetIndent(2)
	if err := e.Encode(plain(v)); err != nil {
		return "", err
	}
	return strings.TrimSuffix(b.String(), "\n"), nil
}

// plain turns times, which the YAML reader recognises, back into text.
func plain(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for key, inner := range v {
			out[key] = plain(inner)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = plain(v[i])
		}
		return out
	case time.Time:
		return v.Format(time.RFC3339)
	}
	return v
}

// table has columns that are aligned, with three spaces between them.
func table(header []string, lines [][]string) string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 3, ' ', 0)
	fmt.Fprintln(w, strings.Join(header, "\t"))
	for _, line := range lines {
		fmt.Fprintln(w, strings.Join(line, "\t"))
	}
	_ = w.Flush()
	return strings.TrimSuffix(b.String(), "\n")
}

func tabbed(lines [][]string) string {
	var all []string
	for _, line := range lines {
		all = append(all, strings.Join(line, "\t"))
	}
	return strings.Join(all, "\n")
}

// describe returns the long description of an item.
func (it *item) describe() string {
	if it.Text != "" {
		return strings.TrimSuffix(it.Text, "\n")
	}
	text := "Name:         " + it.Name
	if meta, ok := it.Object["metadata"].(map[string]any); ok {
		if space, ok := meta["namespace"].(string); ok {
			text += "\nNamespace:    " + space
		}
		if labels, ok := meta["labels"].(map[string]any); ok {
			for _, key := range slices.Sorted(maps.Keys(labels)) {
				text += fmt.Sprintf("\nLabels:       %s=%v", key, labels[key])
			}
		}
	}
	return text + "\nAnnotations:  <none>\nEvents:       <none>"
}
