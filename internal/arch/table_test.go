package arch

// module is the import path of the repository.
const module = "github.com/mcpsf/mcpsf"

// row says what a folder may import.
type row struct {
	// imports are folders of this module; "." is the vocabulary.
	imports []string
	// tests are those its tests may import beside them.
	tests []string
	// everything lifts both lists: the place where things are wired together.
	everything bool
	// stdlib allows the standard library only.
	stdlib bool
	// gvisor allows the sandbox's engine.
	gvisor bool
}

// stages are the steps of the pipeline. None imports another.
func stages() []string {
	return []string{
		"internal/source", "internal/inspect", "internal/bait", "internal/sandbox", "internal/monitor", "internal/harness",
		"internal/trace", "internal/rules", "internal/verdict", "internal/report",
	}
}

func table() map[string]row {
	vocabulary := []string{"."}
	return map[string]row{
		".":                       {stdlib: true},
		"cmd/mcpsf":               {everything: true, gvisor: true},
		"bench":                   {everything: true, gvisor: true},
		"bench/second":            {everything: true, gvisor: true},
		"bench/added":             {everything: true, gvisor: true},
		"bench/profiles":          {everything: true, gvisor: true},
		"bench/network":           {everything: true, gvisor: true},
		"bench/rules":             {imports: []string{".", "internal/rules"}},
		"bench/code":              {imports: []string{".", "internal/code", "internal/code/child", "internal/code/ir"}},
		"bench/inventory":         {imports: []string{"internal/inventory"}},
		"bench/startup":           {imports: vocabulary},
		"bench/service":           {imports: []string{".", "internal/blob", "internal/job", "internal/seal", "internal/store", "internal/store/storetest", "internal/worker"}},
		"bench/advisory":          {imports: []string{".", "internal/advisory", "bench/advisory/export"}},
		"bench/advisory/export":   {stdlib: true},
		"bench/compare":           {imports: []string{".", "internal/inventory", "internal/advisory", "internal/code", "internal/recall", "internal/source/kind", "internal/source/stage", "bench/advisory/export"}},
		"bench/cve":               {imports: vocabulary},
		"bench/everything":        {imports: vocabulary},
		"bench/everything/golang": {},
		"bench/conform":           {imports: []string{".", "internal/harness", "internal/oauth"}},
		"bench/corpus": {
			imports: []string{".", "internal/code", "internal/judge", "internal/pipeline", "internal/rules", "internal/trace"},
			tests:   []string{"internal/sandbox", "internal/sandbox/sandboxtest"},
		},
		"docs": {imports: []string{".", "internal/rules"}},
		// Files, and tests of them; what needs the code of others is a module of its own.
		"deploy":          {tests: []string{"internal/seal"}},
		"deploy/validate": {},
		"deploy/ci":       {},
		"examples":        {},
		"schema":          {imports: vocabulary},

		"internal/arch": {},

		// The service. What answers users does not run what they submit: the
		// sandbox is known to cmd alone, in a process for each job.
		"internal/job":             {imports: vocabulary},
		"internal/seal":            {imports: vocabulary},
		"internal/blob":            {imports: vocabulary},
		"internal/store":           {imports: []string{".", "internal/job"}, tests: []string{"internal/store/storetest"}},
		"internal/store/storetest": {},
		"internal/worker": {
			imports: []string{".", "internal/job", "internal/store", "internal/blob", "internal/seal", "internal/tracing"},
			tests:   []string{"internal/store/storetest"},
		},
		// Its tests have all of a service in one trace.
		"internal/tracing": {
			imports: []string{".", "internal/job"},
			tests:   []string{"internal/blob", "internal/rules", "internal/seal", "internal/server", "internal/store", "internal/worker"},
		},
		"internal/executor": {imports: []string{".", "internal/job", "internal/sse"}},
		"internal/server": {
			imports: []string{
				".", "internal/job", "internal/store", "internal/seal", "internal/blob", "internal/report", "internal/report/html",
				"internal/trace", "internal/compare", "internal/rules", "internal/asciijson", "internal/reach", "internal/tracing",
			},
			tests: []string{"internal/store/storetest", "internal/sse"},
		},
		"internal/server/page": {
			imports: []string{".", "internal/job", "internal/store", "internal/report", "internal/compare", "internal/rules", "internal/server"},
			tests:   []string{"internal/blob", "internal/seal", "internal/trace"},
		},

		"internal/registry":    {imports: vocabulary},
		"internal/entry":       {imports: vocabulary},
		"internal/interpreter": {imports: []string{".", "internal/registry"}},
		"internal/gateway":     {imports: []string{".", "internal/registry"}},
		"internal/cache":       {imports: vocabulary},
		"internal/recall":      {imports: []string{"internal/wholefile"}},
		"internal/advisory": {
			imports: []string{".", "internal/advisory/osv", "internal/advisory/table", "internal/advisory/inflate"},
		},
		"internal/advisory/osv":     {imports: vocabulary},
		"internal/advisory/table":   {},
		"internal/advisory/inflate": {stdlib: true},
		"internal/install":          {imports: vocabulary},
		"internal/netsink": {
			imports: []string{".", "internal/netsink/names", "internal/netsink/host"}, gvisor: true,
			tests: []string{"internal/sandbox", "internal/sandbox/sandboxtest", "internal/wire"},
		},
		"internal/netsink/names":     {},
		"internal/netsink/authority": {},
		"internal/netsink/dialect":   {imports: vocabulary},
		"internal/netsink/oracle":    {imports: vocabulary},
		"internal/netsink/host":      {imports: []string{".", "internal/netsink/authority", "internal/netsink/dialect", "internal/netsink/oracle"}},
		"internal/netsink/egress":    {imports: []string{".", "internal/netsink/host", "internal/reach"}, tests: []string{"internal/netsink/authority"}},
		"internal/capture":           {stdlib: true},
		"internal/tarfs":             {stdlib: true},
		"internal/lookalike":         {imports: vocabulary},
		"internal/inspect":           {imports: []string{".", "internal/code", "internal/inventory", "internal/lookalike", "internal/origin"}},
		"internal/origin":            {imports: vocabulary},
		"internal/canary":            {},
		"internal/reach":             {stdlib: true},
		"internal/remote":            {imports: []string{".", "internal/sse", "internal/reach"}},
		"internal/sse":               {stdlib: true},
		"internal/oauth":             {imports: vocabulary},
		"internal/leak":              {imports: []string{".", "internal/canary"}},
		"internal/source": {
			imports: []string{".", "internal/source/kind", "internal/source/say", "internal/source/stage", "internal/source/archive",
				"internal/source/project", "internal/source/published", "internal/source/npm", "internal/source/pypi",
				"internal/source/github", "internal/source/image"},
			tests: []string{"internal/source/sourcetest"},
		},
		"internal/source/say":      {imports: vocabulary},
		"internal/source/lenient":  {tests: []string{"internal/source/sourcetest"}},
		"internal/source/disguise": {imports: []string{"internal/source/say", "internal/source/lenient"}, tests: []string{"internal/source/sourcetest"}},
		// The tests of these three go all the way: from a target to its artifact.
		"internal/source/stage": {
			imports: []string{".", "internal/source/say", "internal/source/disguise"},
			tests:   []string{"internal/source", "internal/source/sourcetest"},
		},
		"internal/source/archive": {
			imports: []string{".", "internal/source/say", "internal/source/stage"},
			tests:   []string{"internal/source", "internal/source/kind", "internal/source/sourcetest"},
		},
		"internal/source/project": {
			imports: []string{".", "internal/source/say", "internal/source/lenient", "internal/source/stage", "internal/source/archive",
				"internal/source/kind"},
			tests: []string{"internal/source", "internal/source/sourcetest"},
		},
		"internal/source/kind":      {imports: []string{".", "internal/registry", "internal/source/say", "internal/source/stage"}},
		"internal/source/published": {},
		"internal/source/npm": {
			imports: []string{".", "internal/registry", "internal/source/kind", "internal/source/say", "internal/source/lenient",
				"internal/source/stage", "internal/source/archive", "internal/source/project", "internal/source/published"},
			tests: []string{"internal/source/sourcetest"},
		},
		"internal/source/pypi": {
			imports: []string{".", "internal/registry", "internal/source/kind", "internal/source/say", "internal/source/lenient",
				"internal/source/stage", "internal/source/archive", "internal/source/project", "internal/source/published"},
			tests: []string{"internal/source/sourcetest"},
		},
		"internal/source/github": {
			imports: []string{".", "internal/registry", "internal/source/kind", "internal/source/say", "internal/source/archive",
				"internal/source/project", "internal/source/published"},
			tests: []string{"internal/source/stage", "internal/source/sourcetest"},
		},
		"internal/source/image": {
			imports: []string{".", "internal/source/kind", "internal/source/say", "internal/source/stage", "internal/source/archive"},
			tests:   []string{"internal/source/sourcetest"},
		},
		"internal/source/clientconfig": {
			imports: []string{".", "internal/source/say", "internal/source/lenient", "internal/source/disguise", "internal/source/stage",
				"internal/source/project", "internal/source/pypi", "internal/source/github"},
			tests: []string{"internal/source", "internal/source/kind", "internal/source/sourcetest"},
		},
		// What their tests share; only they import it.
		"internal/source/sourcetest": {imports: vocabulary},

		"internal/inventory": {imports: []string{".", "internal/inventory/part", "internal/inventory/disk", "internal/inventory/npm", "internal/inventory/carried",
			"internal/inventory/python", "internal/inventory/golang", "internal/inventory/rust", "internal/inventory/java", "internal/inventory/system"}},
		"internal/inventory/part":     {imports: vocabulary},
		"internal/inventory/document": {},
		"internal/inventory/disk":     {imports: []string{"internal/inventory/part"}},
		"internal/inventory/npm":      {imports: []string{".", "internal/inventory/part", "internal/inventory/disk", "internal/inventory/document"}},
		"internal/inventory/python":   {imports: []string{".", "internal/inventory/part", "internal/inventory/disk", "internal/inventory/document"}},
		"internal/inventory/carried":  {imports: []string{".", "internal/inventory/part", "internal/inventory/disk", "internal/inventory/document", "internal/inventory/python"}},
		"internal/inventory/rust":     {imports: []string{".", "internal/inventory/part", "internal/inventory/disk", "internal/inventory/document"}},
		"internal/inventory/golang":   {imports: []string{".", "internal/inventory/part", "internal/inventory/disk"}},
		"internal/inventory/java":     {imports: []string{".", "internal/inventory/part", "internal/inventory/disk"}},
		"internal/inventory/system":   {imports: []string{".", "internal/inventory/part", "internal/inventory/disk"}},
		"internal/sbom":               {imports: []string{".", "internal/asciijson"}},

		"internal/bait":           {imports: vocabulary},
		"internal/wire":           {imports: vocabulary},
		"internal/sandbox":        {imports: []string{".", "internal/wire", "internal/envhook", "internal/sandbox/sentry"}, tests: []string{"internal/sandbox/sandboxtest", "internal/interpreter"}, gvisor: true},
		"internal/sandbox/sentry": {imports: []string{".", "internal/wire", "internal/envhook"}, gvisor: true},
		"internal/envhook":        {stdlib: true},
		// What tests that need a sandbox share; only they import it.
		"internal/sandbox/sandboxtest": {imports: []string{".", "internal/sandbox", "internal/interpreter"}},

		"internal/monitor":         {imports: []string{".", "internal/wire"}},
		"internal/harness":         {imports: []string{".", "internal/harness/schema", "internal/harness/chain", "internal/harness/attack", "internal/harness/address", "internal/harness/fuzz", "internal/harness/knock", "internal/sse"}},
		"internal/harness/schema":  {imports: vocabulary},
		"internal/harness/chain":   {imports: []string{".", "internal/harness/schema"}},
		"internal/harness/attack":  {imports: vocabulary, tests: []string{"internal/query"}},
		"internal/harness/fuzz":    {imports: vocabulary},
		"internal/harness/address": {},
		"internal/harness/knock":   {stdlib: true},
		"internal/trace":           {imports: vocabulary},
		"internal/rules":           {imports: []string{".", "internal/query"}},
		"internal/query":           {stdlib: true},
		"internal/speech":          {imports: vocabulary},
		"internal/agent":           {imports: []string{".", "internal/agent/follower", "internal/canary", "internal/llm"}, tests: []string{"internal/llm/llmtest"}},
		"internal/agent/follower":  {imports: []string{"internal/llm", "internal/speech"}, tests: []string{"."}},
		"internal/llm":             {imports: []string{".", "internal/reach", "internal/sse"}, tests: []string{"internal/llm/llmtest"}},
		// Its tests go on to the shots of the harness.
		"internal/payload": {
			imports: []string{".", "internal/harness/attack", "internal/harness/schema", "internal/llm"},
			tests:   []string{"internal/harness", "internal/llm/llmtest"},
		},
		// Only tests and examples import it; it shares nothing with what it tests.
		"internal/llm/llmtest": {stdlib: true},

		// Source code is read in steps, each of which knows only what it is given.
		"internal/code":          {imports: []string{".", "internal/code/analysis", "internal/code/child", "internal/code/ir", "internal/code/meaning"}},
		"internal/code/syntax":   {stdlib: true},
		"internal/code/ir":       {stdlib: true},
		"internal/code/python":   {imports: []string{"internal/code/syntax"}, stdlib: true},
		"internal/code/script":   {imports: []string{"internal/code/syntax"}},
		"internal/code/loose":    {imports: []string{"internal/code/syntax", "internal/code/ir", "internal/code/python", "internal/code/script"}},
		"internal/code/meaning":  {imports: []string{"internal/code/syntax", "internal/code/ir"}, tests: []string{"internal/code/python", "internal/code/script"}},
		"internal/code/child":    {imports: []string{"internal/code/syntax", "internal/code/ir", "internal/code/python", "internal/code/script", "internal/code/loose", "internal/code/meaning"}},
		"internal/code/analysis": {imports: []string{".", "internal/code/ir", "internal/code/meaning"}},

		"internal/verdict":     {imports: vocabulary},
		"internal/report":      {imports: []string{".", "internal/report/html", "internal/sbom", "internal/flows"}},
		"internal/report/html": {imports: []string{".", "internal/flows"}, tests: []string{"internal/report"}},
		"internal/flows":       {imports: vocabulary},
		"internal/flows/chart": {imports: []string{".", "internal/flows", "internal/report", "internal/asciijson"}},
		"internal/toolset":     {imports: vocabulary},
		"internal/wholefile":   {stdlib: true},
		"internal/asciijson":   {stdlib: true},
		"internal/lock":        {imports: []string{".", "internal/toolset", "internal/wholefile", "internal/asciijson"}},
		"internal/compare":     {imports: []string{".", "internal/toolset", "internal/report", "internal/asciijson"}},
		"internal/saved":       {imports: []string{".", "internal/wholefile"}},
		"internal/waiver":      {imports: vocabulary},
		"internal/settings":    {imports: []string{".", "internal/waiver"}},
		"internal/policy":      {imports: []string{".", "internal/report"}},
		"internal/judge":       {imports: []string{".", "internal/rules", "internal/verdict", "internal/report"}},
		"internal/opinion":     {imports: []string{".", "internal/llm"}, tests: []string{"internal/llm/llmtest"}},
		"internal/evidence":    {imports: []string{".", "internal/trace", "internal/rules", "internal/judge"}},
		"internal/pipeline": {
			imports: append(stages(), ".", "internal/wire", "internal/tarfs", "internal/harness/schema", "internal/harness/attack", "internal/harness/fuzz", "internal/harness/knock", "internal/speech", "internal/agent", "internal/llm", "internal/payload", "internal/registry", "internal/entry",
				"internal/source/kind", "internal/source/archive", "internal/source/project", "internal/source/image", "internal/source/github", "internal/origin",
				"internal/interpreter", "internal/gateway", "internal/cache", "internal/netsink", "internal/netsink/names",
				"internal/netsink/authority", "internal/netsink/host", "internal/netsink/egress", "internal/capture", "internal/leak", "internal/install",
				"internal/remote", "internal/oauth", "internal/judge", "internal/opinion"),
			tests: []string{"internal/sandbox/sandboxtest", "internal/advisory", "internal/code", "internal/llm/llmtest"},
		},
	}
}

