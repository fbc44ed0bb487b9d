package resolve

import (
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/lazyregexp"
	"github.com/mcpsf/mcpsf/internal/static/code/ir"
)

// Patterns of resolved names and the source of their values. A call ends with
// "()".
var (
	fromNet = lazyregexp.New(`^(fetch|axios(\.\w+)?|https?\.(get|request)|got(\.\w+)?|node-fetch(\.\w+)?|undici\.(fetch|request)|needle(\.\w+)?|superagent\.\w+|ky(\.\w+)?|request(\.\w+)?|phin|` +
		`requests(\.Session\(\)|\.session\(\))?\.(get|post|put|request|patch)|urllib\.request\.(urlopen|urlretrieve)|urllib2\.urlopen|urlopen|httpx(\.(Async)?Client\(\))?\.(get|post|request|stream)|aiohttp\.ClientSession\(\)\.(get|post|request)|aiohttp\.request|` +
		`http\.client\.HTTPS?Connection\(\)\.getresponse|urllib3\.PoolManager\(\)\.request|pycurl\.\w+|socket\.socket\(\)\.recv|socket\.create_connection\(\)\.recv|net\.(connect|createConnection)|ws|websockets\.connect|` +
		`dns\.(promises\.)?(resolveTxt|resolve)|dns\.resolver\.(resolve|query)|XMLHttpRequest)\(\)`)
	fromTime    = lazyregexp.New(`^(Date\.now|Date|new Date|Date\.UTC|performance\.now|process\.hrtime|dayjs|moment|datetime\.(datetime\.)?(now|utcnow|today)|datetime\.date\.today|date\.today|time\.(time|localtime|gmtime|strftime|ctime|time_ns)|arrow\.(now|utcnow)|pendulum\.now)\(\)`)
	fromHost    = lazyregexp.New(`^(os\.(hostname|userInfo|networkInterfaces)|socket\.(gethostname|getfqdn)|platform\.(node|uname)|getpass\.getuser|os\.(getlogin|uname)|pwd\.getpwuid|uuid\.getnode|locale\.(getdefaultlocale|getlocale)|Intl\.DateTimeFormat\(\)\.resolvedOptions|navigator\.language)(\(\)|$|\.)`)
	fromMachine = lazyregexp.New(`^(os\.(cpus|totalmem|freemem|uptime|loadavg|availableParallelism|cpu_count|sched_getaffinity|sysconf)|multiprocessing\.cpu_count|psutil\.\w+|process\.uptime|resource\.getrlimit|shutil\.disk_usage)\(\)`)
	fromFile    = lazyregexp.New(`^(fs(\.promises)?\.(readFile|readFileSync|createReadStream|read|readSync)|fs-extra\.\w*[rR]ead\w*|open|io\.open|pathlib\.Path\(\)\.read_\w+|Path\(\)\.read_\w+|Deno\.readTextFile(Sync)?|Bun\.file|aiofiles\.open)\(\)`)
	fromRandom  = lazyregexp.New(`^(Math\.random|random\.\w+|crypto\.random\w+|secrets\.\w+|os\.urandom)\(\)`)
	environ     = lazyregexp.New(`^(process\.env|os\.environ|os\.environb|import\.meta\.env|Deno\.env|Bun\.env)(\b|$)|^os\.getenv\(\)|^dotenv\.dotenv_values\(\)`)
	envName     = lazyregexp.New(`^(?:process\.env|os\.environ|os\.getenv|Bun\.env|import\.meta\.env)\.([A-Za-z_]\w*)$`)
)

// sourceOf returns the source of a named value.
func (t *taint) sourceOf(p string) ir.Mark {
	m, ok := t.sources[p]
	if !ok {
		m = findSource(p)
		t.sources[p] = m
	}
	return m
}

