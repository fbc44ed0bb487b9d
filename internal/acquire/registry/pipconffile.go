package registry

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// pipSettings are pip's settings by "section.key". Later ones win.
type pipSettings map[string]setting

// get looks up a setting as pip install does: the environment first, then the
// command's own section, whatever file it is in, then the common section.
func (s pipSettings) get(key string) setting {
	for _, section := range []string{":env:", "install", "global"} {
		if v, ok := s[section+"."+key]; ok {
			return v
		}
	}
	return setting{}
}

// add reads one file into s.
func (s pipSettings) add(name string, data []byte) error {
	section, key := "", ""
	number := 0
	for line := range strings.Lines(strings.TrimPrefix(string(data), "\ufeff")) {
		number++
		line = strings.TrimRight(line, "\r\n")
		text := strings.TrimSpace(line)
		indented := line != "" && strings.ContainsRune(" \t", rune(line[0]))
		switch {
		case text == "", text[0] == '#', text[0] == ';':
		case indented && key != "":
			v := s[key]
			v.value = strings.TrimSpace(v.value + "\n" + text)
			s[key] = v
		case text[0] == '[':
			end := strings.IndexByte(text, ']')
			if end < 0 {
				return badSetting(pipLine(name, number), "a section has no closing bracket")
			}
			section, key = strings.ToLower(strings.TrimSpace(text[1:end])), ""
		default:
			at := strings.IndexAny(text, "=:")
			switch {
			case section == "":
				return badSetting(pipLine(name, number), "it stands before the first section, such as [global]")
			case at <= 0:
				return badSetting(pipLine(name, number), "it is neither a section nor name = value")
			}
			key = section + "." + pipKey(text[:at])
			s[key] = setting{value: strings.TrimSpace(text[at+1:]), from: pipLine(name, number)}
		}
	}
	return nil
}

// pipKey normalises the name of a setting.
func pipKey(name string) string {
	name = strings.ReplaceAll(strings.ToLower(strings.TrimSpace(name)), "_", "-")
	return strings.TrimPrefix(name, "--")
}

// pipLine says where a setting is. The line itself is never shown, because it
// can contain a password.
func pipLine(name string, number int) string {
	return name + ", line " + strconv.Itoa(number)
}

// pipFiles lists the settings files of pip in reading order. Those of a virtual
// environment are not among them: it can be part of what is assessed.
func pipFiles(getenv func(string) string, home string) []string {
	own := getenv("PIP_CONFIG_FILE")
	if own == os.DevNull {
		return nil // pip's way to disable all files
	}
	dirs := getenv("XDG_CONFIG_DIRS")
	if dirs == "" {
		dirs = "/etc/xdg"
	}
	var files []string
	for _, dir := range filepath.SplitList(dirs) {
		files = append(files, filepath.Join(dir, "pip", "pip.conf"))
	}
	files = append(files, "/etc/pip.conf")
	if home != "" {
		files = append(files, filepath.Join(home, ".pip", "pip.conf"))
	}
	if dir := getenv("XDG_CONFIG_HOME"); dir != "" {
		files = append(files, filepath.Join(dir, "pip", "pip.conf"))
	} else if home != "" {
		files = append(files, filepath.Join(home, ".config", "pip", "pip.conf"))
	}
	if own != "" {
		files = append(files, own)
	}
	// A relative path would be read from the current directory, which can be in
	// what is assessed.
	absolute := files[:0]
	for _, f := range files {
		if filepath.IsAbs(f) || f == own {
			absolute = append(absolute, f)
		}
	}
	return absolute
}

// pipBool is true for what pip accepts as yes.
func pipBool(v setting) (bool, error) {
	switch strings.ToLower(v.value) {
	case "y", "yes", "t", "true", "on", "1":
		return true, nil
	case "", "n", "no", "f", "false", "off", "0":
		return false, nil
	}
	return false, badSetting(v.from, "it is neither yes nor no")
}
