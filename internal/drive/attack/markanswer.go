package attack

import (
	"fmt"
	"strconv"

	"github.com/mcpsf/mcpsf"
)

// answerMarks prove an attack by the server's answer.
func (w *World) answerMarks() []Mark {
	sum := func(class, proof string, marker func(product int) string, check func(Place, string) error) Mark {
		a, b, product := w.Number("proposed "+class, 0)
		return Mark{
			Class: class, Sign: mcpsf.SignAnswer, Marker: marker(product), Texts: []string{strconv.Itoa(a), strconv.Itoa(b)}, Every: true,
			Proof: fmt.Sprintf(proof, a, b), check: check,
		}
	}
	line := "2024-05-17T09:30:00Z INFO " + w.Word("proposed log", 0) + " signed in"
	tag := "<svg onload=" + w.Word("proposed markup", 0) + "()>"
	return []Mark{
		sum(classCode, "the answer holds the digits of %d*%d backwards, which the evaluated code reversed.", reversed, nil),
		sum(classTemplate, "the answer holds the product of %d*%d, which stands in the brackets of a template language.", strconv.Itoa,
			shapedLike(templateBrackets, "it has no brackets of a template")),
		sum(classSQL, "the answer holds the product of %d*%d, which a SELECT in the payload computes.", strconv.Itoa, shapedLike(selects, "it has no SELECT")),
		{
			Class: ClassLog, Sign: mcpsf.SignEcho, Marker: line, Texts: []string{line}, check: onLine(line),
			Proof: "the log of the server has the line \"" + line + "\", which a line end in the value begins.",
		},
		{
			Class: classMarkup, Sign: mcpsf.SignEcho, Marker: tag, Texts: []string{tag},
			Proof: "the tag " + tag + " stands unescaped between tags that the server makes.",
		},
	}
}

// conductMarks need no text: the server's behaviour is the proof.
func conductMarks() []Mark {
	const cost = "the server takes far longer, or answers far more, than for half of it. Repeat the part that makes it costly, so that it can be halved."
	const ends = "the server ends, or answers nothing any more."
	return []Mark{
		{Class: classError, Sign: mcpsf.SignAnswer, Proof: "the error tells a secret of the server; the value provokes an error."},
		{Class: classReDoS, Sign: mcpsf.SignCost, Proof: cost},
		{Class: classAmplification, Sign: mcpsf.SignCost, Proof: cost},
		{Class: classConfusion, Sign: mcpsf.SignCrash, Proof: ends + " The value has another type than the schema asks for."},
		{Class: classNumeric, Sign: mcpsf.SignCrash, Proof: ends},
		{Class: classUnicode, Sign: mcpsf.SignCrash, Proof: ends},
	}
}
