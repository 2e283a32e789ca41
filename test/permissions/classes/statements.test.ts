// What a statement calls, and is not known, asks: of languages of databases there is no list of what is bad.
import { afterAll, beforeAll, expect, test } from "vitest";
import { rulesFor, world } from "./kit.js";

let files: Awaited<ReturnType<typeof world>>;
beforeAll(async () => {
  files = await world({
    "ws/f.sql": "select edit('x', 'touch pwn;:');\n",
    "ws/g.sql":
      "-- all\ncreate table t (a int primary key, b varchar(20));\ninsert into t (a, b) values (1, 'x;y');\n.mode csv\nselect count(*) from t;\n",
    "ws/p.sql": "\\! touch pwn\n",
    "ws/r.sql": "edit\n",
    "ws/q.sql": "select count(*) from t;\n",
  });
});
afterAll(() => files.close());

const RULES = rulesFor("sqlite3", "psql", "mysql", "mariadb", "duckdb", "echo", "cat");

const UNKNOWN = String.raw`
  sqlite3 :memory: "select [edit]('x','touch pwn;:')"
  sqlite3 :memory: "select edit('x','touch pwn;:')"
  sqlite3 :memory: 'select "edit"(1)'
  sqlite3 :memory: "select EDIT (1)"
  sqlite3 :memory: "select edit/**/(1)"
  sqlite3 :memory: 'select writefile(1, 2)'
  sqlite3 :memory: "select load_extension('./x')"
  sqlite3 :memory: "select readfile('x')"
  sqlite3 :memory: "select * from t join u on edit(1)"
  sqlite3 :memory: "select a from fsdir('.')"
  sqlite3 :memory: "select foo(1)"
  sqlite3 :memory: "attach 'x' as y"
  sqlite3 :memory: "vacuum into 'x'"
  sqlite3 :memory: "select 1; attach 'x' as y"
  sqlite3 :memory: "create trigger t after insert on a begin select edit(1); end"
  sqlite3 :memory: "create virtual table t using csv(filename='x')"
  sqlite3 :memory: "pragma temp_store_directory='x'"
  sqlite3 :memory: ".shell touch pwn"
  sqlite3 :memory: ".sh touch pwn"
  sqlite3 :memory: ".output x"
  sqlite3 :memory: ".once x"
  sqlite3 :memory: ".read f.sql"
  sqlite3 :memory: ".import x y"
  sqlite3 :memory: ".load ./x"
  sqlite3 -cmd ".shell touch pwn" :memory: "select 1"
  sqlite3 -init f.sql :memory:
  sqlite3 -init nowhere :memory:
  sqlite3 db < f.sql
  sqlite3 db < nowhere.sql
  sqlite3 db < r.sql
  cat f.sql | sqlite3 db
  echo "select edit(1)" | sqlite3 db
  sqlite3 db <<< "select edit(1)"
  sqlite3 db <<'E'⏎select 1;⏎.shell touch pwn⏎E
  sqlite3 db "select $x"
  sqlite3 db "$(cat f.sql)"
  psql -c "copy t to program 'touch pwn'"
  psql -c "COPY (select 1) TO '/tmp/x'"
  psql -c '\copy t to x'
  psql -c '\! touch pwn'
  psql -c '\o x'
  psql -c '\i f.sql'
  psql -c 'select 1 \g x'
  psql -c 'select 1 \gexec'
  psql -c "select pg_read_file('x')"
  psql -c "select lo_import('x')"
  psql -c "select dblink('x')"
  psql -c 'do $$ begin end $$'
  psql -c "create extension x"
  psql -c "create function f() returns int as 'x' language c"
  psql -c "alter system set x = y"
  psql -c "load 'x'"
  psql -c "call f()"
  psql -f p.sql
  psql -f nowhere.sql
  psql --file=p.sql
  psql < p.sql
  psql db -c "select f(1)"
  mysql -e "select load_file('x')"
  mysql -e "select 1 into outfile 'x'"
  mysql -e "select 1 into dumpfile 'x'"
  mysql -e "load data infile 'x' into table t"
  mysql -e 'system touch pwn'
  mysql -e '\! touch pwn'
  mysql -e 'source f.sql'
  mysql -e 'tee x'
  mysql -e "select sys_exec('x')"
  mysql -e "set global general_log_file='x'"
  mysql -e "/*! select sys_exec('x') */"
  mysql -e"select sys_eval(1)"
  mysql --execute="select sys_eval(1)"
  mysql db < f.sql
  duckdb x "copy t to 'x'"
  duckdb x "install httpfs"
  duckdb x "select * from read_csv('x')"
  duckdb x "attach 'x'"
`;

test.each(RULES)("a statement that is not known asks under %s", async (...allow) => {
  expect(await files.others("stopped", [...allow], UNKNOWN)).toEqual([]);
});

const KNOWN = String.raw`
  sqlite3 db "select a from t"
  sqlite3 db "select count(*), max(a) from t where b in (1, 2) group by c having count(*) > 1 order by 1 limit 5"
  sqlite3 db "SELECT coalesce(a, 'x(y)') FROM t AS u JOIN v ON (u.a = v.a)"
  sqlite3 db "select name from sqlite_master where type='table'"
  sqlite3 -header -column db "select * from t"
  sqlite3 db "insert into t (a, b) values (1, 'it''s'); select last_insert_rowid()"
  sqlite3 db "create table if not exists t (id integer primary key, name varchar(20) not null, u int references v(id))"
  sqlite3 db "create index i on t(a)"
  sqlite3 db "create unique index i on t (a, b)"
  sqlite3 db "with a as (select 1) select * from a"
  sqlite3 db "with recursive a(x) as (select 1) select * from a"
  sqlite3 db "select json_extract(a, '$.b'), date('now') from t"
  sqlite3 db "update t set a = upper(b) where id = 1"
  sqlite3 db "pragma table_info(t)"
  sqlite3 db "explain query plan select 1"
  sqlite3 db .tables
  sqlite3 db ".schema t"
  sqlite3 db ".mode json" "select 1"
  sqlite3 db < g.sql
  cat g.sql | sqlite3 db
  sqlite3 db <<< "select 1"
  echo "select 1" | sqlite3 db
  psql -c 'select 1'
  psql -h localhost -U me -d app -c "select now(), count(*) from users where email like '%x%'"
  psql "host=localhost dbname=x" -c 'select 1'
  psql postgres://localhost/x -c '\dt'
  psql -c '\d+ users'
  psql -c '\l'
  psql -c "select a::text, b->>'c' from t"
  psql -c "select pg_size_pretty(pg_database_size('x'))"
  psql -c "alter table t add column c int"
  psql -f q.sql
  psql app < q.sql
  mysql -u root -e "show databases"
  mysql -e "select date_format(now(), '%Y') from t"
  mysql -e "describe users"
  mysql app < q.sql
  duckdb x "select count(*) from t"
`;

test.each(RULES)("a known statement does not ask under %s", async (...allow) => {
  expect(await files.others("allow", [...allow], KNOWN)).toEqual([]);
});