func findSource(p string) ir.Mark {
	var m ir.Mark
	for _, s := range []struct {
		re   *lazyregexp.Regexp
		mark ir.Mark
	}{{fromNet, ir.MarkNet}, {fromTime, ir.MarkTime}, {fromHost, ir.MarkHost}, {fromMachine, ir.MarkMachine}, {fromFile, ir.MarkFile}, {fromRandom, ir.MarkRandom}, {environ, ir.MarkEnviron}} {
		if s.re.MatchString(p) {
			m |= s.mark
		}
	}
	switch p {
	case "process.env", "os.environ", "os.environ.items()", "os.environ.keys()", "os.environ.values()", "os.environ.copy()", "os.environb":
		m |= ir.MarkWhole
	}
	if e := envName.FindStringSubmatch(p); e != nil {
		m |= envMark(e[1])
	}
	return m
}

// envMark returns the mark of a variable of the environment, by its name.
func envMark(name string) ir.Mark {
	switch strings.ToUpper(name) {
	case "CI", "GITHUB_ACTIONS", "GITLAB_CI", "TRAVIS", "CIRCLECI", "JENKINS_URL", "JENKINS_HOME", "BUILDKITE", "TEAMCITY_VERSION", "TF_BUILD", "BITBUCKET_BUILD_NUMBER", "CODEBUILD_BUILD_ID", "DRONE", "APPVEYOR", "CONTINUOUS_INTEGRATION", "BUILD_NUMBER", "RUNNER_OS", "GITHUB_WORKFLOW", "GITHUB_REPOSITORY":
		return ir.MarkCI
	case "USER", "LOGNAME", "USERNAME", "HOSTNAME", "COMPUTERNAME", "USERDOMAIN", "LANG", "LC_ALL", "LANGUAGE", "TZ", "LC_CTYPE":
		return ir.MarkHost
	}
	return 0
}

// interesting reports whether a name is sensitive: the environment, or a sign
// of a debugger or sandbox.
func interesting(p string) bool {
	switch first, _, _ := strings.Cut(p, "."); first {
	case "process", "os", "import", "Deno", "Bun", "sys", "__builtins__", "dotenv":
	default:
		return false
	}
	if environ.MatchString(p) {
		return true
	}
	return slices.Contains([]string{"process.execArgv", "process.binding", "process.report", "process.mainModule", "sys.gettrace", "process.title", "process.argv0", "sys.modules", "__builtins__", "process.dlopen", "process.config", "sys.flags"}, p)
}

