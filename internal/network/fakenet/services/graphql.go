package services

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
)

// question is one GraphQL operation as a client sends it.
type question struct {
	Query     string                     `json:"query"`
	Operation string                     `json:"operationName"` //nolint:tagliatelle // the protocol's name
	Variables map[string]json.RawMessage `json:"variables"`
	Extension struct {
		Persisted *struct{} `json:"persistedQuery"` //nolint:tagliatelle // as above
	} `json:"extensions"`
}

// no gap: bounds our own made-up answers
const maxBatch = 20

// graph answers GraphQL with a value for every requested field.
func graph(s *Services, r *Request) *Answer {
	asked, batch, ok := questions(r)
	if !ok {
		return nil
	}
	answers := make([]object, 0, len(asked))
	for i := range asked {
		answers = append(answers, s.answerGraph(r, &asked[i]))
	}
	if batch {
		return asJSON(http.StatusOK, answers)
	}
	return asJSON(http.StatusOK, answers[0])
}

func (s *Services) answerGraph(r *Request, q *question) object {
	doc := parseGraph(q.Query)
	switch {
	case q.Query == "" && q.Extension.Persisted != nil: // the query is given only by its hash
		return graphError("PersistedQueryNotFound", "PERSISTED_QUERY_NOT_FOUND")
	case doc == nil:
		return graphError("Syntax Error: Expected Name, found <EOF>.", "GRAPHQL_PARSE_FAILED")
	}
	f := &filler{s: s, d: s.diceFor(r), doc: doc, variables: q.Variables, left: maxGraph}
	op := doc.operation(q.Operation)
	return object{"data": f.object(op.fields, op.kind, 0)}
}

func graphError(message, code string) object {
	return object{"errors": []object{{"message": message, "extensions": object{"code": code}}}}
}

// questions recognises GraphQL requests: by their path, or by a body that is a
// query.
func questions(r *Request) (asked []question, batch, ok bool) {
	named := slices.Contains([]string{"graphql", "graphql.json", "gql", "graphiql"}, strings.ToLower(r.base())) || strings.Contains(r.Path, "/graphql/")
	if r.Reads() {
		q := question{Query: r.Query.Get("query"), Operation: r.Query.Get("operationName")}
		_ = json.Unmarshal([]byte(r.Query.Get("variables")), &q.Variables) // or no variables
		return []question{q}, false, named && q.Query != ""
	}
	if r.Method != http.MethodPost {
		return nil, false, false
	}
	if strings.HasPrefix(r.Header("Content-Type"), "application/graphql") && !strings.Contains(r.Header("Content-Type"), "json") {
		return []question{{Query: string(r.Kept)}}, false, true
	}
	var one question
	if json.Unmarshal(r.Kept, &one) == nil {
		return []question{one}, false, named || strings.Contains(one.Query, "{") && parseGraph(one.Query) != nil
	}
	if json.Unmarshal(r.Kept, &asked) == nil && len(asked) > 0 {
		return asked[:min(len(asked), maxBatch)], true, named
	}
	return []question{{}}, false, named
}
