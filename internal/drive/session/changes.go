package session

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/jsonrpc"
	"github.com/mcpsf/mcpsf/internal/drive/transport"
	"github.com/mcpsf/mcpsf/internal/gap"
)

const (
	// maxChanges bounds how many changes of one comparison are reported.
	// gap: changes-not-reported
	maxChanges = 1000
	// maxShown is how much of each side of a change is reported, lead how much of
	// the text before the difference.
	// no gap: bounds what is shown of a change
	maxShown, lead = 4000, 40
)

// changes detects that the server describes itself differently than before, and
// reports it to the tap.
type changes struct {
	lists *lister
	tap   *transport.Meter
	news  *announcements

	latest mcpsf.Session   // the last listing
	missed map[string]bool // lists that the server did not answer then
}

// compare reports the differences between two listings.
func (c *changes) compare(before, now *mcpsf.Session, since mcpsf.ChangeCause) {
	before, now = c.withoutGaps(before, now)
	told := 0
	tell := func(d mcpsf.ChangeDetail) {
		if told++; told <= maxChanges {
			d.Since, d.Announced = since, c.news.of(d.Of)
			c.tap.Changed(c.lists.requests.ledger.lastAsked(), d)
		}
	}
	if before.Instructions != now.Instructions && !(since == mcpsf.SinceLater && undated(before.Instructions) == undated(now.Instructions)) {
		from, to := differing(before.Instructions, now.Instructions)
		tell(mcpsf.ChangeDetail{Of: "instructions", Before: from, After: to})
	}
	for _, kind := range []string{"tool", "resource", "prompt"} {
		old, fresh := entries(before, kind), entries(now, kind)
		for _, name := range slices.Sorted(maps.Keys(old)) {
			if other, ok := fresh[name]; ok {
				fields(old[name], other, func(field, from, to string) {
					if since == mcpsf.SinceLater && undated(from) == undated(to) {
						return // the text contains the date
					}
					tell(mcpsf.ChangeDetail{Of: kind, Name: name, Field: field, Before: from, After: to})
				})
			} else {
				text, _ := jsonrpc.Clip(string(old[name]), maxShown)
				tell(mcpsf.ChangeDetail{Of: kind, Name: name, Before: text})
			}
		}
		for _, name := range slices.Sorted(maps.Keys(fresh)) {
			if _, ok := old[name]; !ok {
				text, _ := jsonrpc.Clip(string(fresh[name]), maxShown)
				tell(mcpsf.ChangeDetail{Of: kind, Name: name, After: text})
			}
		}
	}
	if told > maxChanges {
		c.lists.requests.ledger.gap(gap.ChangesNotReported, maxChanges, told-maxChanges)
	}
	c.remember(now)
}

// withoutGaps returns the listings before and now. A list that was not
// answered, now or before, counts as unchanged.
func (c *changes) withoutGaps(before, now *mcpsf.Session) (*mcpsf.Session, *mcpsf.Session) {
	was := mcpsf.Session{Instructions: before.Instructions, Tools: before.Tools, Resources: before.Resources, Prompts: before.Prompts}
	is := mcpsf.Session{Instructions: now.Instructions, Tools: now.Tools, Resources: now.Resources, Prompts: now.Prompts}
	missed := c.missed
	if before != &c.latest {
		missed = missedIn(before)
	}
	if c.lists.silent["tools"] {
		is.Tools = was.Tools
	} else if missed["tools"] {
		was.Tools = is.Tools
	}
	if c.lists.silent["resources"] {
		is.Resources = was.Resources
	} else if missed["resources"] {
		was.Resources = is.Resources
	}
	if c.lists.silent["prompts"] {
		is.Prompts = was.Prompts
	} else if missed["prompts"] {
		was.Prompts = is.Prompts
	}
	return &was, &is
}

// missedIn returns the lists that a session did not get. Tools are always
// listed first, so a session without an answer to that has no list at all. A
// list that the server does not declare is not requested and not missing.
func missedIn(s *mcpsf.Session) map[string]bool {
	answered, asked := map[string]bool{}, map[string]bool{}
	for i := range s.Calls {
		c := &s.Calls[i]
		if key, list := strings.CutSuffix(c.Method, "/list"); list {
			asked[key] = true
			answered[key] = answered[key] || c.Status != mcpsf.CallTimeout && c.Status != mcpsf.CallCrashed
		}
	}
	missed := map[string]bool{}
	for _, key := range []string{"tools", "resources", "prompts"} {
		missed[key] = !answered["tools"] || asked[key] && !answered[key]
	}
	return missed
}

// remember stores the listing and clears its announcements.
func (c *changes) remember(now *mcpsf.Session) {
	c.missed = maps.Clone(c.lists.silent)
	c.latest = mcpsf.Session{Instructions: now.Instructions, Tools: now.Tools, Resources: now.Resources, Prompts: now.Prompts}
	c.news.clear()
}

// lookBack compares the descriptions of the tools with those at the beginning,
// after more calls than a user makes to try a server: a late rug pull. Tools that
// were added or removed do not count, because the calls may have caused that.
func (c *changes) lookBack(ctx context.Context, earlier *mcpsf.Session) error {
	var now mcpsf.Session
	if err := c.lists.into(ctx, &now); err != nil {
		return err
	}
	before, after := &mcpsf.Session{Calls: earlier.Calls}, &mcpsf.Session{}
	taken := map[int]bool{} // two tools may have the same name
	for _, old := range earlier.Tools {
		for i := range now.Tools {
			if now.Tools[i].Name == old.Name && !taken[i] {
				taken[i] = true
				before.Tools, after.Tools = append(before.Tools, old), append(after.Tools, now.Tools[i])
				break
			}
		}
	}
	c.compare(before, after, mcpsf.SinceCalls)
	return nil
}

// lookAgain lists everything again and compares.
func (c *changes) lookAgain(ctx context.Context) error {
	now := mcpsf.Session{Instructions: c.lists.out.Instructions}
	if err := c.lists.into(ctx, &now); err != nil {
		return err
	}
	c.compare(&c.latest, &now, mcpsf.SinceCalls)
	return nil
}

// announcements are the list_changed notifications that have not been handled
// yet.
type announcements struct {
	mu      sync.Mutex
	methods map[string]bool
}

func newAnnouncements() *announcements { return &announcements{methods: map[string]bool{}} }

func (a *announcements) add(method string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.methods) < maxIrregularities {
		a.methods[method] = true
	}
}

// of reports whether the server has announced a change of its tools, resources
// or prompts.
func (a *announcements) of(kind string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.methods["notifications/"+kind+"s/list_changed"]
}

func (a *announcements) clear() {
	a.mu.Lock()
	defer a.mu.Unlock()
	clear(a.methods)
}
