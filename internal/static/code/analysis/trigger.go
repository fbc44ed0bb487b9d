package analysis

import (
	"slices"
	"strconv"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
	"github.com/mcpsf/mcpsf/internal/static/code/ir"
)

var (
	calendar = lazyregexp.New(`\.(getHours|getDay|getDate|getMonth|getFullYear|getUTC\w+|weekday|isoweekday|hour|day|month|year|tm_hour|tm_wday|tm_mon|tm_year|getTimezoneOffset)\b`)
	isoDate  = lazyregexp.New(`^(19|20)\d\d-[01]\d(-[0-3]\d)?`)
)

// triggers finds logic bombs: dangerous calls that depend on a date, a host or
// a number of calls.
func triggers(p *Package) []mcpsf.Fact {
	var out []mcpsf.Fact
	for at := range p.calls() {
		f, c := at.file, at.call
		for _, n := range c.Conds {
			cond := &f.Conds[n]
			what := waitsFor(f, cond)
			if what == "" {
				continue
			}
			harm := p.harm(at.index, c)
			if harm == nil || !matters(what, harm) {
				continue
			}
			out = append(out, p.factAt(at, cond.Line, what, cond.Text+" → "+harm.Name))
		}
	}
	return out
}

// harm returns the dangerous call that a call makes, itself or through others.
func (p *Package) harm(file int, c *ir.Call) *ir.Call {
	if grave(c) != "" {
		return c
	}
	if c.To >= 0 {
		return p.graph.leadsTo(spot{file, c.To}, func(_ int, c *ir.Call) bool { return grave(c) != "" })
	}
	if to, ok := p.graph.elsewhere(file, c.Name); ok {
		return p.graph.leadsTo(to, func(_ int, c *ir.Call) bool { return grave(c) != "" })
	}
	for _, a := range c.Args {
		if a.Func > 0 {
			if h := p.graph.leadsTo(spot{file, a.Func}, func(_ int, c *ir.Call) bool { return grave(c) != "" }); h != nil {
				return h
			}
		}
	}
	return nil
}

// matters drops what legitimate programs do, too: checking for updates once a
// day, skipping that in CI, working at certain hours.
func matters(what string, harm *ir.Call) bool {
	power := grave(harm)
	secret := marked(harm, ir.MarkSecret) || harm.On&ir.MarkSecret != 0
	switch what {
	case "calendar", "build machine", "chance":
		return secret || power != mcpsf.CapabilityNetwork && power != mcpsf.CapabilityFiles
	case "time":
		return secret
	}
	return true
}

// waitsFor returns what a condition waits for, "" if nothing remarkable.
func waitsFor(f *ir.File, c *ir.Cond) string {
	marks := c.Marks
	for _, fn := range c.Calls {
		marks |= f.Funcs[fn].Returns
	}
	switch {
	case marks&ir.MarkTime != 0 && absolute(c):
		return "date"
	case marks&ir.MarkTime != 0 && hasCalendar(c):
		return "calendar"
	case marks&ir.MarkTime != 0:
		return "time"
	case marks&ir.MarkHost != 0 && len(c.Values) > 0:
		return "machine or user"
	case marks&ir.MarkCount != 0 && counted(c):
		return "number of calls"
	case marks&ir.MarkCI != 0:
		return "build machine"
	case marks&ir.MarkRandom != 0 && fraction(c):
		return "chance"
	}
	return ""
}

// absolute reports whether a condition contains a date.
func absolute(c *ir.Cond) bool {
	for _, v := range c.Values {
		if isoDate.MatchString(v) {
			return true
		}
		n, err := strconv.ParseFloat(strings.ReplaceAll(strings.TrimSuffix(v, "n"), "_", ""), 64)
		if err == nil && (n > 1.4e12 && n < 3e12 || n > 1.4e9 && n < 3e9 || n >= 2020 && n <= 2045 && hasYear(c)) {
			return true
		}
	}
	return false
}

func hasYear(c *ir.Cond) bool {
	return strings.Contains(c.Text, "ear") || strings.Contains(c.Text, "Date(") || strings.Contains(c.Text, "date(") || strings.Contains(c.Text, "datetime(")
}

func hasCalendar(c *ir.Cond) bool {
	return slices.ContainsFunc(c.Names, calendar.MatchString) || calendar.MatchString(c.Text)
}

// counted reports whether a counter must be above a number. Rate limits require
// the opposite: that it is below.
func counted(c *ir.Cond) bool {
	up := strings.Contains(c.Text, ">") || strings.Contains(c.Text, "==") || strings.Contains(c.Text, "%")
	low := strings.Contains(c.Text, "<")
	for _, v := range c.Values {
		n, err := strconv.ParseFloat(v, 64)
		if err == nil && n >= 2 {
			return !c.Not && up && !strings.Contains(c.Text, "=>") || c.Not && low && !up
		}
	}
	return false
}

func fraction(c *ir.Cond) bool {
	for _, v := range c.Values {
		if n, err := strconv.ParseFloat(v, 64); err == nil && n > 0 && n < 1 {
			return true
		}
	}
	return false
}
