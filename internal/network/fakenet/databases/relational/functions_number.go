package relational

import (
	"math"
)

// ofNumber makes a function of one number.
func ofNumber(result Type, f func(float64) float64) function {
	return function{least: 1, most: 1, result: result, call: func(r *run, a []Value) (Value, error) {
		v, err := r.number(a[0])
		if err != nil {
			return nil, err
		}
		n, _ := prefixNumber(v)
		n = f(n)
		if _, isWhole := v.(int64); isWhole && n == math.Trunc(n) && math.Abs(n) < 1e15 {
			return int64(n), nil
		}
		return n, nil
	}}
}

func numberFunctions() map[string]function {
	abs := ofNumber(Type{}, math.Abs)
	abs.like = 1
	ceiling, power := ofNumber(Type{Kind: Numeric}, math.Ceil), function{least: 2, most: 2, result: Type{Kind: Float8}, call: power}
	random := function{result: Type{Kind: Float8}, most: 1, call: func(*run, []Value) (Value, error) {
		return 0.5, nil // the same in every run
	}}
	return map[string]function{
		"abs": abs, "ceil": ceiling, "ceiling": ceiling, "floor": ofNumber(Type{Kind: Numeric}, math.Floor), "sqrt": ofNumber(Type{Kind: Float8}, math.Sqrt),
		"exp": ofNumber(Type{Kind: Float8}, math.Exp), "ln": ofNumber(Type{Kind: Float8}, math.Log), "log": ofNumber(Type{Kind: Float8}, math.Log10),
		"sign":  ofNumber(Type{Kind: Int4}, func(f float64) float64 { return map[bool]float64{true: 1}[f > 0] - map[bool]float64{true: 1}[f < 0] }),
		"pi":    {result: Type{Kind: Float8}, call: func(*run, []Value) (Value, error) { return math.Pi, nil }},
		"power": power, "pow": power, "random": random, "rand": random,
		"round": {least: 1, most: 2, result: Type{Kind: Numeric, Scale: -1}, call: func(r *run, a []Value) (Value, error) { return rounded(r, a, math.Round) }},
		"trunc": {least: 1, most: 2, result: Type{Kind: Numeric, Scale: -1}, call: func(r *run, a []Value) (Value, error) { return rounded(r, a, math.Trunc) }},
		"mod":   {least: 2, most: 2, like: 1, call: func(r *run, a []Value) (Value, error) { return r.arithmetic("%", a[0], a[1]) }},
		"div":   {least: 2, most: 2, like: 1, call: func(r *run, a []Value) (Value, error) { return r.arithmetic("div", a[0], a[1]) }},
	}
}

func power(r *run, a []Value) (Value, error) { return r.arithmetic("^", a[0], a[1]) }

func rounded(r *run, a []Value, f func(float64) float64) (Value, error) {
	v, err := r.number(a[0])
	if err != nil {
		return nil, err
	}
	n, _ := prefixNumber(v)
	scale := 1.0
	if len(a) > 1 {
		scale = math.Pow10(max(min(whole(a[1]), 15), -15))
	}
	return f(n*scale) / scale, nil
}
