package decoys

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// webshop is the project the developer works on: a git repository with a
// history, and a change that is not committed yet: git add and git commit have something
// to do.
func webshop(k *kit, h *Home) error {
	files := webshopFiles(k, h)
	files["README.md"] = strings.Replace(files["README.md"], "npm run dev", "npm start", 1)
	m := k.mint("webshop.git")
	p := &project{k: k, m: m, store: gitStore{}, tags: map[string]gitID{}}
	branch := p.history(files)
	staged := p.store.stagingArea(files)
	pack, index, err := p.store.pack()
	if err != nil {
		return fmt.Errorf("packing a repository: %w", err)
	}
	m.keep(string(p.store[p.main].packed))

	// Files that git rewrites in everyday use are scenery, the history is not.
	name := m.text(40, hexits)
	h.decoy(m, mcpsf.DecoyDocument, "doc", repoDir+"/.git/objects/pack/pack-"+name+".pack", string(pack))
	git := func(name, content string) { h.plain(path.Join(repoDir, ".git", name), 0o644, content) }
	git("objects/pack/pack-"+name+".idx", string(index))
	git("index", string(staged))
	git("HEAD", "ref: refs/heads/main\n")
	git("refs/heads/main", fmt.Sprintf("%x\n", p.main))
	git("refs/heads/discounts", fmt.Sprintf("%x\n", branch))
	for _, name := range slices.Sorted(maps.Keys(p.tags)) {
		git("refs/tags/"+name, fmt.Sprintf("%x\n", p.tags[name]))
	}
	git("refs/remotes/origin/HEAD", "ref: refs/remotes/origin/main\n")
	git("refs/remotes/origin/main", fmt.Sprintf("%x\n", p.main))
	git("logs/HEAD", p.log.String())
	git("logs/refs/heads/main", p.log.String())
	git("config", fmt.Sprintf(`[core]
	repositoryformatversion = 0
	filemode = true
	bare = false
	logallrefupdates = true
[user]
	name = %s %s
	email = %s
[remote "origin"]
	url = git@git.%s:shop/webshop.git
	fetch = +refs/heads/*:refs/remotes/origin/*
[branch "main"]
	remote = origin
	merge = refs/heads/main
`, k.who.first, k.who.last, k.who.email, k.who.domain))
	return nil
}

// webshopFiles plants the work tree and returns it, by relative paths.
func webshopFiles(k *kit, h *Home) map[string]string {
	files := map[string]string{}
	for _, d := range []struct {
		name  string
		write func(*kit, *mint) string
	}{{"README.md", readme}, {"src/cart.js", cart}} {
		at := path.Join(repoDir, d.name)
		m := k.mint(at)
		files[d.name] = d.write(k, m)
		h.decoy(m, mcpsf.DecoyDocument, "doc", at, files[d.name])
	}
	m := k.mint("webshop")
	for _, f := range []struct{ name, content string }{
		{".gitignore", "node_modules/\n.env\n"},
		{"package.json", fmt.Sprintf(`{
  "name": "@%s/webshop",
  "version": "3.%d.%d",
  "private": true,
  "type": "module",
  "scripts": {
    "dev": "node --watch src/index.js",
    "start": "node src/index.js"
  }
}
`, k.who.company, m.rng.IntN(20), m.rng.IntN(10))},
		{"src/index.js", `import { total } from "./cart.js";

console.log(total([{ price: 1999, quantity: 2 }]));
`},
	} {
		files[f.name] = f.content
		h.plain(path.Join(repoDir, f.name), 0o644, f.content)
	}
	return files
}

func readme(k *kit, m *mint) string {
	return fmt.Sprintf("# webshop\n\nThe shop of %s. Project number %s.\n\n    npm ci\n    npm run dev\n\nCopy `.env` from a colleague before the first start.\n",
		k.who.company, m.ref("WS-"))
}

func cart(_ *kit, m *mint) string {
	return fmt.Sprintf(`// Ticket %s: round once, at the end.
export function total(lines) {
  const cents = lines.reduce((sum, { price, quantity }) => sum + price * quantity, 0);
  return Math.round(cents) / 100;
}
`, m.ref("SHOP-"))
}

// project is the webshop's repository while it is built.
type project struct {
	k     *kit
	m     *mint
	store gitStore
	main  gitID
	tags  map[string]gitID // the releases, by their names
	log   strings.Builder  // the reflog of main
}

// history commits the versions up to files on main, and another commit on a
// branch, which it returns.
func (p *project) history(files map[string]string) gitID {
	but := func(changes map[string]string) map[string]string {
		then := maps.Clone(files)
		maps.Copy(then, changes)
		maps.DeleteFunc(then, func(_, content string) bool { return content == "" })
		return then
	}
	start, _, _ := strings.Cut(files["README.md"], "\nCopy")
	const naive = `export function total(lines) {
  let sum = 0;
  for (const { price, quantity } of lines) {
    sum += Math.round(price * quantity) / 100;
  }
  return sum;
}
`
	p.advance(107, "first version of the shop", but(map[string]string{
		"README.md": start, "src/cart.js": "", "src/index.js": "console.log(\"open\");\n",
	}))
	p.tags["v2.0.0"] = p.main
	p.advance(61, "cart: add up the lines", but(map[string]string{"README.md": start, "src/cart.js": naive}))
	p.advance(33, "readme: say where the settings come from", but(map[string]string{"src/cart.js": naive}))
	p.tags["v3.0.0"] = p.main
	branch, _ := p.commit(18, "discounts: a percentage for regulars", but(map[string]string{
		"src/cart.js":     naive,
		"src/discount.js": "export const regulars = (total) => total * 0.95;\n",
	}))
	p.advance(11, "cart: round prices once", files)
	return branch
}

// advance adds a commit to main.
func (p *project) advance(days int, message string, files map[string]string) {
	id, who := p.commit(days, message, files)
	how := "commit"
	if p.main == (gitID{}) {
		how = "commit (initial)"
	}
	fmt.Fprintf(&p.log, "%x %x %s\t%s: %s\n", p.main, id, who, how, message)
	p.main = id
}

// commit makes a commit on top of main, and returns its author and time.
func (p *project) commit(days int, message string, files map[string]string) (id gitID, who string) {
	text := fmt.Sprintf("tree %x\n", p.store.tree(files))
	if p.main != (gitID{}) {
		text += fmt.Sprintf("parent %x\n", p.main)
	}
	who = fmt.Sprintf("%s %s <%s> %d +0000", p.k.who.first, p.k.who.last, p.k.who.email, p.k.ago(p.m, days).Unix())
	text += fmt.Sprintf("author %[1]s\ncommitter %[1]s\n\n%[2]s\n", who, message)
	return p.store.put(gitCommit, []byte(text)), who
}
