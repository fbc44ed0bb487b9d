package document

import (
	"encoding/hex"
	"strconv"
	"time"
)

// show is a value as a text.
func show(v any) any {
	switch v := v.(type) {
	case string:
		return v
	case bool:
		return strconv.FormatBool(v)
	case int32:
		return strconv.Itoa(int(v))
	case int64:
		return strconv.FormatInt(v, 10)
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	case ID:
		return hex.EncodeToString(v[:])
	case time.Time:
		return v.Format("2006-01-02T15:04:05.000Z")
	}
	return nil
}
