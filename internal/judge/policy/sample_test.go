package policy

import (
	"strings"

	"github.com/mcpsf/mcpsf"
)

func samples() map[string]*mcpsf.Report {
	return map[string]*mcpsf.Report{"thief": thief(), "files": files(), "quiet": quiet(), "hostile": hostile()}
}

func access(kind mcpsf.AccessKind, name string, by mcpsf.Explainer) mcpsf.Access {
	return mcpsf.Access{Kind: kind, Name: name, Phase: mcpsf.PhaseDrive, Count: 1, Event: 9,
		Explanation: mcpsf.Explanation{By: by, Reason: "of a reason"}}
}

func of(tool string, a mcpsf.Access) mcpsf.Access { a.Tool = tool; return a }

func planted(kind string, a mcpsf.Access) mcpsf.Access { a.Planted = kind; return a }

func base(name string, accesses ...mcpsf.Access) *mcpsf.Report {
	return &mcpsf.Report{
		Run:      mcpsf.Run{ID: "20260102-030405-7f3a"},
		Artifact: mcpsf.Artifact{Name: name, Version: "1.2.3"},
		Verdict:  mcpsf.Verdict{Band: mcpsf.BandPass, Action: "deploy"},
		Coverage: mcpsf.Coverage{
			Calls:  mcpsf.CallTotals{Tools: 2, Reached: 2},
			Events: mcpsf.EventTotals{Complete: true},
			Limits: []mcpsf.LimitStatus{{Name: mcpsf.LimitMemory, Limit: 1 << 30, Unit: "bytes"}},
		},
		Session: mcpsf.Session{Initialized: true},
		Accesses: append([]mcpsf.Access{
			access(mcpsf.AccessProgram, "/usr/bin/python3.11", mcpsf.ByNature),
			access(mcpsf.AccessRead, "/usr/", mcpsf.ByNature),
			access(mcpsf.AccessRead, mcpsf.WorkDir+"/", mcpsf.ByNature),
			access(mcpsf.AccessRead, "pipe", mcpsf.ByNature),
		}, accesses...),
	}
}

// quiet needs nothing.
func quiet() *mcpsf.Report { return base("@Scope/quiet") }

// thief does some of what it declares, and steals.
func thief() *mcpsf.Report {
	r := base("thief",
		of("get_weather", access(mcpsf.AccessHost, "collector.example:443", mcpsf.ByPurpose)),
		of("get_weather", access(mcpsf.AccessHost, "api.weather.example:443", mcpsf.ByPurpose)),
		of("fetch", access(mcpsf.AccessHost, "api.argument.example:443", mcpsf.ByArgument)),
		of("get_weather", planted("ssh-key", access(mcpsf.AccessRead, mcpsf.Home+"/.ssh/id_rsa", mcpsf.ByNobody))),
		of("get_weather", planted("aws-credentials", access(mcpsf.AccessRead, mcpsf.Home+"/.aws/credentials", mcpsf.ByPurpose))),
		of("get_weather", access(mcpsf.AccessProgram, "/usr/bin/nc", mcpsf.ByNobody)),
		of("get_weather", access(mcpsf.AccessProgram, "/usr/bin/curl", mcpsf.ByPurpose)),
		of("get_weather", access(mcpsf.AccessVariable, "WEATHER_KEY", mcpsf.ByConfiguration)),
		of("get_weather", access(mcpsf.AccessVariable, "STRIPE_KEY", mcpsf.ByNobody)),
		of("get_weather", access(mcpsf.AccessWrite, "/tmp/", mcpsf.ByNature)),
		of("get_weather", access(mcpsf.AccessListen, "0.0.0.0:8080", mcpsf.ByNobody)),
	)
	install := access(mcpsf.AccessHost, "packages.example:443", mcpsf.ByNature)
	install.Phase = mcpsf.PhaseInstall
	r.Accesses = append(r.Accesses, install)
	r.Findings = []mcpsf.Finding{{
		ID: "secret-exfiltration", Severity: mcpsf.SeverityCritical, Message: `"/home/dev/.ssh/id_rsa" was sent to collector.example in a call of "get_weather"`,
	}}
	r.Verdict = mcpsf.Verdict{Band: mcpsf.BandCritical, Behaviour: mcpsf.Answer{Band: mcpsf.BandCritical}, Action: "do not deploy"}
	r.Coverage.Calls.Tools = 3
	return r
}

// files works on files that it is given, and stores some of its own.
func files() *mcpsf.Report {
	return base("files",
		of("read_file", planted(mcpsf.DecoyDocument, access(mcpsf.AccessRead, mcpsf.Home+"/Documents/todo.txt", mcpsf.ByArgument))),
		of("read_file", planted("ssh-key", access(mcpsf.AccessRead, mcpsf.Home+"/.ssh/id_rsa", mcpsf.ByArgument))),
		of("write_file", access(mcpsf.AccessWrite, mcpsf.Home+"/Documents/new.txt", mcpsf.ByArgument)),
		of("write_file", access(mcpsf.AccessWrite, mcpsf.Home+"/.cache/files/", mcpsf.ByNature)),
		of("write_file", access(mcpsf.AccessWrite, mcpsf.WorkDir+"/", mcpsf.ByNature)),
		of("settings", access(mcpsf.AccessRead, mcpsf.Home+"/.config/files/", mcpsf.ByPurpose)),
		of("settings", access(mcpsf.AccessHost, "127.0.0.1:5432", mcpsf.ByNature)),
		of("settings", access(mcpsf.AccessListen, "127.0.0.1:8931", mcpsf.ByNature)),
	)
}

// hostile uses names that have a special meaning in other formats.
func hostile() *mcpsf.Report {
	names := []string{
		"/srv/a\ninjected: true", "/srv/\"], \"injected\": [\"", "/srv/'; injected; '", "/srv/$(injected)", "/srv/`injected`",
		"/srv/\x1b[31minjected", "/srv/\u202einjected", "/srv/\u3164injected", "/srv/injected:/etc:rw", "/srv/injected,/etc", "/srv/../injected",
		"/srv/injected*", "/srv/\xffinjected", "/srv/{{injected}}", "/srv/injected \\\n", strings.Repeat("/long", 300), "-injected\x00",
	}
	var list []mcpsf.Access
	for _, name := range names {
		for _, kind := range []mcpsf.AccessKind{mcpsf.AccessRead, mcpsf.AccessWrite, mcpsf.AccessProgram, mcpsf.AccessHost, mcpsf.AccessVariable, mcpsf.AccessListen} {
			list = append(list, of("tool\ninjected: true", access(kind, name, mcpsf.ByPurpose)))
		}
	}
	list = append(list, of("x", access(mcpsf.AccessHost, "a.example\ninjected.example:443", mcpsf.ByPurpose)))
	r := base("evil\ninjected: [1]\x1b[31m", list...)
	r.Artifact.Name = "a\nb\u202e\"'$(x)"
	r.Verdict = mcpsf.Verdict{Band: mcpsf.BandInconclusive, Reasons: []string{"x\ninjected: true"}}
	return r
}
