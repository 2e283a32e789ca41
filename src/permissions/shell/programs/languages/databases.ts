import { patternWith } from "../../../long-pattern.js";
import { DESTROYS } from "../destructive-words.js";
import type { CodeInput, ProgramRow } from "../program-row.js";
import { like, RUNS_CODE, VERSION } from "../reach.js";

/** Options that bring statements, or that say that none are run. */
const TAKES_CODE: CodeInput = {
  brings: /^(?:-[cefl].*|--(?:command|execute|file|list)\b.*|-V|--version|--help)$/,
  operands: 9,
};
/** The places where a statement may begin. */
const START = String.raw`(?:^|;|\n|^-e|^--execute=)[ \t\r\f\v]*`;
const CLIENT = { does: RUNS_CODE } as const;

const MYSQL: ProgramRow = like(CLIENT, "mysql(1), MySQL 8.0 and MariaDB 10.11", {
  informs: "--version --help -V",
  flags: `-B -s -t -H -X -E -N -n -q -r -f -v -w -i -C -A -b -G -o --batch --silent --table --html --xml --vertical
    --skip-column-names --unbuffered --quick --raw --force --verbose --wait --no-auto-rehash --auto-rehash --skip-pager
    --no-beep --compress --column-names --line-numbers --skip-line-numbers --show-warnings --no-defaults --safe-updates
    --binary-as-hex --reconnect --one-database`,
  values: `-e -u -h -P -D --execute --user --host --port --database --default-character-set --protocol --connect-timeout
    --max-allowed-packet --init-command --delimiter --ssl-mode --tls-version --prompt`,
  attached: "-p --password --ssl --local-infile",
  reads: "--ssl-ca --ssl-cert --ssl-key --socket -S",
  loads: "--defaults-file --defaults-extra-file --plugin-dir --login-path",
  writes: "--tee",
  runs: "--pager",
  takesCode: TAKES_CODE,
  escapes: {
    statements: /\\[gGcqs](?=\s|$|;)/,
    code: new RegExp(String.raw`${START}(?:system\s+|\\!\s*)(.*)`, "i"),
  },
});

