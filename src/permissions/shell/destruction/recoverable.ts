import type { AnalyzedCommand } from "../analysis.js";

/** What is lost, by the words of a program after its options before the command, joined by spaces. */
type Losses = readonly (readonly [RegExp, string])[];

const FORCE = "(?:-[a-zA-Z]*f[a-zA-Z]*|--force)(?= |$)";

const GIT: Losses = [
  [
    /^push(?: .*?)?(?: (?:-[a-zA-Z]*[fd][a-zA-Z]*|--force\S*|--delete|--mirror|--prune)(?= |$)| [+:]\S)/,
    "rewrites or deletes what was pushed",
  ],
  [/^reset .*?--(?:hard|merge)(?= |$)/, "discards changes that are not committed"],
  [new RegExp(`^clean (?!.*(?:-[a-zA-Z]*n|--dry-run)(?: |$)).*?${FORCE}`), "deletes files that git does not know"],
  [
    new RegExp(`^(?:checkout|switch) (?:.*? )?(?:${FORCE}|--discard-changes|-- |\\.(?: |$)|\\./?(?: |$))`),
    "discards changes that are not committed",
  ],
  [/^checkout (?:\S+ )?-- /, "discards changes that are not committed"],
  [/^restore (?!.*--staged(?!.*(?:--worktree|-W)))/, "discards changes that are not committed"],
  [/^branch .*?(?:-[a-zA-Z]*[DM][a-zA-Z]*(?= |$)|--delete --force|-d (?:-f|--force)|-f -d)/, "deletes a branch"],
  [/^stash (?:drop|clear)/, "deletes stashed changes"],
  [/^tag (?:.*? )?(?:-d|--delete)(?= |$)/, "deletes a tag"],
  [/^(?:reflog (?:expire|delete)|gc .*--prune=(?:now|all)|prune(?: |$))/, "deletes what git could bring back"],
  [/^(?:filter-branch|filter-repo)(?= |$)/, "rewrites the history"],
  [/^update-ref (?:.*? )?-d/, "deletes a reference"],
  [new RegExp(`^worktree remove .*?${FORCE}`), "deletes a working tree with changes"],
  [new RegExp(`^rm .*?(?:${FORCE}|-r)`), "deletes files"],
  [new RegExp(`^submodule deinit .*?${FORCE}`), "deletes a submodule's files"],
];

const ACCOUNTS: Losses = [[/^(?!.*(?:--help|--version|-S\b|--status|-l\b))/, "changes who may use this machine"]];
const PROGRAMS: Readonly<Record<string, Losses>> = {
  git: GIT,
  docker: container(),
  podman: container(),
  "docker-compose": [[/^down .*?(?:-v|--volumes)/, "deletes volumes"]],
  kubectl: [[/^(?:delete|drain|replace .*--force)/, "deletes what runs in the cluster"]],
  oc: [[/^delete/, "deletes what runs in the cluster"]],
  helm: [[/^(?:uninstall|delete|del|un)(?= |$)/, "removes a release"]],
  terraform: [[/^(?:destroy|apply .*-destroy|state rm|workspace delete)/, "destroys infrastructure"]],
  tofu: [[/^(?:destroy|apply .*-destroy|state rm)/, "destroys infrastructure"]],
  pulumi: [[/^(?:destroy|stack rm)/, "destroys infrastructure"]],
  vagrant: [[/^destroy/, "destroys a machine"]],
  serverless: [[/^remove/, "removes what was deployed"]],
  aws: [
    [
      /^s3 (?:rb|rm .*--recursive|sync .*--delete)|^s3api delete-|^\S+ (?:delete|terminate|purge|remove)-/,
      "deletes cloud resources",
    ],
  ],
  gcloud: [[/(?:^| )delete(?= |$)/, "deletes cloud resources"]],
  gsutil: [[/^(?:-\w+ )*(?:rm|rb)(?= |$)/, "deletes cloud resources"]],
  az: [[/(?:^| )(?:delete|purge)(?= |$)/, "deletes cloud resources"]],
  flyctl: [[/(?:^| )(?:destroy|delete)(?= |$)/, "deletes cloud resources"]],
  fly: [[/(?:^| )(?:destroy|delete)(?= |$)/, "deletes cloud resources"]],
  heroku: [[/destroy|pg:reset/, "deletes cloud resources"]],
  gh: [
    [/^(?:repo|release|secret|variable|gist|issue|run|cache|label) delete|^api .*-X ?DELETE/, "deletes on the server"],
  ],
  npm: [[/^(?:publish|unpublish|deprecate|owner rm|dist-tag rm)(?= |$)/, "changes what other people install"]],
  pnpm: [[/^(?:publish|unpublish|deprecate)(?= |$)/, "changes what other people install"]],
  yarn: [[/^(?:npm )?(?:publish|unpublish)(?= |$)/, "changes what other people install"]],
  bun: [[/^publish(?= |$)/, "changes what other people install"]],
  cargo: [[/^(?:publish|yank)(?= |$)/, "changes what other people install"]],
  gem: [[/^(?:push|yank)(?= |$)/, "changes what other people install"]],
  twine: [[/^upload(?= |$)/, "changes what other people install"]],
  poetry: [[/^publish(?= |$)/, "changes what other people install"]],
  uv: [[/^publish(?= |$)/, "changes what other people install"]],
  dropdb: [[/^/, "deletes a database"]],
  dropuser: [[/^/, "deletes a database user"]],
  mysqladmin: [[/(?:^| )drop(?= |$)/, "deletes a database"]],
  "redis-cli": [[/(?:^| )(?:flushall|flushdb)(?= |$)/i, "deletes a database"]],
  crontab: [[/(?:^| )-[a-z]*r/, "deletes the table of jobs"]],
  truncate: [[/^(?!.*(?:-s|--size)[= ]?\+)/, "truncates a file"]],
  shred: [[/^/, "overwrites files"]],
  shutdown: [[/^/, "shuts the machine down"]],
  reboot: [[/^/, "shuts the machine down"]],
  halt: [[/^/, "shuts the machine down"]],
  poweroff: [[/^/, "shuts the machine down"]],
  systemctl: [[/^(?:poweroff|reboot|halt|kexec)/, "shuts the machine down"]],
  init: [[/^[0-6S]/, "shuts the machine down"]],
  telinit: [[/^[0-6S]/, "shuts the machine down"]],
  useradd: ACCOUNTS,
  usermod: ACCOUNTS,
  groupadd: ACCOUNTS,
  groupmod: ACCOUNTS,
  groupdel: ACCOUNTS,
  adduser: ACCOUNTS,
  deluser: ACCOUNTS,
  addgroup: ACCOUNTS,
  delgroup: ACCOUNTS,
  passwd: ACCOUNTS,
  chpasswd: ACCOUNTS,
  visudo: ACCOUNTS,
  vipw: ACCOUNTS,
  gpasswd: ACCOUNTS,
  chage: ACCOUNTS,
  userdel: [[/^/, "deletes a user"]],
  "apt-get": [[/^(?:remove|purge|autoremove)/, "removes packages"]],
  apt: [[/^(?:remove|purge|autoremove)/, "removes packages"]],
  dpkg: [[/(?:^| )(?:-r|-P|--remove|--purge)(?= |$)/, "removes packages"]],
  iptables: [[/(?:^| )(?:-F|--flush)/, "drops the firewall's rules"]],
  zfs: [[/^destroy/, "destroys a file system"]],
  zpool: [[/^destroy/, "destroys a file system"]],
  lvremove: [[/^/, "destroys a volume"]],
  killall: [[/^/, "kills processes"]],
};

