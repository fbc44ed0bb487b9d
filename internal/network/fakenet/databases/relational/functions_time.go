package relational

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

func timeFunctions() map[string]function {
	now := function{most: 1, result: Type{Kind: TimestampTZ}, call: func(r *run, _ []Value) (Value, error) { return r.now, nil }}
	today := function{result: Type{Kind: Date}, call: func(r *run, _ []Value) (Value, error) { return r.now.Truncate(24 * time.Hour), nil }}
	part := func(name string) function {
		return function{least: 1, most: 1, result: Type{Kind: Int4}, call: func(r *run, a []Value) (Value, error) {
			return timePart(r, name, a[0], true)
		}}
	}
	list := map[string]function{
		"now": now, "current_timestamp": now, "localtimestamp": now, "clock_timestamp": now, "statement_timestamp": now, "transaction_timestamp": now,
		"sysdate": now, "utc_timestamp": now, "current_date": today, "curdate": today,
		"date_part": {least: 2, most: 2, result: Type{Kind: Float8}, call: func(r *run, a []Value) (Value, error) {
			return timePart(r, strings.ToLower(r.show(a[0])), a[1], false)
		}},
		"date_trunc": {least: 2, most: 3, result: Type{Kind: TimestampTZ}, call: truncated},
		"date": {least: 1, most: 1, result: Type{Kind: Date}, call: func(r *run, a []Value) (Value, error) {
			return r.cast(a[0], Type{Kind: Date}, "")
		}},
		"to_char":     {least: 2, most: 2, result: Type{Kind: Text}, call: toChar},
		"date_format": {least: 2, most: 2, result: Type{Kind: Text}, call: dateFormat},
		"interval": {least: 2, most: 2, result: Type{Kind: Interval}, call: func(r *run, a []Value) (Value, error) {
			return r.show(a[0]) + " " + r.show(a[1]), nil
		}},
		"date_add": {least: 2, most: 2, result: Type{Kind: TimestampTZ}, call: func(r *run, a []Value) (Value, error) { return moved(r, a[0], a[1], 1) }},
		"date_sub": {least: 2, most: 2, result: Type{Kind: TimestampTZ}, call: func(r *run, a []Value) (Value, error) { return moved(r, a[0], a[1], -1) }},
		"datediff": {least: 2, most: 2, result: Type{Kind: Int4}, call: func(r *run, a []Value) (Value, error) {
			x, err := toTime(r, a[0], Date)
			if err != nil {
				return nil, err
			}
			y, err := toTime(r, a[1], Date)
			if err != nil {
				return nil, err
			}
			return int64(x.(time.Time).Sub(y.(time.Time)).Hours() / 24), nil
		}},
		"unix_timestamp": {most: 1, result: Type{Kind: Int8}, call: func(r *run, a []Value) (Value, error) {
			if len(a) == 0 {
				return r.now.Unix(), nil
			}
			v, err := timePart(r, "epoch", a[0], true)
			return v, err
		}},
		"to_timestamp": {least: 1, most: 2, result: Type{Kind: TimestampTZ}, call: func(r *run, a []Value) (Value, error) {
			if f, isNumber := prefixNumber(a[0]); isNumber {
				return time.Unix(int64(max(min(f, 1<<36), -1<<36)), 0).UTC(), nil
			}
			return r.cast(a[0], Type{Kind: TimestampTZ}, "")
		}},
	}
	for _, name := range []string{"year", "month", "day", "hour", "minute", "second"} {
		list[name] = part(name)
	}
	return list
}

// part is a part of a time.
func timePart(r *run, name string, v Value, isWhole bool) (Value, error) {
	v, err := toTime(r, v, TimestampTZ)
	if err != nil {
		return nil, err
	}
	t := v.(time.Time)
	year, week := t.ISOWeek()
	n, known := map[string]int64{
		"year": int64(t.Year()), "month": int64(t.Month()), "day": int64(t.Day()), "hour": int64(t.Hour()), "minute": int64(t.Minute()), "second": int64(t.Second()),
		"dow": int64(t.Weekday()), "doy": int64(t.YearDay()), "epoch": t.Unix(), "quarter": int64(t.Month()+2) / 3, "week": int64(week), "isoyear": int64(year),
	}[name]
	if !known {
		return nil, r.engine.problem("22023", 1064, `unit "%s" not recognized`, "unknown unit '%s'", clip(name))
	}
	if isWhole {
		return n, nil
	}
	return float64(n), nil
}

