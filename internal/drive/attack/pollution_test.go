package attack

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf"
)

// mergeServer merges each value into its settings and prints them. Its last
// answer is the response to a notification.
const mergeServer = `
const fs = require('fs');
const merge = (to, from, safe) => {
  for (const k of Object.keys(from)) {
    if (safe && (k === '__proto__' || k === 'constructor')) continue;
    if (from[k] !== null && typeof from[k] === 'object') {
      if (to[k] === undefined || to[k] === null) to[k] = {};
      merge(to[k], from[k], safe);
    } else to[k] = from[k];
  }
};
const settings = {theme: 'dark'};
const answers = JSON.parse(fs.readFileSync(0, 'utf8')).map(([mode, value]) => {
  if (mode !== 'keeps') merge(settings, value, mode === 'safe');
  else settings.last = JSON.parse(JSON.stringify(value));
  const lines = [];
  for (const k in settings) lines.push(k + ': ' + JSON.stringify(settings[k]));
  return JSON.stringify({content: [{type: 'text', text: lines.join('\n')}]});
});
const {id} = JSON.parse('{"method":"notifications/initialized"}');
answers.push(JSON.stringify({id}));
console.log(JSON.stringify(answers));
`

func TestPollutionShowsInTheNextCall(t *testing.T) {
	p := Place{Kind: "json", Type: "object", Value: json.RawMessage(`{"a":1}`)}
	payloads := pollutionPayloads(world(), p)[:prototypePollution().Balanced]
	for mode, want := range map[string]bool{"vulnerable": true, "safe": false, "keeps": false} {
		var cases [][]any
		for _, y := range payloads {
			cases = append(cases, []any{mode, y.Value})
		}
		answers := newMachine(t).answers(cases, "node", "-e", mergeServer)
		shown := false
		for i, y := range payloads {
			detail := &mcpsf.AttackDetail{Class: classPollution, Sign: y.Sign, Marker: y.Marker}
			shown = shown || y.Sign == mcpsf.SignAnswer && Shown(detail, []byte(answers[i]))
		}
		if shown != want {
			t.Errorf("%s: shown in the next call: %v\n%s", mode, shown, strings.Join(answers, "\n"))
		}
		if answered := strings.Contains(answers[len(answers)-1], "mc"); answered != want {
			t.Errorf("%s: a notification has the id %s", mode, answers[len(answers)-1])
		}
	}
}
