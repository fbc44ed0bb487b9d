package services

import (
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/mcpsf/mcpsf/internal/lazyregexp"
	"github.com/mcpsf/mcpsf/internal/network/fakenet/shape"
)

// api answers every request that no other responder knows. A collection has the
// same records at any time: a list shows them, creating one returns the first, and
// each can be asked for by its id.
func api(s *Services, r *Request) *Answer {
	d := s.diceFor(r)
	switch r.Method {
	case http.MethodGet, http.MethodHead:
		if isPlural(r.base()) {
			return asJSON(http.StatusOK, s.list(r, d))
		}
		return asJSON(http.StatusOK, s.record(r))
	case http.MethodPost:
		if isPlural(r.base()) {
			return asJSON(http.StatusCreated, s.entry(r, 0))
		}
		return asJSON(http.StatusOK, object{"ok": true, "success": true, "status": "ok", "id": s.recordID(r)})
	case http.MethodPut, http.MethodPatch:
		return asJSON(http.StatusOK, object{"ok": true, "success": true, "status": "ok", "id": s.recordID(r), "updated_at": s.moment(d)})
	case http.MethodDelete:
		return &Answer{Status: http.StatusNoContent}
	}
	return asJSON(http.StatusMethodNotAllowed, object{"error": "method not allowed"})
}

// record is the record that a request names; its id is repeated only if it is ours.
func (s *Services) record(r *Request) object {
	o := s.thing(s.diceFor(r))
	o["id"] = s.recordID(r)
	return o
}

func (s *Services) recordID(r *Request) int {
	if id, ok := shape.Issued(s.opts.Seed, r.Domain(), r.Path); ok {
		return id
	}
	return shape.ID(s.opts.Seed, r.Domain(), r.Path, 0)
}

// entry is a record of the collection that a request names.
func (s *Services) entry(r *Request, i int) object {
	id := shape.ID(s.opts.Seed, r.Domain(), r.Path, i)
	o := s.thing(s.dice(r.Domain(), strings.TrimSuffix(strings.TrimSuffix(r.Path, "/"), ".json")+"/"+itoa(int64(id))))
	o["id"] = id
	return o
}

// thing is a typical object of an API.
func (s *Services) thing(d *rand.Rand) object {
	name := pick(d, "Aurora", "Meadow", "Cobalt", "Juniper", "Harbor", "Lantern") + " " + pick(d, "One", "Station", "Group", "Studio", "Works")
	return object{
		"id": d.IntN(90000) + 10000, "uuid": uuid(d), "name": name, "title": name, "status": pick(d, "active", "open", "ready"),
		"description": pick(d, "Updated last week.", "No description provided.", "Part of the spring release."),
		"count":       d.IntN(40), "value": float64(d.IntN(10000)) / 100, "created_at": s.moment(d), "updated_at": s.moment(d),
		"items": []string{}, "results": []string{}, "data": object{},
	}
}

// list has a single page.
func (s *Services) list(r *Request, d *rand.Rand) []object {
	list := []object{}
	if isLaterPage(r) {
		return list
	}
	for i := range 2 + d.IntN(2) {
		list = append(list, s.entry(r, i))
	}
	return list
}

// moment is some time in the last half year.
func (s *Services) moment(d *rand.Rand) string {
	day := s.opts.Now().UTC().Truncate(24 * time.Hour)
	return day.Add(-time.Duration(d.IntN(180*24*3600)) * time.Second).Format(time.RFC3339)
}

var plural = lazyregexp.New(`^[a-z_-]{3,}s$|^(search|list|feed|children|people|history)$`)

func isPlural(word string) bool {
	word = strings.ToLower(strings.TrimSuffix(word, ".json"))
	return !slices.Contains(lists().API.Singular, word) && plural.MatchString(word)
}

// weather answers weather APIs, which many example servers use.
func weather(s *Services, r *Request) *Answer {
	if !r.Reads() || !hasAny(r.Domain()+r.Path, lists().API.Weather...) || strings.Contains(r.Header("Accept"), "text/html") {
		return nil
	}
	d := s.diceFor(r)
	temp, wind, text := float64(d.IntN(250))/10, float64(d.IntN(120))/10, pick(d, "scattered clouds", "clear sky", "light rain")
	o := s.thing(d)
	o["main"] = object{"temp": temp, "feels_like": temp - 1, "humidity": 61, "pressure": 1015}
	o["weather"] = []object{{"id": 802, "main": "Clouds", "description": text, "icon": "03d"}}
	o["wind"] = object{"speed": wind, "deg": 240}
	o["current"] = object{"temperature_2m": temp, "wind_speed_10m": wind, "temp_c": temp, "condition": object{"text": text}}
	o["current_weather"] = object{"temperature": temp, "windspeed": wind, "weathercode": 2}
	o["properties"] = object{
		"forecast": "https://" + hostname(r) + "/gridpoints/forecast",
		"periods":  []object{{"name": "Today", "temperature": int(temp), "temperatureUnit": "C", "windSpeed": "10 km/h", "windDirection": "SW", "shortForecast": text, "detailedForecast": text}},
	}
	o["features"], o["list"] = []string{}, []string{}
	return asJSON(http.StatusOK, o)
}
