package meaning

// The meanings of names, by topic: which words mean the same, and a value with
// which an ordinary server succeeds.

// places are the meanings that name a location.
func (v Values) places() []sense {
	return []sense{
		{kind: KindPath, value: v.File, words: "path filepath pathname file filename file_name", heads: "files attachment"},
		{kind: KindPath, value: v.NewFile, words: "outfile output_path output_file save_path", heads: "destination dest output save_as", weak: true},
		{kind: KindPath, value: v.File, heads: "source src", weak: true},
		{kind: KindDir, value: v.Dir, words: "dir directory folder cwd workdir rootdir", heads: "folder_name directory_name root workspace codebase working_directory"},
		{kind: KindURL, value: v.URL, words: "url uri href website webpage web_page web_site permalink", heads: "link endpoint webhook callback feed homepage origin_url"},
		{kind: KindHost, value: v.Host, words: "hostname fqdn domain_name", heads: "host domain server site nameserver host_name"},
		{kind: KindHost, value: "192.0.2.10", words: "ip ipv4 ip_address", heads: "cidr"},
		{kind: KindHost, value: "2001:db8::10", words: "ipv6"},
		{kind: KindEmail, value: v.Email, words: "email e_mail email_address", heads: "mail recipient cc bcc mailbox"},
		{kind: KindName, value: v.Repo, heads: "repo repository github_repo repo_name repository_name full_name"},
		{kind: KindArgument, value: v.Branch, heads: "branch ref revision rev base_branch base target_branch branch_name"},
		{kind: KindArgument, value: "HEAD", heads: "commit sha commit_hash commit_sha commit_id"},
		{kind: KindArgument, value: "origin", heads: "remote remote_name upstream"},
		{kind: KindArgument, value: "hello", heads: "arg args argv argument flag option", weak: true},
	}
}

// languages are texts in a formal language.
func (v Values) languages() []sense {
	return []sense{
		{kind: KindSQL, value: v.SQL, words: "sql sql_query", heads: "statement"},
		{kind: KindQuery, value: v.Query, words: "query search_text search_query", heads: "q search keyword term search_term needle find phrase question_query"},
		{kind: KindQuery, value: "hello", heads: "filter where", weak: true},
		{kind: KindQuery, value: "{ __typename }", words: "graphql graphql_query", heads: "gql"},
		{kind: KindQuery, value: "$.name", words: "jsonpath json_path jq jmespath"},
		{kind: KindQuery, value: "//a", words: "xpath"},
		{kind: KindQuery, value: "body", words: "css_selector iframe_selector", heads: "selector"},
		{kind: KindCommand, value: v.Command, words: "cmd commandline command_line shell_command bash", heads: "command shell"},
		{kind: KindCommand, value: "echo", heads: "program executable binary interpreter exe"},
		{kind: KindCode, value: v.Code, words: "javascript python source_code expr math_expression", heads: "code script expression formula snippet calculation equation"},
		{kind: KindCode, value: "() => 1", heads: "function callback_function lambda"},
		{kind: KindTemplate, value: "Hello {{ name }}", words: "jinja jinja2 handlebars mustache liquid", heads: "template format_string"},
		{kind: KindMarkup, value: "<p>Hello</p>", words: "html html_content", heads: "markup"},
		{kind: KindMarkup, value: "# Hello\n\nThe quick brown fox.\n", words: "markdown", heads: "md rich_text"},
		{kind: KindMarkup, value: `<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>`, words: "svg"},
		{kind: KindMarkup, value: "graph TD; A-->B", words: "mermaid diagram", heads: "graph"},
		{kind: KindMarkup, value: "x^2", words: "latex tex"},
		{kind: KindJSON, value: `{"name":"example"}`, words: "json json_string", heads: "payload metadata"},
		{kind: KindXML, value: "<note><to>alex</to></note>", words: "xml xslt soap"},
		{kind: KindData, value: "name: example\n", words: "yaml yml", heads: "manifest"},
		{kind: KindData, value: Table, words: "csv csv_data tsv"},
		{kind: KindData, value: publicKey, words: "public_key ssh_key ssh_public_key authorized_key"},
		{kind: KindData, value: "aGVsbG8=", words: "base64 b64 base64_data data_uri", heads: "blob bytes binary_data"},
		{kind: KindRegexp, value: "hello", words: "regex regexp regular_expression", heads: "pattern"},
		{kind: KindGlob, value: "*.md", words: "glob wildcard file_pattern glob_pattern", heads: "include exclude include_pattern exclude_pattern ignore_pattern"},
		{kind: KindText, value: v.Text, heads: "text content contents message body note prompt input description comment reason summary " +
			"question instruction context thought paragraph caption intent why sentence document answer", weak: true},
	}
}

// Table is a table as text. It has some rows: what is done with many may differ from what is
// done with one.
const Table = "name,age\nalex,30\nbo,41\ncleo,27\ndana,52\neli,38\n"

