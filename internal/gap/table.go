package gap

import (
	"slices"

	"github.com/mcpsf/mcpsf"
)

// What no run of its kind sees, whatever the server does.
const (
	NotRun             mcpsf.GapCode = "not-run"
	NoNetwork          mcpsf.GapCode = "no-network"
	FakeHosts          mcpsf.GapCode = "fake-hosts"
	MadeUpTools        mcpsf.GapCode = "made-up-tools"
	TLSNotOpened       mcpsf.GapCode = "tls-not-opened"
	Variables          mcpsf.GapCode = "variables"
	AttackKinds        mcpsf.GapCode = "attack-kinds"
	LateWork           mcpsf.GapCode = "late-work"
	AccountOrDate      mcpsf.GapCode = "account-or-date"
	RemoteHost         mcpsf.GapCode = "remote-host"
	RemoteTools        mcpsf.GapCode = "remote-tools"
	RemoteAttacks      mcpsf.GapCode = "remote-attacks"
	RemoteClients      mcpsf.GapCode = "remote-clients"
	RemoteProbes       mcpsf.GapCode = "remote-probes"
	RulesLeftOut       mcpsf.GapCode = "rules-left-out"
	ModelReview        mcpsf.GapCode = "model-review"
	ModelPayloads      mcpsf.GapCode = "model-payloads"
	Advisories         mcpsf.GapCode = "advisories"
	Repository         mcpsf.GapCode = "repository"
	SourceNotRead      mcpsf.GapCode = "source-not-read"
	CodeNotRun         mcpsf.GapCode = "code-not-run"
	NotCompared        mcpsf.GapCode = "not-compared"
	InstallNotCompared mcpsf.GapCode = "install-not-compared"
	LockNotHonoured    mcpsf.GapCode = "lock-not-honoured"
	OlderReleases      mcpsf.GapCode = "older-releases"
	StubPrograms       mcpsf.GapCode = "stub-programs"
	NotStartedAgain    mcpsf.GapCode = "not-started-again"
	NotListening       mcpsf.GapCode = "not-listening"
	Unanswered         mcpsf.GapCode = "unanswered"
	AgentNotRun        mcpsf.GapCode = "agent-not-run"
	AgentBrokenOff     mcpsf.GapCode = "agent-broken-off"
	MalformedUnsent    mcpsf.GapCode = "malformed-unsent"
	AttacksNotMade     mcpsf.GapCode = "attacks-not-made"
	ToolsNotCalled     mcpsf.GapCode = "tools-not-called"
	RuleEventsLeft     mcpsf.GapCode = "rule-events"
	RunCutShort        mcpsf.GapCode = "run-cut-short"

	ListPages            mcpsf.GapCode = "list-pages"
	ListEntries          mcpsf.GapCode = "list-entries"
	ListCursor           mcpsf.GapCode = "list-cursor"
	ListUnanswered       mcpsf.GapCode = "list-unanswered"
	SchemaSize           mcpsf.GapCode = "schema-size"
	CapabilitiesSize     mcpsf.GapCode = "capabilities-size"
	ResourcesNotRead     mcpsf.GapCode = "resources-not-read"
	PromptsNotRead       mcpsf.GapCode = "prompts-not-read"
	TemplatesNotRead     mcpsf.GapCode = "templates-not-read"
	CompletionsNotMade   mcpsf.GapCode = "completions-not-made"
	CallsNotRepeated     mcpsf.GapCode = "calls-not-repeated"
	CallsLeftOut         mcpsf.GapCode = "calls-left-out"
	NotResumed           mcpsf.GapCode = "not-resumed"
	WordsNotSent         mcpsf.GapCode = "words-not-sent"
	QuestionsNotAnswered mcpsf.GapCode = "questions-not-answered"
	ChangesNotReported   mcpsf.GapCode = "changes-not-reported"
	TextsNotRead         mcpsf.GapCode = "texts-not-read"
	NotificationsNotRead mcpsf.GapCode = "notifications-not-read"
	AttackAnswersNotRead mcpsf.GapCode = "attack-answers-not-read"
	ToolsFailed          mcpsf.GapCode = "tools-failed"
	WordsLeftOut         mcpsf.GapCode = "words-left-out"
	AgentBounds          mcpsf.GapCode = "agent-bounds"
	FactsNotJudged       mcpsf.GapCode = "facts-not-judged"
	RuleMemory           mcpsf.GapCode = "rule-memory"

	LeaksNotTold      mcpsf.GapCode = "leaks-not-told"
	PiecesNotJoined   mcpsf.GapCode = "pieces-not-joined"
	NotDecoded        mcpsf.GapCode = "not-decoded"
	ResultsNotDecoded mcpsf.GapCode = "results-not-decoded"
	TrafficUnread     mcpsf.GapCode = "traffic-unread"
	ArgumentsCut      mcpsf.GapCode = "arguments-cut"
	MailsCut          mcpsf.GapCode = "mails-cut"
	InputsTooLarge    mcpsf.GapCode = "inputs-too-large"
	StateNotKept      mcpsf.GapCode = "state-not-kept"

	TimersNotAwaited  mcpsf.GapCode = "timers-not-awaited"
	ValuesNotSearched mcpsf.GapCode = "values-not-searched"
)

