package monitor

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// Settings of git can name programs that git runs, so what is written to its
// files is reported setting by setting. A file may be written elsewhere and then
// moved, so every file counts that reads like one of git's.

// maxSetting bounds the value of a setting in an event.
// no gap: a value is cut, its setting is reported
const maxSetting = 120

// unreadableSettings stands for content that is no list of whole settings.
const unreadableSettings = "?"

// gitSections are beginnings of sections in which git looks for programs.
func gitSections() []string {
	return []string{
		"core", "alias", "include", "credential", "filter", "diff", "merge", "gpg", "url", "http", "pager", "remote", "submodule",
		"sequence", "init", "difftool", "mergetool", "interactive", "uploadpack", "trailer", "man", "browser", "protocol", "sendemail",
	}
}

// gitSettings returns the settings in data that is written to a file, as
// "section.key=value"; nil if it is no file of git's.
func gitSettings(name string, data []byte) []string {
	isFile := gitFile(name)
	if !isFile && !hasGitSection(data) {
		return nil
	}
	list, whole := parseGitSettings(string(data))
	if isFile && !whole {
		list = append(list, unreadableSettings)
	}
	return list
}

// gitFile tells whether git reads its settings from a file of this name, or
// makes one from it.
func gitFile(name string) bool {
	base := strings.TrimSuffix(path.Base(name), ".lock")
	return base == ".gitconfig" || base == ".gitmodules" || (base == "config" || base == "config.worktree") && strings.Contains(name, ".git/")
}

// hasGitSection tells whether a line of data begins one of these sections. All
// that is written passes here, so the data is read once.
func hasGitSection(data []byte) bool {
	for rest := data; ; {
		at := bytes.IndexByte(rest, '[')
		if at < 0 {
			return false
		}
		before := bytes.TrimRight(rest[:at], " \t")
		rest = rest[at+1:]
		if len(before) > 0 && before[len(before)-1] != '\n' {
			continue
		}
		end := bytes.IndexAny(rest[:min(len(rest), 16)], " .]")
		if end > 0 && slices.Contains(gitSections(), strings.ToLower(string(rest[:end]))) {
			return true
		}
	}
}

// parseGitSettings reads sections and their settings. whole is false where the
// text begins or ends within a section.
func parseGitSettings(text string) (list []string, whole bool) {
	section, whole := "", text == "" || strings.HasSuffix(text, "\n")
	for line := range strings.Lines(strings.ReplaceAll(text, "\\\n", "")) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' || line[0] == ';' {
			continue
		}
		if line[0] == '[' {
			head, rest, closed := strings.Cut(line[1:], "]")
			section, whole = sectionName(head), whole && closed
			if line = strings.TrimSpace(rest); line == "" {
				continue
			}
		}
		if section == "" {
			whole = false
		}
		key, value, _ := strings.Cut(line, "=")
		setting := section + "." + strings.ToLower(strings.TrimSpace(key)) + "=" + strings.TrimSpace(value)
		list = append(list, clean(setting[:min(len(setting), maxSetting)]))
	}
	return list, whole
}

// sectionName turns `filter "x"` into filter.x, as git names it.
func sectionName(head string) string {
	name, sub, _ := strings.Cut(strings.TrimSpace(head), " ")
	if sub = strings.Trim(strings.TrimSpace(sub), `"`); sub != "" {
		return strings.ToLower(name) + "." + sub
	}
	return strings.ToLower(name)
}

// settings reports the settings of git in data that was written to a file.
func (fs *files) settings(o *origin, f openFile, data []byte) {
	if f.path == "" || f.decoy != nil && !gitFile(f.path) || !path.IsAbs(f.path) {
		return
	}
	list := gitSettings(f.path, data)
	if len(list) == 0 {
		return
	}
	e := fs.log.base(o, mcpsf.KindFileWrite)
	e.File = &mcpsf.FileDetail{Path: f.path, Bytes: int64(len(data)), Flags: "a", Sets: list}
	fs.log.emit(&e)
}
