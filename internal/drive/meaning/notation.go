package meaning

import (
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// notation is a form of identifiers that has a name, with a value that exists or that is
// reserved for examples.
type notation struct {
	format, value string
	// words name it anywhere in the name of a parameter, heads as its last word.
	words, heads string
	// fields are words of a parameter, a tool or a server that make an id one of these:
	// paper_id of a server for arXiv.
	fields string
}

// knownNotations lists the forms of identifiers, those of one field beside each other.
//
//nolint:lll // a table
func knownNotations() []notation {
	return []notation{
		{"arxiv id", "1706.03762", "arxiv arxiv_id", "", "arxiv"},
		{"doi", "10.1038/nature14539", "doi", "", "doi crossref"},
		{"pmid", "31452104", "pmid pubmed_id", "", "pubmed"},
		{"pmcid", "PMC6886502", "pmcid pmc_id", "", "pmc"},
		{"orcid", "0000-0002-1825-0097", "orcid", "", "orcid"},
		{"isbn", "9780306406157", "isbn", "", "isbn"},
		{"issn", "0028-0836", "issn", "", "issn"},
		{"nct id", "NCT00000102", "nct nct_id", "", "clinicaltrial"},
		{"uniprot accession", "P04637", "uniprot uniprot_id", "accession", "uniprot"},
		{"pdb id", "4HHB", "pdb pdb_id", "", "pdb rcsb"},
		{"cve id", "CVE-2021-44228", "cve cve_id", "", "cve nvd"},
		{"cwe id", "CWE-79", "cwe cwe_id", "", "cwe"},
		{"youtube video id", "dQw4w9WgXcQ", "video_id youtube_id", "", "youtube"},
		{"imdb id", "tt0111161", "imdb imdb_id", "", "imdb omdb"},
		{"wikidata id", "Q42", "qid wikidata_id", "", "wikidata"},
		{"ethereum address", "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045", "wallet_address contract_address token_address eth_address", "", "ethereum evm"},
		{"transaction hash", "0x" + strings.Repeat("5c504ed432cb51138bcf09aa5e8a410d", 2), "tx_hash transaction_hash txhash", "", ""},
		{"iata code", "BER", "iata iata_code airport_code", "airport origin_airport destination_airport", ""},
		{"icao code", "EDDB", "icao icao_code", "", ""},
		{"iban", "DE89370400440532013000", "iban", "", ""},
		{"mac address", "00:00:5e:00:53:01", "mac_address macaddr", "", ""},
		{"arn", "arn:aws:iam::123456789012:role/example", "arn role_arn iam_arn", "arn", ""},
		{"cidr", "192.0.2.0/24", "cidr_block", "subnet", ""},
		{"locale", "en-US", "", "locale culture", ""},
		{"cell range", "A1:C5", "cell_range data_range range_address table_range", "source_range target_range destination_range", ""},
		{"cell reference", "A1", "start_cell end_cell target_cell cell_address cell_reference", "cell anchor_cell changing_cell top_left", ""},
		{"bounding box", "13.0,52.3,13.8,52.7", "bbox bounding_box", "", ""},
		{"iso duration", "PT1H", "iso_duration", "", ""},
		{"commit hash", "HEAD", "", "revision1 revision2 commit1 commit2", ""},
		{"git ref", "HEAD", "git_ref", "target_ref source_ref start_point", ""},
	}
}

// pages are addresses of pages that exist at well-known services, by the word for the
// service: many tools take the address of a video, a repository or a paper, and refuse any
// other.
func pages() map[string]string {
	return map[string]string{
		"youtube": "https://www.youtube.com/watch?v=dQw4w9WgXcQ", "vimeo": "https://vimeo.com/76979871", "bilibili": "https://www.bilibili.com/video/BV1GJ411x7h7",
		"tiktok": "https://www.tiktok.com/@example/video/7106594312292453675", "loom": "https://www.loom.com/share/3f2b8c1e5d4a4f6b9c7d8e9f0a1b2c3d",
		"github": "https://github.com/octocat/Hello-World", "gitlab": "https://gitlab.com/gitlab-org/gitlab", "bitbucket": "https://bitbucket.org/atlassian/python-bitbucket",
		"gist": "https://gist.github.com/octocat/6cad326836d38bd3a7ae", "npm": "https://www.npmjs.com/package/express", "pypi": "https://pypi.org/project/requests/",
		"figma": "https://www.figma.com/design/AbCdEfGhIjKlMnOpQrStUv/Example?node-id=1-2", "notion": "https://www.notion.so/example/Example-3f2b8c1e5d4a4f6b9c7d8e9f0a1b2c3d",
		"arxiv": "https://arxiv.org/abs/1706.03762", "pubmed": "https://pubmed.ncbi.nlm.nih.gov/31452104/", "wikipedia": "https://en.wikipedia.org/wiki/Example",
		"reddit": "https://www.reddit.com/r/programming/comments/87rqlq/example/", "twitter": "https://x.com/example/status/20", "tweet": "https://x.com/example/status/20",
		"instagram": "https://www.instagram.com/p/CUbHfhpswxt/", "linkedin": "https://www.linkedin.com/in/example/", "spotify": "https://open.spotify.com/track/4cOdK2wGLETKBW3PvgPWqT",
		"huggingface": "https://huggingface.co/google-bert/bert-base-uncased", "stackoverflow": "https://stackoverflow.com/questions/11227809/example", "medium": "https://medium.com/@example/example-3f2b8c1e5d4a",
		"trello": "https://trello.com/c/aBcDeFgH/1-example", "slack": "https://example.slack.com/archives/C0123456789/p1700000000000000", "docker": "https://hub.docker.com/_/nginx",
		"steam": "https://store.steampowered.com/app/440/", "imdb": "https://www.imdb.com/title/tt0111161/",
	}
}

// page returns the address of a page at the service that words name, "" if they name none:
// the words of a parameter, then those of the tool and of the server.
func (v Values) page(names, said []string) string {
	all := pages()
	for _, words := range [][]string{names, said[:min(len(said), maxMention)], Words(v.tool), Words(v.Samples.Server)} {
		for i, w := range words {
			pair := w // YouTube is two words here
			if i > 0 {
				pair = words[i-1] + w
			}
			for _, name := range []string{pair, Singular(w)} {
				if address := all[name]; address != "" {
					return address
				}
			}
		}
	}
	return ""
}

// notationSenses returns the meanings of the names of identifiers.
func notationSenses() []textSense {
	var out []textSense
	for _, n := range knownNotations() {
		out = append(out, textSense{n.value, n.words, n.heads})
	}
	return out
}

// textSense is a text and the names that mean it.
type textSense struct{ value, words, heads string }

// notationOf returns the value in a form of identifiers that words name, "" if they name
// none.
func notationOf(lists ...[]string) string {
	all := knownNotations()
	for _, words := range lists {
		for i, w := range words {
			pair := w // arXiv and PubMed are two words here
			if i > 0 {
				pair = words[i-1] + w
			}
			at := slices.IndexFunc(all, func(n notation) bool {
				fields := strings.Fields(n.fields)
				return slices.Contains(fields, Singular(w)) || slices.Contains(fields, pair)
			})
			if at >= 0 {
				return all[at].value
			}
		}
	}
	return ""
}

// notation returns an id in the form that the words around a parameter name, "" if they
// name none. What the server is about says only what its main things are called by.
func (v Values) notation(names, said []string) string {
	own := said[:min(len(said), maxMention)]
	if found := notationOf(names, own); found != "" {
		return found
	}
	if slices.ContainsFunc(names, func(w string) bool { return !idOf(Singular(w)) }) {
		return ""
	}
	return notationOf(Words(v.tool), Words(v.Samples.Server))
}

// idOf reports whether a word of the name of an id means what a service has most of.
func idOf(word string) bool {
	switch word {
	case "id", "identifier", "paper", "article", "preprint", "publication", "work", "video", "movie", "film", "title", "protein", "structure", "study", "trial", "entity", "item", "vulnerability":
		return true
	}
	return false
}

// HasNotation reports whether a name means something that is written in a form of its own,
// such as a cell of a table, so that no other thing can be called so.
func HasNotation(name string) bool {
	words := Words(name)
	if len(words) == 0 {
		return false
	}
	last := Singular(words[len(words)-1])
	return slices.ContainsFunc(knownNotations(), func(n notation) bool {
		return slices.Contains(strings.Fields(n.heads), last) || slices.Contains(strings.Fields(n.words), strings.Join(words, "_"))
	})
}

// Notation returns a value in a form of identifiers by what a text calls it: "arXiv ID format".
func Notation(name string) (string, bool) {
	name = idWords.ReplaceAllString(strings.ToLower(strings.TrimSpace(name)), "")
	for _, n := range knownNotations() {
		if idWords.ReplaceAllString(n.format, "") == name {
			return n.value, true
		}
	}
	return "", false
}

// idWords are words behind the name of a form that do not tell it from others.
var idWords = lazyregexp.New(`(?: (?:paper|video|airport|article|ids?|identifiers?|numbers?|codes?|accessions?|reference|address(?:es)?|hash(?:es)?))+$`)
