package main

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/mcpsf/mcpsf/internal/observe/canary"
)

const (
	// searched is how many bytes are searched at a time, and piece how many come
	// at once.
	searched = 1 << 20
	piece    = 16 << 10
	// planted is the approximate number of canaries in a run.
	planted = 60
)

// searches look for canaries where there are none, in all encodings, compared
// with one plain search for one of them.
func searches(context.Context, *lab) ([]*row, error) {
	d := rand.New(rand.NewPCG(1, 2))
	marks := make([]canary.Mark, 0, planted)
	for i := range planted {
		marks = append(marks, canary.Mark{ID: fmt.Sprint(i), Value: secret(d, 20+d.IntN(60))})
	}
	marks = append(marks, canary.Mark{ID: "key", Value: secret(d, 1700)}) // as long as a private key
	set, err := canary.Compile(marks)
	if err != nil {
		return nil, err
	}
	var rows []*row
	for _, input := range []struct {
		name  string
		bytes []byte
		least float64
	}{{"text", text(d), 200}, {"JSON", records(d), 200}, {"random bytes", noise(d, searched), 200}, {"base64", []byte(base64.StdEncoding.EncodeToString(noise(d, searched/4*3))), 0}} {
		rows = append(rows, &row{
			Name: "search in " + input.name, Unit: "MB/s", Least: input.least, alone: true,
			ours: searcher(set, input.bytes), beside: finder(marks[0].Value, input.bytes),
		})
	}
	return rows, nil
}

func searcher(set *canary.Set, data []byte) way {
	return func(context.Context) (float64, error) {
		st := set.Stream(nil)
		found := 0
		for p := data; len(p) > 0; p = p[min(len(p), piece):] {
			found += len(st.Write(p[:min(len(p), piece)]))
		}
		if found += len(st.Close()); found > 0 {
			return 0, errors.New("something was found where nothing is")
		}
		return float64(len(data)) / 1e6, nil
	}
}

func finder(value, data []byte) way {
	return func(context.Context) (float64, error) {
		if bytes.Contains(data, value) {
			return 0, errors.New("something was found where nothing is")
		}
		return float64(len(data)) / 1e6, nil
	}
}

func secret(d *rand.Rand, n int) []byte {
	const from = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
	p := make([]byte, n)
	for i := range p {
		p[i] = from[d.IntN(len(from))]
	}
	return p
}

func noise(d *rand.Rand, n int) []byte {
	p := make([]byte, n)
	for i := range p {
		p[i] = byte(d.Uint32())
	}
	return p
}

func word(d *rand.Rand) string {
	words := strings.Fields("a able about account after again all also an and any are as at back be because been before between both but by call can case change come could day did do each even find first for from get give go good great hand has have he help here high his home how if in into is it its just keep kind know large last life like line little long look made make man many may me mean might more most much must name need new next no not now number of off old on one only or order other our out over own page part people place point program public read report right same say see server set she should show small so some state still such system take tell than that the their them then there these they thing think this those through time to too two under up use value very want was way we well were what when where which while who why will with word work world would write year you your")
	return words[d.IntN(len(words))]
}

func text(d *rand.Rand) []byte {
	var b bytes.Buffer
	for b.Len() < searched {
		for range 5 + d.IntN(12) {
			b.WriteString(word(d) + " ")
		}
		b.WriteString("and so on.\n")
	}
	return b.Bytes()
}

func records(d *rand.Rand) []byte {
	var b bytes.Buffer
	for b.Len() < searched {
		fmt.Fprintf(&b, `{"id":%d,"name":"%s","private":false,"url":"https://api.example/users/%s/repos","description":"%s %s %s","sha":"%016x","created_at":"2025-0%d-1%dT10:0%d:00Z","score":%.6f},`+"\n",
			d.IntN(1e9), word(d), word(d), word(d), word(d), word(d), d.Uint64(), 1+d.IntN(9), d.IntN(10), d.IntN(10), d.Float64())
	}
	return b.Bytes()
}
