package services

import (
	"math/rand/v2"
	"net/http"
	"strings"
)

// forge answers like the APIs of GitHub and Notion, with the fields that their
// clients read.
func forge(s *Services, r *Request) *Answer {
	switch host := r.Domain(); {
	case r.Reads() && strings.Contains(r.Header("Accept"), "raw") && languageOf(r.base()) != "":
		return nil // the raw file
	case host == "api.github.com" || strings.HasPrefix(r.Path, "/api/v3/"):
		return s.github(r)
	case host == "api.notion.com" || r.Header("Notion-Version") != "":
		return s.notion(r)
	}
	return nil
}

func (s *Services) github(r *Request) *Answer {
	d := s.diceFor(r)
	segments := strings.Split(strings.Trim(strings.TrimPrefix(r.Path, "/api/v3"), "/"), "/")
	switch {
	case segments[0] == "graphql" || r.Method == http.MethodDelete:
		return nil
	case segments[0] == "search" && r.base() == "repositories":
		return asJSON(http.StatusOK, object{"total_count": 1, "incomplete_results": false, "items": []object{s.repository(d)}})
	case segments[0] == "user" && len(segments) == 1, segments[0] == "users" && len(segments) == 2:
		return asJSON(http.StatusOK, s.account(d))
	case segments[0] == "repos" && len(segments) == 3:
		return asJSON(http.StatusOK, s.repository(d))
	case len(segments) > 3 && segments[3] == "contents" && r.Method == http.MethodPut:
		return asJSON(http.StatusCreated, object{"content": object{"sha": letters(d, 40, hexDigits)}, "commit": object{"sha": letters(d, 40, hexDigits)}})
	case r.Reads() && segments[len(segments)-1] == "repos":
		return asJSON(http.StatusOK, []object{s.repository(d), s.repository(d)})
	}
	if a := known(s, r); a != nil {
		return a
	}
	if r.Reads() && isPlural(r.base()) {
		return asJSON(http.StatusOK, []object{})
	}
	o := s.thing(d)
	o["number"], o["node_id"], o["html_url"], o["state"], o["sha"] = d.IntN(400)+1, "I_kwDO"+letters(d, 12, alphabet), "https://github.com/", "open", letters(d, 40, hexDigits)
	o["user"] = s.account(d)
	if r.Method == http.MethodPost {
		return asJSON(http.StatusCreated, o)
	}
	return asJSON(http.StatusOK, o)
}

func (s *Services) account(d *rand.Rand) object {
	return object{
		"login": "jlindqvist", "id": d.IntN(9000000) + 1000000, "node_id": "U_kgDO" + letters(d, 6, alphabet), "type": "User",
		"name": "Johan Lindqvist", "email": nil, "html_url": "https://github.com/jlindqvist", "created_at": s.moment(d), "public_repos": 14,
	}
}

func (s *Services) repository(d *rand.Rand) object {
	name := pick(d, "harbor", "toolbox", "notes", "meadow")
	return object{
		"id": d.IntN(900000000), "node_id": "R_kgDO" + letters(d, 6, alphabet), "name": name, "full_name": "jlindqvist/" + name,
		"private": false, "owner": s.account(d), "description": "Internal tools", "fork": false, "default_branch": "main",
		"html_url": "https://github.com/jlindqvist/" + name, "clone_url": "https://github.com/jlindqvist/" + name + ".git",
		"stargazers_count": d.IntN(90), "open_issues_count": d.IntN(9), "created_at": s.moment(d), "updated_at": s.moment(d), "pushed_at": s.moment(d),
	}
}

func (s *Services) notion(r *Request) *Answer {
	if a := known(s, r); a != nil {
		return a
	}
	d := s.diceFor(r)
	if isPlural(r.base()) && r.Reads() || hasAny(r.Path, "/query", "/search", "/children") {
		return asJSON(http.StatusOK, object{"object": "list", "results": []string{}, "next_cursor": nil, "has_more": false, "type": "page_or_database", "page_or_database": object{}})
	}
	kind := "page"
	if strings.Contains(r.Path, "users") {
		kind = "user"
	}
	return asJSON(http.StatusOK, object{
		"object": kind, "id": uuid(d), "created_time": s.moment(d), "last_edited_time": s.moment(d), "archived": false,
		"properties": object{}, "parent": object{"type": "workspace", "workspace": true}, "url": "https://www.notion.so/" + letters(d, 32, hexDigits),
		"name": "Integration", "type": "bot",
	})
}