// Table lists every kind of gap.
func Table() []Kind {
	return slices.Concat(runKinds(), driveKinds(), observeKinds())
}

// runKinds are what the run did not do.
func runKinds() []Kind {
	return []Kind{
		{NotRun, "everything the server does when it runs", false, "the user asked for a scan"},
		{NoNetwork, "the network: the sandbox had none", false, "the user switched it off"},
		{FakeHosts, "the real Internet: every host was made up, so what the real ones would have answered is not known", false, "what is sent is seen; only the answers are ours"},
		{MadeUpTools, "the tools of the remote MCP server that calls are passed on to: that server was made up, and so were its tools", true, "the real one has other tools"},
		{TLSNotOpened, "what was said to real hosts inside TLS", false, "only with real hosts that the user allowed"},
		{Variables, "which environment variables were read", false, "what leaves is seen; the planted values are recognised"},
		{AttackKinds, "attacks that are not among ours", false, "the same in every run"},
		{LateWork, "work that begins long after the last answer", false, "the same in every run of the profile"},
		{AccountOrDate, "behaviour that needs a real account, one certain date or a longer acquaintance", false, "the same in every run"},
		{RemoteHost, "everything that it does where it runs: files, programs, connections, variables", false, "the same for every remote server, and said in its verdict"},
		{RemoteTools, "tools that may change something and were not called", false, "calling them would harm others; what they say was read"},
		{RemoteAttacks, "attacks through arguments of a remote server", false, "the same for every remote server"},
		{RemoteClients, "what it says to others, from elsewhere, or on another day", false, "the same for every remote server"},
		{RemoteProbes, "how it guards itself: it did not answer as it had before", false, "it shows weaknesses, not thefts"},
		{RulesLeftOut, "what detectors look for that were left out", false, "the user left them out"},
		{ModelReview, "a review by a model", false, "it changes no verdict"},
		{ModelPayloads, "what a model would have tried", false, "our own attacks were made"},
		{Advisories, "what is published about its packages", false, "it depends on this machine, not on the server"},
		{Repository, "whether the package is what its repository has", false, "what the package does is seen when it runs"},
		{SourceNotRead, "some of the package's files", false, "what they do is seen when they run"},
		{CodeNotRun, "places in the server's own code that send data, use files, run programs or make code, and did not run", false, "honest servers have such code as well, so it counts in the confidence by itself"},
		{NotCompared, "whether what {count} calls sent depends on secrets: it differs in equal starts already", false, "what is sent is searched for secrets all the same"},
		{InstallNotCompared, "what its install script did with secrets: it ran once, before the starts that are compared", false, "what it sends and writes is seen; it counts in the confidence by itself"},
		{LockNotHonoured, "what it does with the versions that its author locked: the lock file could not be obeyed", false, "honest projects have lock files that do not fit as well, so it counts in the confidence by itself"},
		{OlderReleases, "what it does with today's releases of its dependencies: it does not work with them, so older ones were installed", false, "who installs it today gets a server that does not work; it counts in the confidence by itself"},
		{StubPrograms, "what programs would have done that are not installed", false, "how they were started is seen"},
		{NotStartedAgain, "what it says differently: it did not start again", false, "the start itself was observed; who does not answer offers nothing"},
		{NotListening, "what it has beside MCP where it listens: it did not listen again", false, "it shows weaknesses, not thefts"},
		{Unanswered, "what it says where it listens", true, "a server that answers only others is not used at all"},
		{AgentNotRun, "what its texts make an agent do: it did not start again", true, "its texts are what the agent reads"},
		{AgentBrokenOff, "what an agent would have done in the rest of a conversation", false, "a model failed, not the server"},
		{MalformedUnsent, "{count} of {limit} malformed messages: the time was up, or the server was gone", false, "they show weaknesses, not thefts"},
		{AttacksNotMade, "{count} of {limit} attacks: the time was up, or the server was gone", false, "they show weaknesses; how many were made counts in the confidence by itself"},
		{ToolsNotCalled, "{count} of {limit} tools that were listed and never called", true, "a tool that is not called does nothing"},
		{RunCutShort, "what would have followed: the run was ended before it was done", true, "a slow server reaches the time limit before the theft"},
		{RuleEventsLeft, "events that a rule should have gone on from: there were too many at once", true, "noise of the server pushes the theft out"},
	}
}

