package attack

import (
	"strings"

	"github.com/mcpsf/mcpsf"
)

// Mark is the evidence for a payload that a model writes: what the payload must
// contain, and what shows its success. Its programs, files and names differ
// from those of our own payloads.
type Mark struct {
	Class string
	Sign  mcpsf.AttackSign
	// Marker is the marker of the attack, "" if it is taken from the payload or
	// not needed.
	Marker string
	// Texts are what the payload must contain: one of them, or each if Every is
	// set. If empty, any value will do.
	Texts []string
	Every bool
	// Proof describes the evidence to the model that writes the payload.
	Proof string

	// check returns why a payload with the mark still proves nothing.
	check func(p Place, text string) error
}

// In reports whether a payload contains the required texts, plain or encoded.
func (m *Mark) In(text string) bool {
	if len(m.Texts) == 0 {
		return true
	}
	for _, reading := range readings(text) {
		held, lower := 0, strings.ToLower(reading)
		for _, t := range m.Texts {
			if strings.Contains(reading, t) || strings.Contains(lower, t) {
				held++
			}
		}
		if held == len(m.Texts) || held > 0 && !m.Every {
			return true
		}
	}
	return false
}

// First indexes of the programs, files and addresses for payloads that a model
// writes.
const (
	proposedPrograms = 150
	proposedSecrets  = 40 // among the files that have every extension
	proposedVault    = 40
	proposedAddress  = 200
)

// Classes that have marks, besides [ClassLog].
const (
	classCommand       = "command-injection"
	classPath          = "path-traversal"
	classArgument      = "argument-injection"
	classCode          = "code-evaluation"
	classSSRF          = "ssrf"
	classSQL           = "sql-injection"
	classTemplate      = "template-injection"
	classSerial        = "deserialisation"
	classXXE           = "xxe"
	classNoSQL         = "nosql-injection"
	classGraphQL       = "graphql-injection"
	classLDAP          = "ldap-injection"
	classXPath         = "xpath-injection"
	classError         = "secret-in-error"
	classReDoS         = "redos"
	classAmplification = "amplification"
	classConfusion     = "type-confusion"
	classNumeric       = "numeric-edge"
	classUnicode       = "unicode-edge"
)

// Limited reports whether a class is judged by the limits that a tool enforces.
// Another argument that lifts these limits would turn a requested access into a
// finding.
func Limited(class string) bool { return class == classPath || class == classSSRF }

// Untyped reports whether payloads of a class may differ from the schema's
// type.
func Untyped(class string) bool {
	switch class {
	case classConfusion, classNumeric, classError, classNoSQL, classPollution:
		return true
	}
	return false
}

// OnDocuments reports whether a class attacks how a server reads a whole document: its
// payloads are documents, and no values of members.
func OnDocuments(class string) bool {
	return class == classPollution || class == classSerial || class == classNoSQL
}

// Marks lists the marks for payloads that a model writes. Archives and very
// long values have none: a model paid by the token does not write them.
func (w *World) Marks() []Mark {
	var all []Mark
	for _, some := range [][]Mark{w.programMarks(), w.fileMarks(), w.hostMarks(), w.nameMarks(), w.answerMarks(), conductMarks()} {
		all = append(all, some...)
	}
	return all
}

// programMarks prove an attack by a program that runs.
func (w *World) programMarks() []Mark {
	mark := func(i int, class, how string, check func(p Place, text string) error) Mark {
		program := w.Program(proposedPrograms + i)
		return Mark{
			Class: class, Sign: mcpsf.SignExec, Marker: program, Texts: []string{program}, check: check,
			Proof: "the program " + program + " runs, which is on PATH and does nothing. " + how,
		}
	}
	return []Mark{
		mark(0, classCommand, "Its bare name as the value proves nothing.", shapedLike(shellSigns, "it is a command by itself, and no way into one")),
		mark(1, classArgument, "An option makes a program that the server starts run it; no shell is involved.", isOption(w.Program(proposedPrograms+1))),
		mark(2, classCode, "Its name stands in quotes in a call of the language that evaluates the value.", inCall(w.Program(proposedPrograms+2))),
		mark(3, classSerial, "Loading the value as data runs it.", isSerial(w.Program(proposedPrograms+3))),
	}
}

