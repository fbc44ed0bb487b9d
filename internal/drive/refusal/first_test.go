package refusal_test

import (
	"testing"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/refusal"
)

// first returns the first name of the wish for another call, "" if there is none.
func first(text string) string {
	for _, w := range refusal.Read(text) {
		if w.Kind == mcpsf.WishFirst && len(w.Path) == 0 && len(w.Accepted) > 0 {
			return w.Accepted[0]
		}
	}
	return ""
}

// Texts that ask for another call, and by which name they call it first.
func TestWishFirst(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{`call sign_in first`, "sign_in"},
		{`not signed in`, "signin"},
		{`Not authenticated. Use login`, "login"},
		{`no active session; open one with open_session`, "open_session"},
		{"run `init` before", "init"},
		{`must be connected`, "connect"},
		{`no project loaded`, "project"},
		{`Session not started`, "session"},
		{`Error: You are not logged in. Please run the login tool.`, "login"},
		{`Please authenticate first.`, "authenticate"},
		{`Login required`, "login"},
		{`You need to connect to a database first`, "connect"},
		{`Database not initialized. Call init_db() before querying.`, "init_db"},
		{`No document is open`, "document"},
		{`There is no open document`, "document"},
		{`startGame must be called first`, "startGame"},
		{`Did you forget to call connect_device?`, "connect_device"},
		{`The workspace has not been opened yet`, "workspace"},
		{`Initialize the project first`, "initialize"},
		{"Create a session with `begin_session` before you add items", "begin_session"},
		{`This tool requires an active session`, "session"},
		{`You must log in before placing an order.`, "login"},
		{`Session expired, please log in again`, "login"},
		{`No ledger is loaded. Load one with load_ledger.`, "load_ledger"},
		{`First, call set_workspace with the folder.`, "set_workspace"},
		{`RuntimeError: Not connected. Call connect() first.`, "connect"},
		{`No board selected - use select_board to select one`, "select_board"},
		{`Cart is not open yet`, "cart"},
		{"use `unlock_vault` to unlock the vault", "unlock_vault"},
		{`{"error":"unauthenticated","message":"Authentication required. Use the authenticate tool."}`, "authenticate"},
		{`Not connected`, "connect"},
		{`You haven't signed in`, "signin"},
		{"AuthError: call `auth.login` first", "auth.login"},
		{`Before calling this tool, run setup_env`, "setup_env"},
		{`Must call begin before commit`, "begin"},
		{`A shift must be started first (see start_shift)`, "start_shift"},
		{`Client is not initialized`, "initialize"},
		{`No simulation running`, "simulation"},
		{"Sign-in needed: use `signin_user`.", "signin_user"},
		{`No session. Start one via start_run`, "start_run"},
		{`You have to open a ledger before you can post entries`, "open"},
		{`Error calling tool 'add_line': call open_ledger before add_line`, "open_ledger"},
		{`McpError: Session has not been started yet`, "session"},
		{`AssertionError: connect() must be called before query()`, "connect"},
		{"ToolError: Please call `initialize` tool before any other tool.", "initialize"},
		{`Not logged in; run the sign_in tool with your PIN`, "sign_in"},
		{`403: login first`, "login"},
		{`Unauthenticated: please sign in`, "signin"},
		{`There is no game in progress. Use new_game to start.`, "new_game"},
		{`Nothing is loaded yet - load a dataset first`, "load"},
		{`The kitchen is closed; call open_kitchen`, "open_kitchen"},
		{`You are not authenticated yet!`, "authenticate"},
		{`please use the 'login' tool before calling this one`, "login"},
		{`Authenticate using authenticate_user before accessing records.`, "authenticate_user"},
		{"this operation needs an open connection, use `db_connect`", "db_connect"},
		{`Wallet is locked: unlock it first with unlock_wallet`, "unlock_wallet"},
		{`set_project must be called prior to this call`, "set_project"},
		{`Must be signed in to view orders`, "signin"},
		{`Cannot add notes: no notebook selected`, "notebook"},
		{`you haven't joined a room; join_room does that`, "join"},
		{"missing session: call `hello` to obtain a session", "hello"},
		{`No workspace configured - call configure_workspace.`, "configure_workspace"},
		{`Call 'start' and wait for it to finish, then call this`, "start"},
		{`requires prior authorization via grant_access`, "grant_access"},
		{"Handshake missing: `hello` has to run before anything else", "hello"},
		{`KeyError: no open order. Did you call open_order?`, "open_order"},
		{`NotInitializedError: engine_boot was never called`, "engine_boot"},
		{`Dock the ship first (dock_ship)`, "dock_ship"},
		{`You need to be logged in for this`, "login"},
		{`[E102] tenant not selected -> select_tenant`, "select_tenant"},
		{`I can't do that until you sign in`, "signin"},
		{"Run `prepare` once before using other tools", "prepare"},
		{`Session is not open`, "session"},
		{`No active room. Call join_room(name) and retry.`, "join_room"},
	} {
		if got := first(tt.text); got != tt.want {
			t.Errorf("%q asks for %q first, want %q", tt.text, got, tt.want)
		}
	}
}

