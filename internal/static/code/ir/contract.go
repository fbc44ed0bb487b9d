package ir

// Contract is what a file declares about the answers to its requests: forms of data,
// and operations with the form that they accept.
type Contract struct {
	Forms      map[string]*Form `json:"forms,omitempty"`
	Operations []Operation      `json:"operations,omitempty"`
}

// Operation is a request with the answer that the code accepts.
type Operation struct {
	Method string `json:"m,omitempty"`
	// URL is the address or its path; what is not known is {}.
	URL string `json:"u"`
	// Status is the code of success that is accepted, 0 if any is.
	Status int `json:"s,omitempty"`
	// Answer is the form of the body. Key is its member that the body is, "" if it is
	// all of it.
	Answer *Form  `json:"a,omitempty"`
	Key    string `json:"k,omitempty"`
}

// The kinds of forms that are no types of JSON.
const (
	// FormAny is anything, FormInteger a whole number.
	FormAny     = "any"
	FormInteger = "integer"
	// FormRef is the form that is declared as Name.
	FormRef = "ref"
	// FormUnion is any one of several, FormAll what all of them have.
	FormUnion = "union"
	FormAll   = "all"
	// FormRecord has members of any name, FormTuple one element of each form.
	FormRecord = "record"
	FormTuple  = "tuple"
	// FormOptional may be missing, FormNullable may be null.
	FormOptional = "optional"
	FormNullable = "nullable"
	// FormPick has only the members in Words, FormOmit all others. FormPartial has all
	// as optional ones, FormWhole has all as required ones.
	FormPick    = "pick"
	FormOmit    = "omit"
	FormPartial = "partial"
	FormWhole   = "whole"
)

// Form is a declared form of data.
type Form struct {
	// Kind is a type of JSON or one of the kinds above.
	Kind    string       `json:"k"`
	Name    string       `json:"n,omitempty"`
	Members []FormMember `json:"m,omitempty"`
	// Of are the parts: the element of a list or record, the alternatives of a union.
	Of []*Form `json:"o,omitempty"`
	// Words are the constants that it is one of.
	Words []string `json:"w,omitempty"`
	// Tests are the other checks, which the value must pass.
	Tests []FlowTest `json:"t,omitempty"`
	// Closed says that an object has no other members.
	Closed bool `json:"c,omitempty"`
}

// FormMember is a member of an object.
type FormMember struct {
	Name string `json:"n"`
	Form *Form  `json:"f"`
}
