package noninterference

import (
	"maps"
	"slices"
	"strconv"
)

// A resolver asks for a name as often as it likes, so look-ups of one name count
// once. But a server that looks names up again and again can spell a secret in how
// often it does. So the numbers are compared as well, over whole starts.

// leastLookups is by how many look-ups starts must differ.
const leastLookups = 8

// numbersPart names how often names are looked up.
const numbersPart = "number of look-ups"

// countLookups notes how often a call asked for each name.
func (m Messages) countLookups(at place, list []message) {
	counts := map[string]int{}
	for _, l := range list {
		counts[l.parts[0].text]++
	}
	to := place{start: at.start, again: at.again, host: resolver, kind: lookups}
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		m[to] = append(m[to], message{list[0].call, list[0].tool, list[0].t, []part{{name, strconv.Itoa(counts[name])}}})
	}
}

// lookupFlows returns the name whose number of look-ups depends on the secrets.
// Numbers that differ in equal starts tell nothing.
func (r *Runs) lookupFlows() []Flow {
	var out []Flow
	for _, at := range slices.SortedFunc(maps.Keys(r.Usual[0]), inOrder) {
		if at.kind != lookups || at.again > 0 && !r.allMade(at.call()) {
			continue
		}
		u, v, x, y := numbers(r.Usual[0][at]), numbers(r.Usual[1][at]), numbers(r.Other[0][at]), numbers(r.Other[1][at])
		differ := 0
		var found []Flow
		for _, m := range r.Usual[0][at] {
			name := m.parts[0].name
			if u[name] != v[name] || x[name] != y[name] || u[name] == x[name] || u[name] == 0 {
				continue
			}
			differ += max(u[name]-x[name], x[name]-u[name])
			c := comparison{runs: r, at: at}
			c.at.host = name
			c.flow(m, numbersPart, strconv.Itoa(u[name]), strconv.Itoa(x[name]), byRace)
			u[name] = 0 // once
			if found == nil {
				found = c.flows
			}
		}
		if differ >= leastLookups {
			out = append(out, found...)
		}
	}
	return out
}

// sameLookups tells whether the first usual and the first other start ask for each
// name about as often.
func (r *Runs) sameLookups() bool {
	for at, list := range r.Usual[0] {
		if at.kind != lookups {
			continue
		}
		u, x := numbers(list), numbers(r.Other[0][at])
		differ := 0
		for name := range u {
			differ += max(u[name]-x[name], x[name]-u[name])
		}
		if differ >= leastLookups {
			return false
		}
	}
	return true
}

// numbers returns how often a start asked for each name.
func numbers(list []message) map[string]int {
	out := map[string]int{}
	for _, m := range list {
		n, _ := strconv.Atoi(m.parts[0].text)
		out[m.parts[0].name] += n
	}
	return out
}
