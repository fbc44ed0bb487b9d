package relational

import (
	"strconv"
	"strings"
)

// typeName reads the name of a type with its size.
func (p exprParser) typeName() (t Type, name string) {
	tok := p.peek()
	name = strings.ToLower(p.anyName())
	for p.accept(".") {
		name = strings.ToLower(p.anyName())
	}
	if name == "double" {
		p.accept("precision")
	}
	if name == "character" && p.accept("varying") {
		name = "varchar"
	}
	kind, known := kindNamed(name)
	if !known {
		p.raise(p.engine.problem("42704", 1064, `type "%s" does not exist`, "You have an error in your SQL syntax near '%s'", clip(tok.s)))
	}
	t.Kind = kind
	if p.engine == MySQL && name == "timestamp" {
		t.Kind = TimestampTZ
	} else if name == "timestamp" || name == "time" {
		t.Kind = map[string]Kind{"timestamp": Timestamp, "time": Time}[name]
	}
	if p.accept("(") {
		p.size(&t, name)
	}
	if p.is("with", "time", "zone") || p.is("without", "time", "zone") {
		if p.is("with") && t.Kind == Timestamp {
			t.Kind = TimestampTZ
		}
		p.at += 3
	}
	p.accept("unsigned")
	if p.accept("character", "set") || p.accept("charset") {
		p.anyName()
	}
	for p.accept("[") {
		if p.peek().kind == number {
			p.at++
		}
		p.expect("]")
		if t.Kind.integer() {
			t = Type{Kind: IntArray}
		} else {
			t = Type{Kind: TextArray}
		}
	}
	return t, name
}

// size reads what is in the parentheses behind a type.
func (p exprParser) size(t *Type, name string) {
	if p.peek().kind == number {
		t.Size, _ = strconv.Atoi(p.peek().s)
		p.at++
		if p.accept(",") {
			t.Scale, _ = strconv.Atoi(p.peek().s)
			p.at++
		}
		p.expect(")")
	} else {
		p.skip() // ENUM('a', 'b'), geometry(Point, 4326)
	}
	if name == "tinyint" && t.Size == 1 {
		t.Kind = Bool
	}
	t.Size, t.Scale = min(max(t.Size, 0), 1<<16), min(max(t.Scale, 0), 30)
	if t.Kind != Varchar && t.Kind != Char && t.Kind != Numeric {
		t.Size, t.Scale = 0, 0
	}
}