// Texts that speak of users, sessions, orders of things and the like, and ask for no
// other call.
func TestNoWishFirst(t *testing.T) {
	for _, text := range []string{
		`invalid token`,
		`user not found`,
		`session not found: abc`,
		`No results`,
		`Unauthorized`,
		`403 Forbidden: not authorized`,
		`connect ECONNREFUSED 127.0.0.1:5432`,
		`Invalid API key`,
		`No files found`,
		`file not open for writing`,
		`Module not loaded: libfoo`,
		`The graph must be connected`,
		`sessionId is required`,
		`No session provided`,
		`the first argument must be a string`,
		`first name is required`,
		`Tool not registered`,
		`Process is not running`,
		`Not connected to the internet`,
		`Could not connect to server`,
		`the project does not exist`,
		`The binary is not signed`,
		`project must be a string`,
		`must start with a letter`,
		`Use either a or b, not both`,
		`Read the first line`,
		`Rate limit exceeded, try again later`,
		`No active alerts for this area`,
		`Please provide a valid file path first line`,
		`open /etc/x: permission denied`,
		`Call failed: timeout`,
		`start must be before end`,
		`startDate must be before endDate`,
		`Select a date before today`,
		`the account is not active`,
		`order was not created`,
		`connection not established: timeout`,
		`Could not sign in to the upstream API: 500`,
		`the coupon must be used before its end date`,
		`The transaction was not signed`,
		`Node is not connected to any other node`,
		`invalid login`,
		`login must be a string`,
		`login is required`,
		`connect must be one of: usb, wifi`,
		`No matching document found`,
		`database is locked`,
		`first must be a positive integer`,
		`The page does not exist`,
		`open parenthesis expected before ')'`,
		`game_id not found`,
		`the session id must be a UUID`,
		`before must be a date`,
		`No open issues`,
		`Operation not permitted`,
		`Failed to start the browser: chrome not found`,
		`project not created: name already exists`,
		`run failed before completion`,
		`Select at least one item first`,
		`connection string must be provided`,
		`Use HTTPS, not HTTP`,
		`TypeError: connect is not a function`,
		`dataset must be loaded from a CSV file`,
		`you must select a value before submitting`,
		`Unable to load the document`,
		`the call was made before the deadline`,
		`start_date must come before end_date`,
		`Sort the list first by name`,
		`Invalid session`,
		`Session limit reached`,
		`first and last must be set`,
		`No profile picture`,
		`Expected a database name`,
		`open_at must run before close_at`,
	} {
		if got := first(text); got != "" {
			t.Errorf("%q asks for %q first", text, got)
		}
	}
}
