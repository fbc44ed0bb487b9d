package safetext

import (
	"fmt"
	"log/slog"
)

// Attr is the ReplaceAttr of every logger: a message and its values may quote
// what a target wrote, and the handlers of slog leave some invisible characters
// as they are.
func Attr(_ []string, a slog.Attr) slog.Attr {
	switch v := a.Value.Any().(type) {
	case string:
		a.Value = slog.StringValue(Clean(v))
	case error:
		a.Value = slog.StringValue(Clean(v.Error()))
	case slog.Level, *slog.Source:
	case fmt.Stringer:
		if a.Value.Kind() == slog.KindAny {
			a.Value = slog.StringValue(Clean(v.String()))
		}
	default:
		if a.Value.Kind() == slog.KindAny {
			a.Value = slog.StringValue(Clean(fmt.Sprint(v)))
		}
	}
	return a
}
