package document

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"go.yaml.in/yaml/v3"
)

// maxYAML bounds the documents of one file.
// no gap: a larger document is not used, and its reader says so
const maxYAML = 4

// ErrAlias says that something stands in a YAML file only by reference. No
// package manager writes that, and following it is how a small file becomes
// a large one.
var ErrAlias = errors.New("it refers to parts of itself (YAML aliases), which are left out")

// YAML reads the documents of a YAML file. Scalars are text, whatever they
// look like.
func YAML(data []byte) ([]*Value, error) {
	if tokens(data) > 2*MaxValues {
		return nil, errMany
	}
	var docs []*Value
	var left error
	dec := yaml.NewDecoder(bytes.NewReader(data))
	for len(docs) < maxYAML {
		var node yaml.Node
		err := decode(dec, &node)
		if errors.Is(err, io.EOF) {
			return docs, left
		}
		if err != nil {
			return docs, err
		}
		v := Value{}
		if len(node.Content) > 0 {
			if err := convert(&v, node.Content[0], 0); err != nil {
				left = err
			}
		}
		docs = append(docs, &v)
	}
	return docs, fmt.Errorf("it has more than %d documents", maxYAML-1)
}

// tokens is more than the library can make values of, which it does for the
// whole file before anybody can stop it; about twice as many in real files.
func tokens(data []byte) int {
	n := 0
	for _, c := range data {
		switch c {
		case '\n', ',', '[', '{', ':', '-', '?':
			n++
		}
	}
	return n
}

// decode reads one document. The library's messages quote the file, and a
// mistake in the library itself must not be the end of a scan.
func decode(dec *yaml.Decoder, node *yaml.Node) (err error) {
	defer func() {
		if recover() != nil {
			err = errors.New("the YAML reader gave up on it")
		}
	}()
	if err = dec.Decode(node); err != nil && !errors.Is(err, io.EOF) {
		return errors.New("it is not YAML")
	}
	return err
}

func convert(to *Value, from *yaml.Node, depth int) error {
	if depth > MaxDepth {
		return errDeep
	}
	var left error
	switch from.Kind {
	case yaml.ScalarNode:
		*to = Value{kind: text, text: from.Value}
		if from.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) == 0 &&
			(from.Value == "true" || from.Value == "false") {
			to.kind = word
		}
	case yaml.SequenceNode:
		*to = Value{kind: list, values: make([]Value, len(from.Content))}
		for i, item := range from.Content {
			left = first(left, convert(&to.values[i], item, depth+1))
		}
	case yaml.MappingNode:
		n := len(from.Content) / 2
		*to = Value{kind: object, keys: make([]string, n), values: make([]Value, n)}
		for i := range n {
			to.keys[i] = from.Content[2*i].Value
			left = first(left, convert(&to.values[i], from.Content[2*i+1], depth+1))
		}
	default:
		return ErrAlias
	}
	return left
}

func first(a, b error) error {
	if a != nil {
		return a
	}
	return b
}