/** Clients of databases: their input may ask for anything their server, and they themselves, can do. */
export const DATABASE_PROGRAMS: Readonly<Record<string, ProgramRow>> = {
  "mysql mariadb": MYSQL,
  psql: like(CLIENT, "psql(1), PostgreSQL 15", {
    globals: "",
    informs: "--version --help -V -?",
    flags: `-a -A -b -e -E -H -l -n -q -s -S -t -w -W -x -X -z -0 -1 --echo-all --no-align --echo-errors --echo-queries
      --echo-hidden --html --list --no-readline --quiet --single-step --single-line --tuples-only --no-password
      --password --expanded --no-psqlrc --field-separator-zero --record-separator-zero --single-transaction --csv`,
    values: `-c -d -F -h -p -P -R -T -U -v --command --dbname --field-separator --host --port --pset --record-separator
      --table-attr --username --set --variable`,
    codes: "-f --file",
    writes: "-o --output -L --log-file",
    takesCode: TAKES_CODE,
    escapes: {
      statements:
        /\\(?:d[a-zA-Z]*\+?|l\+?|x|timing|pset|q|c|connect|conninfo|echo|a|t|h|\?|encoding|z|sf|sv)(?=\s|$).*$/,
      text: /^(?:-o|--output=|-L)?\s*\|/,
      code: /\\!\s*(.*)|\\(?:o|out|g|gx|w|write)\s*\|\s*(.*)|\bprogram\s*'([^']*)'|^(?:-o|--output=)?\s*\|(.*)/is,
    },
  }),
  sqlite3: like(CLIENT, "SQLite 3.40 documentation", {
    singleDash: true,
    informs: "-version --version -help --help",
    flags: `-append -ascii -bail -batch -box -column -csv -deserialize -echo -header -noheader -html -interactive -json
      -line -list -markdown -memtrace -multiplex -nofollow -quote -readonly -safe -stats -table -tabs -table`,
    values: "-maxsize -mmap -newline -nullvalue -pagecache -lookaside -heap -separator -vfs -A",
    runs: "-cmd",
    codes: "-init",
    takesCode: { brings: /^(?:-cmd|-V|--version|--help|-version|-help)$/, operands: 2 },
    // Its commands may be abbreviated: what is not one of those that only show something may be any other.
    escapes: {
      statements: patternWith("")`^[ \t\r\f\v]*\.(?:tables|schema|fullschema|indexes|databases|mode|headers?|separator|
        nullvalue|width|print|echo|bail|timer|stats|show|dump|eqp|explain|changes|limit|help|quit|exit|version|dbinfo|
        dbconfig)(?![\w-]).*$`,
      code: /(?:^|\n)[ \t\r\f\v]*\.(?:sh|sy)[a-z]*\s+(.*)/,
    },
    operands: "mention",
  }),
  "mongosh mongo": like(CLIENT, "mongosh 2 documentation", {
    informs: "--version --help",
    flags: "--quiet --shell --nodb --norc --verbose --ipv6 --tls --retryWrites --json -q -h",
    values: `-u -p --eval --host --port --username --password --authenticationDatabase --authenticationMechanism
      --apiVersion`,
    reads: "--tlsCAFile --tlsCertificateKeyFile",
    loads: "-f --file",
    takesCode: TAKES_CODE,
    escapes: { isCode: true },
    operands: "mention",
  }),
  "redis-cli": like(CLIENT, "Redis 7 documentation", {
    informs: "--version --help -v",
    flags: `-c -x -X -2 -3 --raw --no-raw --csv --json --quoted-json --stat --latency --latency-history --latency-dist
      --bigkeys --memkeys --hotkeys --scan --tls --no-auth-warning --show-pushes --verbose --quoted-input --insecure
      -e`,
    values: "-h -p -s -a -u -n -r -i -t -d -D --user --pass --pattern --quoted-pattern --count --intrinsic-latency",
    reads: "--cacert --cert --key --cacertdir",
    writes: "--rdb --functions-rdb",
    hazards: "--pipe --replica",
    hazardValues: "--eval --ldb --ldb-sync-mode --cluster",
    takesCode: TAKES_CODE,
    escapes: { line: /(?:^| )(?:config set|module load|replicaof|slaveof|migrate|debug)(?= )/i },
    destroys: [
      [
        patternWith("i")`(?:^| )(?:flushall|flushdb|shutdown|swapdb|slaveof|replicaof|failover|debug segfault|(?:script|
          function) flush|cluster (?:reset|forget|failover)|acl deluser|client kill|config (?:set|rewrite)|
          --cluster del-node)(?= |$)|flush(?:all|db)['"]|call\(['"](?:del|unlink)`,
        "deletes a database",
      ],
    ],
  }),
  duckdb: like(CLIENT, "DuckDB 1.1 documentation", {
    informs: VERSION,
    anyOptions: true,
    takesCode: TAKES_CODE,
    escapes: {
      statements:
        /^[ \t\r\f\v]*\.(?:tables|schema|indexes|databases|mode|headers?|print|timer|help|version)(?![\w-]).*$/,
      text: /\bhttps?:|\bs3:/i,
      isCode: true,
      code: /(?:^|\n)[ \t\r\f\v]*\.(?:sh|sy)[a-z]*\s+(.*)/,
    },
    operands: "mention",
  }),
  [`clickhouse-client clickhouse sqlcmd cockroach bq pgcli mycli usql snowsql cqlsh influx pg_restore mysqlimport
    mongorestore createdb`]: like(CLIENT, "their documentations, 2024", {
    informs: VERSION,
    anyOptions: true,
    takesCode: TAKES_CODE,
    destroys: DESTROYS,
    operands: "mention",
  }),
  "pg_dump pg_dumpall mysqldump mongodump": {
    does: { writes: "named", runs: "nothing", connects: "named" },
    manual: "PostgreSQL 15, MySQL 8.0 and MongoDB documentations",
    informs: VERSION,
    anyOptions: true,
    operands: "mention",
  },
  "pg_restore mysqlimport mongorestore createdb": {
    ...CLIENT,
    destroys: [[/(?:^| )(?:--drop|--clean|-c|--delete|-d)(?= |$)/, "deletes what it replaces"]],
    manual: "PostgreSQL 15, MySQL 8.0 and MongoDB documentations",
    informs: VERSION,
    anyOptions: true,
    operands: "mention",
  },
  "dropdb dropuser pg_dropcluster pg_resetwal pg_archivecleanup pg_rewind": {
    ...CLIENT,
    manual: "PostgreSQL 15 documentation",
    anyOptions: true,
    destroys: [[/^/, "deletes a database, or its user"]],
  },
  flyway: like(CLIENT, "Flyway 10 documentation", {
    anyOptions: true,
    destroys: [[/(?:^| )clean(?= |$)/, "deletes a database"]],
  }),
  mysqladmin: like(CLIENT, "MySQL 8.0 documentation", {
    anyOptions: true,
    destroys: [[/(?:^| )(?:drop|shutdown|kill)(?= |$)/, "deletes or stops a database"]],
  }),
};