// fence keeps one folder from reaching another, however many steps lie
// between. It holds from the day the folder exists.
type fence struct{ from, never, why string }

func fences() []fence {
	return []fence{
		{"internal/server", "internal/sandbox", "the process that answers users does not run malware"},
	}
}

// exempt lists the files outside cmd that may end the process or read its
// environment, with the reason.
func exempt() map[string]string {
	return map[string]string{
		"internal/sandbox/dispatch_linux.go":      "the binary started again as a part of the sandbox: it never returns to cmd",
		"bench/main.go":                           "a program of its own",
		"bench/second/main.go":                    "a program of its own",
		"bench/added/main.go":                     "a program of its own",
		"bench/profiles/main.go":                  "a program of its own",
		"bench/network/main.go":                   "a program of its own",
		"bench/rules/main.go":                     "a program of its own",
		"bench/inventory/main.go":                 "a program of its own",
		"bench/service/main.go":                   "a program",
		"bench/startup/main.go":                   "a program of its own",
		"bench/advisory/main.go":                  "a program of its own",
		"bench/code/main.go":                      "a program of its own",
		"bench/compare/main.go":                   "a program of its own",
		"bench/compare/measure.go":                "a program of its own",
		"internal/code/child/read.go":             "the reading child ends itself when it has used too much memory",
		"bench/cve/main.go":                       "a program of its own",
		"bench/conform/main.go":                   "a program of its own",
		"bench/conform/suite.go":                  "a program of its own",
		"bench/everything/main.go":                "a program of its own",
		"bench/everything/server.go":              "a program of its own",
		"bench/everything/golang/main.go":         "a server of its own",
		"bench/corpus/main.go":                    "a program of its own",
		"internal/sandbox/sandboxtest/require.go": "reads MCPSF_REQUIRE_SANDBOX, which only tests know",
		"internal/store/storetest/storetest.go":   "databases that tests may, or must, have",
	}
}
