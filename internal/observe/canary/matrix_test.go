package canary

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

// cannot returns why a pair of encodings is not recognised, or "".
func cannot(outer, inner encoding, value []byte) string {
	few := func(e encoding) bool { // separators
		return e.link == nameSplit && len(value) < 16
	}
	compressed := inner.link == nameGzip || inner.link == nameZlib || inner.link == nameZstd || inner.link == nameDeflate
	switch {
	case few(outer) || few(inner):
		return "separators are recognised by the third"
	case outer.link == nameFold && compressed:
		return "the case of compressed bytes is lost"
	case inner.link == nameDeflate && !slices.Contains([]string{nameGzip, nameZlib, nameZstd, nameDeflate, nameBase64, nameBase32}, outer.link),
		inner.link == nameDeflate && strings.Contains(outer.name, "+"):
		return "deflated data without a header is recognised at the beginning of something only"
	case outer.link == nameSplit && outer.name == inner.name:
		return "the separators cannot be told from each other"
	case strings.HasPrefix(outer.link, "xor") && (inner.link == nameEscape || inner.link == nameHTML || inner.link == nameSplit || inner.link == nameURL || inner.link == nameUTF16 || strings.HasPrefix(inner.name, "hex") || inner.name == "query"):
		return "the key has to be guessed"
	}
	return ""
}

// wanted reports whether a chain is that of a pair. An encoding that leaves its
// input visible, as compression of incompressible data does, need not be named.
func wanted(chain []string, outer, inner encoding, value []byte) bool {
	once := inner.do(value)
	hideInner, hideOuter := visible(once, value), visible(outer.do(once), once)
	for try := range 4 {
		var want []string
		if try&1 == 0 {
			want = append(want, outer.link)
		}
		if try&2 == 0 {
			want = append(want, inner.link)
		}
		if (try&1 == 0 || hideOuter) && (try&2 == 0 || hideInner) && slices.Equal(likened(chain), likened(want)) {
			return true
		}
	}
	return false
}

func visible(in, value []byte) bool { return bytes.Contains(in, value[len(value)/3:2*len(value)/3]) }

// likened sorts interchangeable encodings and removes invisible ones:
// TestSingle checks a change of case.
func likened(chain []string) []string {
	var c []string
	for _, name := range chain {
		if strings.HasPrefix(name, "xor") {
			name = "xor"
		}
		if name != "" && name != nameFold {
			c = append(c, name)
		}
	}
	bytewise := []string{nameReverse, nameRot13, nameRot47, nameSplit, nameUTF16, "xor"}
	for i := 1; i < len(c); i++ {
		for k := i; k > 0 && slices.Contains(bytewise, c[k]) && slices.Contains(bytewise, c[k-1]) && c[k] < c[k-1]; k-- {
			c[k], c[k-1] = c[k-1], c[k]
		}
	}
	for i := 0; i+1 < len(c); {
		switch {
		case c[i] == c[i+1] && (c[i] == nameReverse || c[i] == nameRot13 || c[i] == nameRot47):
			c = slices.Delete(c, i, i+2)
			i = 0
		case c[i] == c[i+1] && (c[i] == "xor" || c[i] == nameSplit),
			c[i] == nameSplit && c[i+1] == nameHex: // with separators
			c = slices.Delete(c, i, i+1)
		default:
			i++
		}
	}
	return c
}

func TestPairs(t *testing.T) {
	set := compile(t, kinds())
	plain := encoding{"plain", "", slices.Clone[[]byte], false}
	all := append([]encoding{plain}, encodings(t)...)
	for k, mark := range kinds() {
		for i, outer := range all {
			for j, inner := range all {
				if i == 0 && j > 0 || os.Getenv("MCPSF_NIGHTLY") == "" && (i+j+k)%5 != 0 {
					continue
				}
				data := outer.do(inner.do(mark.Value))
				if outer.link != nameDeflate {
					data = slices.Concat([]byte(`{"id":7,"data":"`), data, []byte(`","at":1}`))
				}
				checkPair(t, set, mark, outer, inner, data)
			}
		}
	}
}

func checkPair(t *testing.T, set *Set, mark Mark, outer, inner encoding, data []byte) {
	t.Helper()
	hits := set.Bytes(data)
	title := fmt.Sprintf("%s of %s, %s", outer.name, inner.name, mark.ID)
	why := cannot(outer, inner, mark.Value)
	switch {
	case why != "":
		return
	case len(hits) != 1 || hits[0].Mark != mark.ID:
		t.Errorf("%s: %s", title, brief(hits))
	case outer.name == "query" || inner.name == "query", outer.name == "rot47" && inner.link == nameSplit,
		outer.link == nameSplit && (inner.name == "rot47" || inner.name == `\x`), outer.name == inner.name, strings.HasPrefix(outer.link, "xor") && mark.ID != "ssh":
		// The mark was found; the name of the chain may vary.
	case !wanted(hits[0].Chain, outer, inner, mark.Value):
		t.Errorf("%s: chain %q", title, hits[0].Chain)
	}
}

func brief(hits []Hit) string {
	var s []string
	for _, h := range hits {
		s = append(s, fmt.Sprintf("%s %v %.2f at %d to %d", h.Mark, h.Chain, h.Share, h.From, h.To))
	}
	return strings.Join(s, ", ")
}