// Where credentials are stored, by a part of their path.
var (
	sshPath       = lazyregexp.New(`(^|/|\\)\.ssh(/|\\|$)|(^|/)id_(rsa|ed25519|ecdsa|dsa)$`)
	awsPath       = lazyregexp.New(`(^|/|\\)\.aws(/|\\)(credentials|config|sso)|(^|/)\.aws/?$`)
	filePath      = lazyregexp.New(`(^|/|\\)\.(kube/config|docker/config\.json|netrc|git-credentials|pgpass|my\.cnf|vault-token|npmrc|pypirc|gem/credentials|cargo/credentials(\.toml)?|terraformrc|boto|s3cfg)$`)
	cloudPath     = lazyregexp.New(`(^|/|\\)\.config[/\\](gcloud|gh/hosts\.yml|hub|op|doctl|rclone|configstore|heroku|stripe)([/\\]|$)|\.config/gh/hosts|application_default_credentials\.json|(^|/)\.azure(/|$)|accessTokens\.json`)
	gpgPath       = lazyregexp.New(`(?i)(^|/|\\)\.gnupg(/|\\|$)|secring\.gpg|pubring\.kbx`)
	browserPath   = lazyregexp.New(`(?i)(chrome|chromium|brave(-browser|software)?|edge|opera|vivaldi)[^"]*[/\\](login data|cookies|web data|local state)|user data[/\\]default|(^|[/\\])login data$|(mozilla|\.mozilla|firefox)[/\\].*(profiles|logins\.json|key4\.db|cookies\.sqlite)|(^|[/\\])(logins\.json|key4\.db|cookies\.sqlite)$`)
	walletPath    = lazyregexp.New(`(?i)(^|[/\\])(wallet\.dat|\.?electrum([/\\]|$)|exodus([/\\]|$)|metamask|phantom|nkbihfbeogaeaoehlefnkodbefgpgknn|\.config/solana/id\.json|atomic[/\\]local storage|\.ethereum([/\\]|$)|\.bitcoin([/\\]|$)|keystore[/\\]utc--)`)
	keychainPath  = lazyregexp.New(`(?i)login\.keychain(-db)?|/library/keychains|\.local/share/(keyrings|kwalletd)|(^|[/\\])(1password|bitwarden|keepass\w*|lastpass)([/\\]|$)|\.kdbx$`)
	historyPath   = lazyregexp.New(`(^|/|\\)\.(bash|zsh|python|node_repl|mysql|psql|sh)_history$|ConsoleHost_history\.txt`)
	mailPath      = lazyregexp.New(`(?i)(^|/)(\.thunderbird|library/mail|\.mail|maildir|mbox)(/|$)|(^|/)var/(spool/)?mail/`)
	chatPath      = lazyregexp.New(`(?i)discord(canary|ptb)?[/\\]local storage[/\\]leveldb|telegram desktop[/\\]tdata|[/\\]slack[/\\](cookies|local storage)|signal[/\\](config\.json|sql)`)
	systemPath    = lazyregexp.New(`^/etc/(shadow|sudoers|master\.passwd)$|^/proc/(self|\d+|1)/environ$|^/var/run/secrets/|^/run/secrets/`)
	assistantPath = lazyregexp.New(`(?i)(claude_desktop_config\.json|\.cursor[/\\]mcp\.json|\.claude(\.json|[/\\]\.credentials\.json)|\.codeium[/\\].*mcp_config\.json|mcp_settings\.json|\.codex[/\\]auth\.json|\.gemini[/\\](settings|oauth_creds)\.json)`)
)

type secretPlace struct {
	re   *lazyregexp.Regexp
	what string
}

func secretPlaces() []secretPlace {
	return []secretPlace{
		{sshPath, "ssh key"},
		{awsPath, "aws credentials"},
		{filePath, "credentials file"},
		{cloudPath, "cloud credentials"},
		{gpgPath, "gpg keyring"},
		{browserPath, "browser store"},
		{walletPath, "wallet"},
		{keychainPath, "keychain"},
		{historyPath, "shell history"},
		{mailPath, "mailbox"},
		{chatPath, "chat store"},
		{systemPath, "system secret"},
		{assistantPath, "assistant configuration"},
	}
}

// SecretPath returns the kind of credential at a path, "" if none.
func SecretPath(p string) string {
	if len(p) < 5 || len(p) > 400 || !strings.ContainsAny(p, "./\\") || strings.Count(p, " ") > 3 || strings.Contains(p, " (") || !hinted(strings.ToLower(p)) {
		return ""
	}
	for _, s := range secretPlaces() {
		if s.re.MatchString(p) {
			return s.what
		}
	}
	return ""
}

// hinted quickly rules out paths that no pattern can match.
func hinted(p string) bool {
	for _, h := range [...]string{".ssh", "id_", "aws", "kube", "docker", "netrc", "git-cred", "pgpass", "my.cnf", "vault", "npmrc", "pypirc", ".gem", "cargo", "terraform", "boto", "s3cfg", ".config", "application_default", "azure", "accesstokens", "gnupg", "secring", "pubring", "login", "cookies", "web data", "local st", "user data", "mozilla", "firefox", "key4", "wallet", "electrum", "exodus", "metamask", "phantom", "nkbih", "atomic", "ethereum", "bitcoin", "keystore", "keychain", ".local/share", "1password", "bitwarden", "keepass", "lastpass", "kdbx", "history", "thunderbird", "mail", "mbox", "tdata", "slack", "signal", "/etc/", "/proc/", "secrets", "claude", "cursor", "codeium", "mcp_", "codex", "gemini"} {
		if strings.Contains(p, h) {
			return true
		}
	}
	return false
}
