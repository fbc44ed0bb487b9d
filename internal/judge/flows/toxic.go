package flows

import (
	"cmp"
	"fmt"
	"slices"
)

// maxFlows bounds the flows in a graph. Their number depends on how many ways
// there are to combine servers of different roles, not on the number of tools.
// no gap: what is larger is taken to allow anything
const maxFlows = 100

// profile is the highest level of a server for each role.
type profile [3]int

// pass is one kind of flow: the minimum level of each role, and the level that
// is reported.
type pass struct {
	level Level
	need  profile
	// told is the minimum level of the tools that are listed.
	told Level
}

// passes are ordered by severity: strangers at both ends; all roles observed;
// all others.
func passes() []pass {
	return []pass{
		{Open, profile{3, 2, 3}, Seen},
		{Seen, profile{2, 2, 2}, Seen},
		{Declared, profile{1, 1, 1}, Declared},
	}
}

// combination is a set of servers that make a flow: one of each party.
type combination struct {
	parties [][]int // indexes of servers
	masks   []int   // the roles of each party, as bits
}

// findFlows finds every minimal set of servers that has all roles. Servers with
// the same roles form one party, so a hundred of them make one flow.
func (g *Graph) findFlows() {
	profiles := make([]profile, len(g.Servers))
	for i := range g.Servers {
		for r, role := range Roles() {
			profiles[i][r] = rank(g.Servers[i].Roles[role])
		}
	}
	for n, p := range passes() {
		for _, c := range combine(profiles, p.need, passes()[:n]) {
			if len(g.Flows) == maxFlows {
				g.MoreFlows++
				continue
			}
			g.Flows = append(g.Flows, g.flow(p, c))
		}
	}
}

// combine returns the minimal sets of classes that reach need, but not the needs
// of a more severe pass.
func combine(profiles []profile, need profile, graver []pass) []combination {
	classes, members := classify(profiles, need)
	var all []combination
	take := func(set ...int) {
		if !reach(classes, set, need) || slices.ContainsFunc(graver, func(p pass) bool { return reach(classes, set, p.need) }) {
			return
		}
		for i := range set { // a smaller set is enough
			if len(set) > 1 && reach(classes, slices.Delete(slices.Clone(set), i, i+1), need) {
				return
			}
		}
		var c combination
		for _, class := range set {
			c.parties = append(c.parties, members[class])
			c.masks = append(c.masks, maskOf(classes[class], need))
		}
		all = append(all, c)
	}
	for i := range classes {
		take(i)
		for j := i + 1; j < len(classes); j++ {
			take(i, j)
			for k := j + 1; k < len(classes); k++ {
				take(i, j, k)
			}
		}
	}
	return merge(all)
}

// classify groups servers with the same profile, capped at need. Servers that
// contribute nothing are in no class.
func classify(profiles []profile, need profile) (classes []profile, members [][]int) {
	for i, p := range profiles {
		for r := range p {
			if p[r] < need[r] {
				p[r] = 0
			}
		}
		if p == (profile{}) {
			continue
		}
		at := slices.Index(classes, p)
		if at < 0 {
			at = len(classes)
			classes, members = append(classes, p), append(members, nil)
		}
		members[at] = append(members[at], i)
	}
	return classes, members
}

// reach tells whether a set of classes has everything needed.
func reach(classes []profile, set []int, need profile) bool {
	for r := range need {
		if !slices.ContainsFunc(set, func(c int) bool { return classes[c][r] >= need[r] }) {
			return false
		}
	}
	return true
}

func maskOf(p, need profile) int {
	mask := 0
	for r := range need {
		if p[r] >= need[r] {
			mask |= 1 << r
		}
	}
	return mask
}

// merge joins combinations with the same roles that differ in one party only: "a
// with c" and "b with c" become "a or b with c".
func merge(all []combination) []combination {
	for i := range all {
		all[i].sort()
	}
	for i := 0; i < len(all); i++ {
		for j := i + 1; j < len(all); j++ {
			at, ok := differ(&all[i], &all[j])
			if !ok {
				continue
			}
			joined := slices.Concat(all[i].parties[at], all[j].parties[at])
			slices.Sort(joined)
			all[i].parties[at] = slices.Compact(joined)
			all = slices.Delete(all, j, j+1)
			j = i // the result may merge with others
		}
	}
	return all
}

// sort orders the parties by their roles.
func (c *combination) sort() {
	order := make([]int, len(c.parties))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(c.masks[a], c.masks[b]), slices.Compare(c.parties[a], c.parties[b]))
	})
	parties, masks := make([][]int, len(order)), make([]int, len(order))
	for to, from := range order {
		parties[to], masks[to] = c.parties[from], c.masks[from]
	}
	c.parties, c.masks = parties, masks
}

// differ returns the only party in which two combinations differ.
func differ(a, b *combination) (at int, ok bool) {
	if !slices.Equal(a.masks, b.masks) {
		return 0, false
	}
	for i := range a.parties {
		if slices.Equal(a.parties[i], b.parties[i]) {
			continue
		}
		if ok {
			return 0, false
		}
		at, ok = i, true
	}
	return at, ok
}

// flow turns a combination into a flow with its tools.
func (g *Graph) flow(p pass, c combination) Flow {
	f := Flow{ID: fmt.Sprintf("f%d", len(g.Flows)+1), Level: p.level, Triples: 1, AtStake: []string{}}
	roles := map[string]int{} // by server
	for i, servers := range c.parties {
		party := Party{}
		for _, s := range servers {
			party.Servers = append(party.Servers, g.Servers[s].ID)
			roles[g.Servers[s].ID] |= c.masks[i]
		}
		for r, role := range Roles() {
			if c.masks[i]&(1<<r) != 0 {
				party.Roles = append(party.Roles, role)
			}
		}
		f.Parties = append(f.Parties, party)
	}
	for r, role := range Roles() {
		leg := Leg{Role: role, Tools: g.having(role, p.told, func(server string) bool { return roles[server]&(1<<r) != 0 })}
		f.Legs = append(f.Legs, leg)
		f.Triples *= int64(len(leg.Tools))
	}
	for _, s := range g.Servers {
		if _, in := roles[s.ID]; !in && s.Roles[Private].Reaches(p.told) {
			f.AtStake = append(f.AtStake, s.ID)
		}
	}
	return f
}

// having returns the tools of some servers that have a role, strongest first.
func (g *Graph) having(role Role, least Level, of func(server string) bool) []string {
	var tools []*Tool
	for i := range g.Tools {
		if t := &g.Tools[i]; of(t.Server) && t.Level(role).Reaches(least) {
			tools = append(tools, t)
		}
	}
	slices.SortStableFunc(tools, func(a, b *Tool) int { return cmp.Compare(rank(b.Level(role)), rank(a.Level(role))) })
	var ids []string
	for _, t := range tools {
		ids = append(ids, t.ID)
	}
	return ids
}