const SQL_CLIENTS =
  /^(?:psql|mysql|mariadb|sqlite3?|sqlcmd|duckdb|clickhouse(?:-client)?|cockroach|bq|mongo(?:sh)?|pgcli|mycli|usql|snowsql)$/;
const SQL =
  /\b(?:drop\s+(?:table|database|schema|view|index|user|role|collection|column|keyspace|function|type|sequence)|truncate\b(?:\s+table)?\s+\S)|\balter\s+table\s+[^;]*\bdrop\b|\bdropDatabase\s*\(|\.drop\s*\(\s*\)|\b(?:deleteMany|remove)\s*\(\s*\{\s*\}/i;
const SQL_WHOLE = /\b(?:delete\s+from\s|update\s+\S+\s+set\s)/i;
const MAX_STATEMENTS = 1_000;
const MAX_STATEMENT_LENGTH = 2_000;
const MAX_FORM_LENGTH = 2_000;

function container(): Losses {
  return [
    [
      /^(?:(?:system|volume|image|container|network|builder|buildx) prune|volume (?:rm|remove)|(?:container |image |network )?(?:rm|remove|rmi)(?= |$)|compose .*?down .*?(?:-v|--volumes)|stack rm|swarm leave)/,
      "deletes containers, images or volumes",
    ],
  ];
}

/** What the words of a command lose that somebody may still have or make again; `null` when it is nothing. */
export function findLoss(command: AnalyzedCommand): string | null {
  const name = command.program?.replace(/^.*\//, "");
  if (!name || !Object.hasOwn(PROGRAMS, name)) return null;
  const losses = PROGRAMS[name]!;
  for (const form of command.variants) {
    const blank = form.indexOf(" ");
    if (form.slice(0, blank === -1 ? undefined : blank) !== name) continue;
    const words = blank === -1 ? "" : form.slice(blank + 1, MAX_FORM_LENGTH);
    const found = losses.find(([pattern]) => pattern.test(words));
    if (found) return found[1];
  }
  return null;
}

/** The command speaks to a database. */
export function isDatabaseClient(command: AnalyzedCommand): boolean {
  return SQL_CLIENTS.test(command.program?.replace(/^.*\//, "") ?? "");
}

/** A text that, as statements of a database, deletes without saying which rows. */
export function deletesData(text: string): boolean {
  return text.split(";", MAX_STATEMENTS).some((part) => {
    const statement = part.slice(0, MAX_STATEMENT_LENGTH).replace(/--[^\n]*/g, " ");
    return SQL.test(statement) || (SQL_WHOLE.test(statement) && !/\bwhere\b/i.test(statement));
  });
}
