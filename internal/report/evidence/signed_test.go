package evidence

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
)

func sumOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// TestPAE: the example of the protocol's specification.
func TestPAE(t *testing.T) {
	if got := string(pae("http://example.com/HelloWorld", []byte("hello world"))); got != "DSSEv1 29 http://example.com/HelloWorld 11 hello world" {
		t.Error(got)
	}
	if got := string(pae("", nil)); got != "DSSEv1 0  0 " {
		t.Error(got)
	}
}

func readOne(t *testing.T, name string) envelope {
	t.Helper()
	all, err := readEnvelopes(bytes.NewReader(get(t, name)))
	if err != nil || len(all) != 1 {
		t.Fatal(all, err)
	}
	return all[0]
}

func TestStatement(t *testing.T) {
	_, private := testKey(t)
	b := packed(t, sampleRun(t, nil), &Options{Key: private})
	body, err := unbase64(readOne(t, b.Statement).Payload)
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]any
	if err := json.Unmarshal(body, &got); err != nil {
		t.Fatal(err)
	}
	zeros, fingerprint := strings.Repeat("0", 128), sampleReport(t, sampleEvents()).Findings[0].Fingerprint
	want := map[string]any{
		"_type":         "https://in-toto.io/Statement/v1",
		"predicateType": PredicateType,
		"subject": []any{
			map[string]any{"name": "pkg:npm/%40notes/server@1.0.0%2Bb", "digest": map[string]any{"mcpsfTree1": strings.Repeat("ab", 32), "sha512": zeros}},
			map[string]any{"name": "evidence.tar.zst", "digest": map[string]any{"sha256": sumOf(get(t, b.Path))}},
		},
		"predicate": map[string]any{
			"tool": map[string]any{"name": "mcpsf", "version": testVersion}, "rules": builtin(t).Digest(),
			"run_id": "20260101-120000-1a2b3c4d", "seed": 7.0,
			"started": "2026-01-01T12:00:00.000000005Z", "finished": "2026-01-01T12:00:02.500000005Z",
			"verdict": map[string]any{
				"band": "HIGH", "score": 60.0, "action": "block it", "decides": "behaviour",
				"behaviour": map[string]any{"band": "HIGH", "score": 60.0}, "weakness": map[string]any{"band": "PASS", "score": 0.0},
				"confidence": map[string]any{
					"level": "medium", "tools": 1.0, "tools_worked": 1.0, "attacks_planned": 0.0, "attacks_made": 0.0, "texts_read": 0.0, "gaps": 0.0,
					"reasons": []any{"no attacks were made, so weaknesses were hardly looked for"},
				},
				"reasons": []any{"no attacks were made, so weaknesses were hardly looked for"},
			},
			"findings": []any{map[string]any{"rule": "decoy-read", "severity": "high", "grade": "proved", "fingerprint": fingerprint}},
			"coverage": map[string]any{
				"phases": []any{"start", "drive", "stop"},
				"events": map[string]any{"produced": 12.0, "received": 12.0, "lost": 0.0, "complete": true},
				"calls":  map[string]any{"tools": 1.0, "reached": 1.0, "resources": 0.0, "prompts": 0.0, "ok": 1.0, "refused": 0.0, "timeout": 0.0, "crashed": 0.0},
			},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestSubject(t *testing.T) {
	tree := strings.Repeat("0a", 32)
	commit := strings.Repeat("1", 40)
	origin := func(pin string) *mcpsf.Origin { return &mcpsf.Origin{Pin: pin} }
	tests := map[string]struct {
		artifact mcpsf.Artifact
		want     subject
	}{
		"local":  {mcpsf.Artifact{Kind: "local", Name: "x", Digest: "sha256:" + tree}, subject{"x", map[string]string{treeDigest: tree}}},
		"pypi":   {mcpsf.Artifact{Kind: "pypi", Name: "x", Version: "1!2", Digest: "sha256:" + tree, Origin: origin("sha256:" + tree)}, subject{"pkg:pypi/x@1%212", map[string]string{treeDigest: tree, "sha256": tree}}},
		"github": {mcpsf.Artifact{Kind: "github", Name: "x", Digest: "sha256:" + tree, Origin: origin(commit)}, subject{"x", map[string]string{treeDigest: tree, "gitCommit": commit}}},
		"oci":    {mcpsf.Artifact{Kind: "oci", Name: "x", Digest: "sha256:" + tree, Origin: origin("sha256:" + tree)}, subject{"x", map[string]string{"sha256": tree}}},
		"odd":    {mcpsf.Artifact{Kind: "npm", Name: "x", Version: "1", Digest: "sha256:" + tree, Origin: origin("sha512-AAAA")}, subject{"pkg:npm/x@1", map[string]string{treeDigest: tree}}},
		"remote": {mcpsf.Artifact{Kind: "remote", Name: "x"}, subject{"x", map[string]string{}}},
	}
	for name, tt := range tests {
		got, ok := assessed(&tt.artifact)
		if diff := cmp.Diff(tt.want, got); diff != "" || ok != (name != "remote") {
			t.Error(name, ok, diff)
		}
	}
}

// TestSignedByOthers: every kind of invalid statement has its own message.
func TestSignedByOthers(t *testing.T) {
	public, private := testKey(t)
	_, stranger := testKey(t)
	dir := sampleRun(t, nil)
	b := packed(t, dir, &Options{Key: private})
	good := readOne(t, b.Statement)
	body, err := unbase64(good.Payload)
	if err != nil {
		t.Fatal(err)
	}
	with := func(change func(e *envelope)) []byte {
		e := good
		e.Signatures = append([]signature(nil), good.Signatures...)
		change(&e)
		data, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	saying := func(old, replacement string) []byte {
		changed := strings.Replace(string(body), old, replacement, 1)
		if changed == string(body) {
			t.Fatalf("the statement does not have %s in it", old)
		}
		data, err := json.Marshal(sign([]byte(changed), private))
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	strange := sign(body, stranger).Signatures[0]
	twin := with(func(e *envelope) { e.Signatures[0] = strange })
	foreign := with(func(e *envelope) { *e = sign([]byte(`{"_type":"x"}`), stranger) })
	other := with(func(e *envelope) {
		e.PayloadType = "text/plain"
		e.Signatures[0].Sig = base64.StdEncoding.EncodeToString(ed25519.Sign(private, pae(e.PayloadType, body)))
	})
	id := KeyID(public)
	tests := map[string]struct {
		data []byte
		want []string // how the failure messages begin
		note string
	}{
		"good": {with(func(*envelope) {}), nil, ""},
		"url alphabet": {with(func(e *envelope) {
			e.Payload = base64.URLEncoding.EncodeToString(body)
		}), nil, ""},
		"a stranger":     {with(func(e *envelope) { e.Signatures[0] = strange }), []string{"signature: the key that was given, " + id}, "signature 1 is of another key"},
		"a stranger too": {with(func(e *envelope) { e.Signatures = append(e.Signatures, strange) }), nil, "signature 2 is of another key"},
		"one of two bad": {with(func(e *envelope) { e.Signatures = append(e.Signatures, signature{id, strange.Sig}) }), []string{"signature: signature 2 claims the key that was given"}, ""},
		"claims the key": {with(func(e *envelope) { e.Signatures[0].Sig = strange.Sig }), []string{"signature: signature 1 claims the key", "signature: the key that was given"}, ""},
		"another id":     {with(func(e *envelope) { e.Signatures[0].KeyID = "x" }), []string{"signature: signature 1 is good, but says", "signature: the key that was given"}, ""},
		"short":          {with(func(e *envelope) { e.Signatures[0].Sig = "AAAA" }), []string{"signature: signature 1 claims the key", "signature: the key that was given"}, ""},
		"changed": {with(func(e *envelope) {
			e.Payload = base64.StdEncoding.EncodeToString(bytes.Replace(body, []byte("HIGH"), []byte("PASS"), 1))
		}), []string{"signature: signature 1 claims the key", "signature: the key that was given"}, ""},
		"another type":     {with(func(e *envelope) { e.PayloadType = "text/plain" }), []string{"signature: signature 1 claims the key", "signature: the key that was given"}, ""},
		"not base64":       {with(func(e *envelope) { e.Payload = "%" }), []string{"statement: the payload of line 1 is not base64", "signature: the key that was given"}, ""},
		"no signature":     {with(func(e *envelope) { e.Signatures = nil }), []string{"statement: evidence.intoto.jsonl: line 1 is not an envelope"}, ""},
		"cut off":          {with(func(*envelope) {})[:300], []string{"statement: evidence.intoto.jsonl: line 1 is cut off"}, ""},
		"empty":            {nil, []string{"statement: evidence.intoto.jsonl: there is nothing in it"}, ""},
		"not a statement":  {saying(`"_type"`, `"type"`), []string{"statement: there is none about an assessment"}, `there is one of the type ""`},
		"another bundle":   {saying(b.SHA256, strings.Repeat("0", 64)), []string{"statement: it is about another bundle"}, ""},
		"another artifact": {saying(strings.Repeat("ab", 32), strings.Repeat("ba", 32)), []string{"statement: it is about another artifact: none of its subjects has the mcpsfTree1"}, ""},
		"an artifact more": {saying(`"subject":[`, `"subject":[{"name":"x","digest":{"sha256":"00"}},`), []string{"statement: it has 3 subjects"}, ""},
		"another verdict":  {saying(`"score":60`, `"score":0`), []string{"statement: it says another thing of the run"}, ""},
		"no JSON in it":    {saying("{", "["), []string{"statement: it cannot be read"}, ""},
		"others beside it": {slices.Concat(foreign, []byte("\n"), with(func(*envelope) {}), []byte("\n"), twin), nil, "signature 1 is of another key"},
		"only others":      {slices.Concat(foreign, []byte("\n"), twin), []string{"signature: the key that was given"}, "signature 1 is of another key"},
		"another kind":     {other, []string{"statement: there is none about an assessment"}, `a message of the type "text/plain"`},
		"more than a few":  {bytes.Repeat(append(with(func(*envelope) {}), '\n'), maxEnvelopes+1), []string{"statement: evidence.intoto.jsonl: it has more than 16 lines"}, ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			put(t, dir, StatementName, tt.data)
			r := verified(t, b.Path, &VerifyOptions{Key: public})
			got := lines(r, StatusFailed)
			for i := range got {
				if i < len(tt.want) && strings.HasPrefix(got[i], tt.want[i]) {
					got[i] = tt.want[i]
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
			if notes := strings.Join(lines(r, StatusNote), "\n"); !strings.Contains(notes, tt.note) {
				t.Error(notes)
			}
		})
	}
	if err := os.Remove(b.Statement); err != nil {
		t.Fatal(err)
	}
	got := lines(verified(t, b.Path, &VerifyOptions{Key: public}), StatusFailed)
	if diff := cmp.Diff([]string{"signature: there is no evidence.intoto.jsonl: nobody signed it"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestStatementThatIsAPipe(t *testing.T) {
	dir := sampleRun(t, nil)
	b := packed(t, dir, nil)
	if err := syscall.Mkfifo(filepath.Join(dir, StatementName), 0o644); err != nil {
		t.Skip(err)
	}
	if diff := cmp.Diff([]string{"statement: evidence.intoto.jsonl is not a plain file"}, lines(verified(t, b.Path, nil), StatusFailed)); diff != "" {
		t.Error(diff)
	}
}

// TestEveryByte: changing any byte of a signed bundle or of its statement's
// payload is detected.
func TestEveryByte(t *testing.T) {
	public, private := testKey(t)
	dir := sampleRun(t, nil)
	b := packed(t, dir, &Options{Key: private})
	bundle := get(t, b.Path)
	for i := range bundle {
		changed := bytes.Clone(bundle)
		changed[i] ^= 0x20
		put(t, dir, BundleName, changed)
		if r := verified(t, b.Path, &VerifyOptions{Key: public}); r.OK() {
			t.Errorf("byte %d of the bundle can be another one", i)
		}
	}
	e := readOne(t, b.Statement)
	body, err := unbase64(e.Payload)
	if err != nil {
		t.Fatal(err)
	}
	for i := range body {
		changed := bytes.Clone(body)
		changed[i] ^= 0x20
		e.Payload = base64.StdEncoding.EncodeToString(changed)
		v := &verifier{opts: &VerifyOptions{Key: public}, result: &Result{}}
		if v.envelopes([]envelope{e}, b.SHA256); v.result.OK() {
			t.Errorf("byte %d of the statement can be another one", i)
		}
	}
}

// TestOpenSSL: signing and verifying also work with openssl.
func TestOpenSSL(t *testing.T) {
	if _, err := exec.LookPath("openssl"); err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	openssl := func(args ...string) string {
		t.Helper()
		out, err := exec.CommandContext(t.Context(), "openssl", args...).CombinedOutput()
		if err != nil {
			t.Fatalf("openssl %v: %v: %s", args, err, out)
		}
		return string(out)
	}
	openssl("genpkey", "-algorithm", "ed25519", "-out", at("k.pem"))
	openssl("pkey", "-in", at("k.pem"), "-pubout", "-out", at("k.pub"))
	private, err := LoadPrivateKey(at("k.pem"))
	if err != nil {
		t.Fatal(err)
	}
	public, err := LoadPublicKey(at("k.pub"))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(get(t, at("k.pub"))), string(EncodePublicKey(public))); diff != "" {
		t.Error(diff)
	}
	openssl("pkey", "-in", at("k.pem"), "-pubout", "-outform", "DER", "-out", at("k.der"))
	if sumOf(get(t, at("k.der"))) != KeyID(public) {
		t.Error("the key id is not the hash of the key")
	}

	b := packed(t, sampleRun(t, nil), &Options{Key: private})
	e := readOne(t, b.Statement)
	body, err := unbase64(e.Payload)
	if err != nil {
		t.Fatal(err)
	}
	sig, err := unbase64(e.Signatures[0].Sig)
	if err != nil {
		t.Fatal(err)
	}
	put(t, dir, "signed", pae(payloadType, body))
	put(t, dir, "sig", sig)
	if out := openssl("pkeyutl", "-verify", "-rawin", "-pubin", "-inkey", at("k.pub"), "-in", at("signed"), "-sigfile", at("sig")); !strings.Contains(out, "Verified Successfully") {
		t.Error(out)
	}
	openssl("pkeyutl", "-sign", "-rawin", "-inkey", at("k.pem"), "-in", at("signed"), "-out", at("theirs"))
	e.Signatures[0].Sig = base64.StdEncoding.EncodeToString(get(t, at("theirs")))
	data, err := json.Marshal(e)
	if err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Dir(b.Statement), StatementName, data)
	if r := verified(t, b.Path, &VerifyOptions{Key: public}); !r.OK() {
		t.Error(lines(r, StatusFailed))
	}
	openssl("pkey", "-in", at("k.pem"), "-aes256", "-passout", "pass:secret", "-out", at("locked.pem"))
	_, err = LoadPrivateKey(at("locked.pem"))
	wantError(t, err, "is encrypted")
}

func FuzzEnvelopes(f *testing.F) {
	public, private := testKey(f)
	good, err := json.Marshal(sign([]byte(`{"_type":"x"}`), private))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(good)
	f.Add([]byte(`{"payloadType":"application/vnd.in-toto+json","payload":"e30=","signatures":[{"sig":""}]}`))
	f.Add([]byte("{}\n\n[]"))
	f.Fuzz(func(t *testing.T, data []byte) {
		all, err := readEnvelopes(bytes.NewReader(data))
		if err != nil {
			return
		}
		for i := range all {
			v := &verifier{opts: &VerifyOptions{Key: public}, result: &Result{}}
			v.envelopes(all[i:i+1], strings.Repeat("0", 64))
			if v.result.OK() {
				t.Errorf("took %s", data)
			}
		}
	})
}