// driveKinds are what the server offers or says, and was not used or not read.
func driveKinds() []Kind {
	return []Kind{
		{ListPages, "what the server lists behind page {limit} of a list", true, "a tool on a later page is never called"},
		{ListEntries, "{count} entries of a list beyond the first {limit}", true, "a tool behind them is never called"},
		{ListCursor, "the rest of a list: its next page could not be asked for", true, "a tool on that page is never called"},
		{ListUnanswered, "a list that the server did not answer in time", true, "what it would have listed is never called"},
		{SchemaSize, "what tools do with arguments whose schema is larger than {limit} bytes: they were called without", true, "the size of the schema is the server's choice"},
		{CapabilitiesSize, "what the server offers beside tools: it declared it in more than {limit} bytes", true, "the size is the server's choice"},
		{ResourcesNotRead, "{count} of the listed resources: {limit} were read", true, "a poisoned text may be in any of them"},
		{PromptsNotRead, "{count} of the listed prompts: {limit} were fetched", true, "a poisoned text may be in any of them"},
		{TemplatesNotRead, "{count} resource templates beyond the first {limit}", true, "a poisoned text may be behind any of them"},
		{CompletionsNotMade, "completions beyond the first {limit}", true, "a server may act when it completes"},
		{CallsNotRepeated, "{count} of {limit} repeated calls with other inputs: the tools were slow, or the server was gone", false, "each tool was called before; slow machines reach it with honest servers, so it counts in the confidence by itself"},
		{CallsLeftOut, "{count} calls that are like one that took the server down, or of a tool that did so twice", false, "honest servers crash as well, so it counts in the confidence by itself"},
		{NotResumed, "what would have been called next: a call took the server down after it had been started again {limit} times", true, "a server that ends itself before the theft is not used to the end"},
		{WordsNotSent, "{count} of {limit} calls with words that the server's own code compares its input with", true, "one of the words may be the trigger"},
		{QuestionsNotAnswered, "what the server does after it has asked its client more than {limit} questions about one call", true, "no honest server asks so much"},
		{ChangesNotReported, "{count} changes of its definitions beyond the first {limit}", true, "many harmless changes displace the harmful one"},
		{TextsNotRead, "{count} bytes of texts that a model would see, beyond the first {limit} of each", true, "instructions may stand at the end of a long text"},
		{NotificationsNotRead, "{count} bytes of notifications and requests of the server beyond the first {limit}: clients show them, and some give them to a model", true, "many harmless notifications displace the instruction"},
		{AttackAnswersNotRead, "{count} bytes of answers to attacks beyond the first {limit}", true, "a server may give orders in answer to unusual input alone"},
		{ToolsFailed, "{count} of {limit} tools that never answered with a result", false, "an honest server without its account fails as well, so it counts in the confidence by itself"},
		{WordsLeftOut, "{count} words that the server's own code compares its input with: {limit} were sent to its tools", false, "a bundled program compares with thousands of words, an honest one too"},
		{AgentBounds, "{count} tools, prompts and resources that no agent used: {limit} were", false, "agents have bounds of what they read and do; every text is scanned as well"},
		{FactsNotJudged, "rules: {count} facts about the package beyond the first {limit}", true, "many harmless facts displace the harmful one"},
		{RuleMemory, "rules: some hosts, requests or texts beyond the first {limit} of a kind, which rules compare with others", true, "noise of the server displaces what a rule compares with"},
	}
}

// observeKinds are what the server did, and was not seen whole.
func observeKinds() []Kind {
	return []Kind{
		{LeaksNotTold, "{count} leaks of a secret to destinations beyond the first {limit}", true, "many leaks that are allowed displace the theft"},
		{PiecesNotJoined, "secrets in pieces: those sent to {count} destinations were forgotten, {limit} are remembered", true, "pieces are sent to many destinations in turn"},
		{NotDecoded, "planted secrets in {count} messages or streams that were not decoded to the end: they hold more than is decoded", true, "the secret is behind a decompression bomb"},
		{ResultsNotDecoded, "planted secrets in {count} results that were not decoded to the end: they hold more than is decoded", false, "a long argument of ours that comes back is one, so it counts in the confidence by itself"},
		{TrafficUnread, "the rest of {count} connections, requests or mails: more was sent than is read", true, "the secret is behind a large body"},
		{MailsCut, "recipients of {count} mails behind what is kept of them", true, "the hidden copy is behind a long text"},
		{InputsTooLarge, "what {count} tools do with valid inputs: their schemas demand larger ones than are made", true, "no honest tool demands thousands of elements"},
		{StateNotKept, "what it does when it finds what it left: it left more than {limit} bytes, or directories too deep to keep", true, "a server that counts its starts always believes to be new"},
		{TimersNotAwaited, "what it does after {count} sleeps: too many tasks slept to await them all", true, "no honest server has so many sleeping tasks"},
		{ValuesNotSearched, "where {count} arguments of a call went: of each call {limit} are searched for in what leaves", false, "the arguments are ours; planted secrets are always searched for"},
		{ArgumentsCut, "the rest of {count} command lines, which are longer than is kept", false, "what the programs do is seen, and everything sent is searched"},
	}
}