func truncated(r *run, a []Value) (Value, error) {
	v, err := toTime(r, a[1], TimestampTZ)
	if err != nil {
		return nil, err
	}
	t := v.(time.Time)
	switch strings.ToLower(r.show(a[0])) {
	case "year":
		return time.Date(t.Year(), 1, 1, 0, 0, 0, 0, time.UTC), nil
	case "quarter":
		return time.Date(t.Year(), (t.Month()-1)/3*3+1, 1, 0, 0, 0, 0, time.UTC), nil
	case "month":
		return time.Date(t.Year(), t.Month(), 1, 0, 0, 0, 0, time.UTC), nil
	case "week":
		return t.Truncate(24*time.Hour).AddDate(0, 0, -(int(t.Weekday())+6)%7), nil
	case "day":
		return t.Truncate(24 * time.Hour), nil
	case "hour":
		return t.Truncate(time.Hour), nil
	case "minute":
		return t.Truncate(time.Minute), nil
	}
	return t.Truncate(time.Second), nil
}

func toChar(r *run, a []Value) (Value, error) {
	t, ok := a[0].(time.Time)
	if !ok {
		return r.show(a[0]), nil
	}
	return strings.NewReplacer("YYYY", t.Format("2006"), "MM", t.Format("01"), "DD", t.Format("02"), "HH24", t.Format("15"), "MI", t.Format("04"),
		"SS", t.Format("05"), "Mon", t.Format("Jan"), "Day", t.Format("Monday")).Replace(r.show(a[1])), nil
}

func dateFormat(r *run, a []Value) (Value, error) {
	v, err := toTime(r, a[0], TimestampTZ)
	if err != nil {
		return nil, err
	}
	t := v.(time.Time)
	return strings.NewReplacer("%Y", t.Format("2006"), "%m", t.Format("01"), "%d", t.Format("02"), "%H", t.Format("15"), "%i", t.Format("04"),
		"%s", t.Format("05"), "%S", t.Format("05"), "%M", t.Format("January"), "%b", t.Format("Jan"), "%T", t.Format("15:04:05")).Replace(r.show(a[1])), nil
}

// dates computes with times and intervals; done is false for other values.
func dates(r *run, name string, a, b Value) (v Value, done bool, err error) {
	x, ok := a.(time.Time)
	if !ok {
		if _, other := b.(time.Time); other && name == "+" {
			return dates(r, name, b, a)
		}
		return nil, false, nil
	}
	switch y := b.(type) {
	case time.Time:
		if name == "-" {
			d := x.Sub(y)
			return fmt.Sprintf("%d days %02d:%02d:%02d", int(d.Hours())/24, int(d.Hours())%24, int(d.Minutes())%60, int(d.Seconds())%60), true, nil
		}
	case string:
		if r.engine == Postgres && (name == "+" || name == "-") || r.engine == MySQL && strings.Contains(y, " ") {
			v, err = moved(r, a, b, map[string]int{"+": 1, "-": -1}[name])
			return v, true, err
		}
	case int64:
		if r.engine == Postgres && (name == "+" || name == "-") {
			return x.AddDate(0, 0, max(min(int(y), 1<<20), -1<<20)*map[string]int{"+": 1, "-": -1}[name]), true, nil
		}
	}
	return nil, false, nil
}

// moved adds an interval to a time: "1 day", "2 hours 30 minutes", "01:00:00".
func moved(r *run, at, by Value, sign int) (Value, error) {
	v, err := toTime(r, at, TimestampTZ)
	if err != nil {
		return nil, err
	}
	t := v.(time.Time)
	fields := strings.Fields(strings.ToLower(r.show(by)))
	for len(fields) > 0 {
		n, err := strconv.ParseFloat(fields[0], 64)
		if err != nil || len(fields) < 2 {
			if clock, err := time.Parse(time.TimeOnly, fields[0]); err == nil {
				return t.Add(time.Duration(sign) * clock.Sub(clock.Truncate(24*time.Hour))), nil
			}
			return nil, r.engine.badValue(Interval, r.show(by))
		}
		amount := sign * int(max(min(n, 1e6), -1e6))
		switch strings.TrimSuffix(strings.TrimSuffix(fields[1], "s"), ",") {
		case "year":
			t = t.AddDate(amount, 0, 0)
		case "month", "mon":
			t = t.AddDate(0, amount, 0)
		case "week":
			t = t.AddDate(0, 0, 7*amount)
		case "day":
			t = t.AddDate(0, 0, amount)
		case "hour":
			t = t.Add(time.Duration(amount) * time.Hour)
		case "minute", "min":
			t = t.Add(time.Duration(amount) * time.Minute)
		case "second", "sec":
			t = t.Add(time.Duration(amount) * time.Second)
		default:
			return nil, r.engine.badValue(Interval, r.show(by))
		}
		fields = fields[2:]
	}
	return t, nil
}
