package attack

import (
	"github.com/mcpsf/mcpsf"
)

func graphqlInjection() Class {
	return Class{
		ID:    "graphql-injection",
		Title: "A value becomes part of a GraphQL query",
		Yield: kinds{"id": 15, "name": 15, "text": 10, "query": 10, "unknown": 8, "email": 5}.about(prose(40), "graphql"),
		Payloads: queryPayloads("graphql", mcpsf.SignQuery, [][2]string{
			{"¤\"){__typename} §:__typename #", "second field, the rest a comment"},
			{"1){__typename} §:__typename #", "second field where no quotes are"},
			{"¤\") { __typename } } query § { __typename #", "second query"},
			{"¤\", §: \"", "second argument"},
		}),
		Balanced: 1,
	}
}