// publicKey is a key for OpenSSH to which nobody has the private one.
const publicKey = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAID1+RvmdlvuHMWZYtI1vLc6WmUaX09VJzihuEAZkBT2u alex@example.com"

// references are names of things that exist elsewhere.
func references(v Values) []sense {
	return []sense{
		{kind: KindID, value: v.ID, heads: "id ids uid identifier handle token session index number hash iid sku cursor offset next_page " +
			"page_token session_id run_id arn"},
		{kind: KindID, value: "3f2b8c1e-5d4a-4f6b-9c7d-8e9f0a1b2c3d", words: "uuid guid"},
		{kind: KindName, value: v.Name, heads: "name title user username user_name label tag key category owner org organization author " +
			"project team group channel bucket collection queue topic service slug alias model package library app application " +
			"assignee tenant environment_name subject heading symbol_name entity node view", weak: true},
		{kind: KindName, value: "default", heads: "namespace profile"},
		{kind: KindName, value: "public", heads: "schema schema_name"},
		{kind: KindName, value: "main", heads: "database db database_name"},
		{kind: KindName, value: "users", heads: "table table_name"},
		{kind: KindName, value: "name", heads: "column column_name field field_name property property_name attribute sort sort_by order_by group_by"},
	}
}

// moments are points and spans of time.
func moments() []sense {
	return []sense{
		{kind: KindDate, value: "2024-05-17", words: "birthday", heads: "date day deadline start_date from_date check_in checkin"},
		{kind: KindDate, value: "2024-05-17", heads: "since start after", weak: true},
		{kind: KindDate, value: "2024-05-24", heads: "end_date to_date due_date due check_out checkout"},
		{kind: KindDate, value: "2024-05-24", heads: "until end before", weak: true},
		{kind: KindDate, value: "2024-05-17T09:30:00Z", words: "timestamp datetime date_time", heads: "start_time from_time depart_at created_at scheduled_at start_at"},
		{kind: KindDate, value: "2024-05-24T09:30:00Z", heads: "end_time to_time arrive_by end_at expires_at timestamp_end"},
		{kind: KindDate, value: "09:30", heads: "time"},
		{kind: KindDate, value: "2024-05", heads: "month"},
		{kind: KindDate, value: "2024", heads: "year"},
		{kind: KindText, value: "1h", heads: "duration interval period ttl lookback time_range timespan"},
		{kind: KindText, value: "0 9 * * 1", words: "cron crontab cron_expression", heads: "schedule"},
		{kind: KindText, value: "UTC", words: "timezone time_zone", heads: "tz"},
	}
}

// settings are words from small fixed vocabularies.
func settings() []sense {
	texts := []textSense{
		{humanLanguage, "lang", "language locale language_code lang_code"},
		{"Example-pass-1", "password passphrase", "secret passwd"},
		{"US", "country country_code", "nationality"},
		{"Berlin", "city", "location place address town street state_name"},
		{"us-east-1", "aws_region", "region availability_zone"},
		{"10115", "zip_code zipcode postal_code postcode", "zip"},
		{"+12025550143", "phone phone_number telephone", "mobile msisdn fax"},
		{"USD", "currency currency_code", "base_currency"},
		{"#336699", "color colour", ""},
		{"text/plain", "mime mime_type mimetype media_type content_type", "accept"},
		{"1.0.0", "semver", "version version_number"},
		{"v1", "api_version", ""},
		{"Mozilla/5.0", "user_agent useragent", ""},
		{"utf-8", "encoding charset", ""},
		{"GET", "http_method", "method verb"},
		{"https", "", "protocol scheme"},
		{"sha256", "", "algorithm digest"},
		{"production", "", "environment env stage"},
		{"open", "", "status state"},
		{"info", "log_level", "level severity"},
		{"medium", "", "priority"},
		{"asc", "", "sort_order order direction sort_direction"},
		{"metric", "", "unit"},
		{"AAPL", "ticker", "symbol stock"},
		{"text", "", "format output_format response_format"},
		{"alpine:latest", "docker_image", "image_name"},
		{"16:9", "aspect_ratio", ""},
	}
	texts = append(texts, notationSenses()...)
	out := []sense{
		{kind: KindNumber, value: "52.52,13.405", words: "coordinate latlng geolocation lat_lng geo_location", heads: "lat_long point"},
		{kind: KindNumber, value: "52.52", words: "latitude", heads: "lat"},
		{kind: KindNumber, value: "13.405", words: "longitude", heads: "lng lon long"},
		{kind: KindNumber, value: "8080", heads: "port port_number"},
		{kind: KindNumber, value: "10", heads: "amount price count limit size quantity width height radius page_size timeout max min"},
	}
	for _, t := range texts {
		out = append(out, sense{kind: KindText, value: t.value, words: t.words, heads: t.heads})
	}
	return out
}