// fileMarks prove an attack by a file that is opened.
func (w *World) fileMarks() []Mark {
	mark := func(i int, class, how string, check func(string) func(Place, string) error) Mark {
		file := w.Secret(proposedSecrets + i)
		return Mark{
			Class: class, Sign: mcpsf.SignOpen, Marker: file, Texts: []string{file[strings.LastIndexByte(file, '/')+1:]}, check: check(file),
			Proof: "the file " + file + " is opened. " + how,
		}
	}
	root, vault := w.Roots[0], w.Vault(proposedVault)
	shape := func(shaped func(Place, string) error) func(string) func(Place, string) error {
		return func(string) func(Place, string) error { return shaped }
	}
	return []Mark{
		mark(0, classPath, "It lies outside of "+root+", where the server works; the same name with .txt, .md, .json, .csv, .log, .yaml, .xml, .html or .py behind it exists, too. "+
			"Its absolute path as it stands proves nothing.", notAsItIs),
		{
			Class: classPath, Sign: mcpsf.SignOpen, Marker: vault, Texts: []string{vault[strings.LastIndexByte(vault, '/')+1:]}, check: notAsItIs(vault),
			Proof: "the directory " + vault + " is opened, or " + twinFile + " in it. Its absolute path as it stands proves nothing.",
		},
		mark(1, classArgument, "An option makes a program that the server starts open it.", isOption),
		mark(2, classSQL, "A second statement or a function of the database opens it.", shape(shapedLike(sqlOpens, "it is no statement that opens a file"))),
		mark(3, classXXE, "An entity or inclusion of an XML document names it.", shape(shapedLike(tagged, "it is no document"))),
		mark(4, classSSRF, "Only where a URL is expected: another scheme than http leads to it.", shape(isFileAddress)),
	}
}

// hostMarks prove an attack by a request to a host.
func (w *World) hostMarks() []Mark {
	i := proposedAddress
	name, address := w.Inward(i)
	rebinds, _ := w.Rebinding(i)
	sends, _ := w.Redirect(i)
	inward := Mark{
		Class: classSSRF, Sign: mcpsf.SignRequest, Marker: address, Texts: []string{address, name, rebinds, strings.Trim(sends[len("http:"):], "/")}, check: notPlainly(address),
		Proof: address + ", an address of the machine itself, is spoken to, in place of the URL or host that is expected. " + name + " resolves to it, " + rebinds +
			" does so from the second time on, and " + sends + " redirects to it. The dotted address as it stands proves nothing.",
	}
	for _, spelling := range []func(*World, int) (string, string){decimal, hexadecimal, octal, short, fullwidth} {
		written, _ := spelling(w, i)
		inward.Texts = append(inward.Texts, written)
	}
	host := func(class string) string { return w.Word("proposed "+class, 0) + "." + w.Zone }
	part := host(classSSRF)
	return []Mark{
		inward,
		{
			Class: classSSRF, Sign: mcpsf.SignRequest, Marker: part, Texts: []string{part}, check: asPart(part),
			Proof: "the host " + part + " is asked for something, because the value, which is no address, becomes part of one. A whole address proves nothing.",
		},
		{
			Class: classXXE, Sign: mcpsf.SignRequest, Marker: host(classXXE), Texts: []string{host(classXXE)}, check: shapedLike(tagged, "it is no document"),
			Proof: "the host " + host(classXXE) + " is asked for something that an XML document refers to.",
		},
		{
			Class: classXPath, Sign: mcpsf.SignRequest, Marker: host(classXPath), Texts: []string{host(classXPath)}, check: shapedLike(xpathCalls, "it calls no function of XPath"),
			Proof: "the host " + host(classXPath) + " is asked for a document by a function such as doc().",
		},
	}
}

// nameMarks are names that appear as code in a query to a database, or in an
// answer to a call that did not contain them.
func (w *World) nameMarks() []Mark {
	mark := func(class string, sign mcpsf.AttackSign, proof string, check func(Place, string) error) Mark {
		word := w.Word("proposed "+class, 0)
		m := Mark{Class: class, Sign: sign, Marker: word, Texts: []string{word}, Proof: strings.ReplaceAll(proof, "§", word), check: check}
		if sign == mcpsf.SignArgument {
			m.Marker, m.check = "", isOption(word)
		}
		return m
	}
	return []Mark{
		mark(classSQL, mcpsf.SignQuery, "the name § stands as a column, outside of all quotes, in what a database is asked.", nil),
		mark(classNoSQL, mcpsf.SignQuery, "the name § stands below an operator ($ne, $where, ...) of a query for documents; the value may be an object.", operates),
		mark(classGraphQL, mcpsf.SignQuery, "the name § stands as a field or an alias in a GraphQL document.", nil),
		mark(classLDAP, mcpsf.SignQuery, "the name § stands as an attribute in an LDAP filter: (§=...).", nil),
		mark(classArgument, mcpsf.SignArgument, "a program that the server starts gets --§ as an argument of its own.", nil),
		mark(classPollution, mcpsf.SignAnswer, "a property that is called § and has the value §, set by way of __proto__ or constructor.prototype, shows in the answer to the next, ordinary call.",
			shapedLike(prototypes, "it names no prototype")),
	}
}
