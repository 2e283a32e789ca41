// Sessions of kinds the stages were not written for: an analysis of data, an incident, a refactoring, one not in English,
// long logs, a chat without tools. Twelve facts each, said once among much of the same kind that is not worth keeping.
import type { Message } from "../../src/index.js";
import {
  assistant,
  type Fact,
  filledWith,
  filler,
  linesOfSource,
  type PlantedSession,
  randomFrom,
  result,
  type Template,
  user,
} from "./planting.js";

interface Kind {
  readonly name: string;
  readonly prompt: string;
  readonly turns: number;
  readonly facts: readonly Template[];
  /** What the model says beside its work. */
  readonly chatter: readonly string[];
  /** What the user says now and then. */
  readonly remarks: readonly string[];
  /** One call and what it answers; `null`: an exchange without tools. */
  readonly work: ((turn: number, random: () => number) => readonly [string, object, string[]]) | null;
}

const number = (random: () => number, most: number) => Math.floor(random() * most);
const pick = <T>(random: () => number, some: readonly T[]): T => some[number(random, some.length)]!;

const ANALYSIS: Kind = {
  name: "data analysis",
  prompt: "Find out why revenue per customer dropped in Q3. The warehouse is in DuckDB.",
  turns: 130,
  facts: [
    [
      "user wish",
      "user",
      "Round every amount to whole euros in what you show me, and leave Norway out; case {n}.",
      "Norway",
      "which country should be left out",
    ],
    ["user wish", "user", "Charts please as SVG, at most {n} px wide.", "{n} px", "how wide may the charts be"],
    [
      "decision",
      "model",
      "I take the median rather than the mean, since {n} orders above 100k distort it.",
      "median",
      "median or mean",
    ],
    [
      "decision",
      "model",
      "Refunds booked after {n} days count towards the quarter of the sale.",
      "Refunds booked after {n} days",
      "how are late refunds booked",
    ],
    ["identifier", "result", "model run id: lgbm-{h} (auc 0.81)", "lgbm-{h}", "model run id lgbm"],
    [
      "identifier",
      "model",
      "The broken join key is customer_ref_{n}; it holds trailing whitespace.",
      "customer_ref_{n}",
      "broken join key",
    ],
    [
      "path",
      "result",
      "Saved cleaned frame to /data/out/clean_{n}.parquet",
      "/data/out/clean_{n}.parquet",
      "where was the cleaned frame saved",
    ],
    [
      "path",
      "user",
      "The raw exports lie under s3://lake-{n}/exports/2025/.",
      "s3://lake-{n}/exports",
      "where are the raw exports",
    ],
    ["number", "result", "total rows after dedup: 4{n}812", "4{n}812", "total rows after dedup"],
    ["number", "model", "Churn in the SMB segment rose to {n}.4 per mille.", "{n}.4 per mille", "churn SMB segment"],
    [
      "open bug",
      "model",
      "March has {n} duplicate invoices that I have not explained yet.",
      "{n} duplicate invoices",
      "duplicate invoices in March",
    ],
    [
      "open bug",
      "result",
      "UserWarning: {n} rows dropped because tz is ambiguous",
      "tz is ambiguous",
      "rows dropped ambiguous tz",
    ],
  ],
  chatter: [
    "Grouping by region next.",
    "Let me look at the distribution.",
    "",
    "Same query for the next month.",
    "Plotting.",
  ],
  remarks: ["ok, go on", "and by channel?", "fine"],
  work: (turn, random) => {
    const rows = Array.from(
      { length: 60 },
      (_, i) =>
        `| ${i + 1} | ${pick(random, ["north", "south", "east", "west"])} | ${number(random, 9_000)}.${number(random, 99)} | ${number(random, 400)} |`,
    );
    const query = `select region, sum(amount), count(*) from orders where month = ${turn % 12} group by 1`;
    return random() < 0.6
      ? ["run_sql", { query }, ["| # | region | sum | count |", ...rows]]
      : [
          "python",
          { code: `df[df.month == ${turn % 12}].describe()` },
          Array.from(
            { length: 40 },
            (_, i) =>
              `${pick(random, ["count", "mean", "std", "min", "25%", "max"])}   ${number(random, 1e6)}.${i}  ${number(random, 1e4)}`,
          ),
        ];
  },
};

const INCIDENT: Kind = {
  name: "incident",
  prompt: "Checkout is slow since this morning, customers complain. Find the cause and fix it.",
  turns: 140,
  facts: [
    [
      "user wish",
      "user",
      "Don't restart anything in eu-central before {n} o'clock UTC, the bank's batch is running.",
      "eu-central",
      "where must nothing be restarted",
    ],
    ["user wish", "user", "Post updates to #inc-{n} and nowhere else.", "#inc-{n}", "which channel for updates"],
    [
      "decision",
      "model",
      "We roll back the gateway to 3.{n}.1 and keep the new schema.",
      "3.{n}.1",
      "gateway rollback version",
    ],
    [
      "decision",
      "user",
      "Agreed with Marta: read replicas stay out of the pool until Monday, change CHG00{n}.",
      "CHG00{n}",
      "change for read replicas",
    ],
    [
      "identifier",
      "result",
      "pod/checkout-7d{h}-x2x9z OOMKilled 14 times",
      "checkout-7d{h}",
      "which pod was OOMKilled",
    ],
    [
      "identifier",
      "model",
      "The first slow trace is 4bf9{h}, it waits on the inventory lock.",
      "4bf9{h}",
      "first slow trace",
    ],
    [
      "path",
      "result",
      "heap dump written: /mnt/dumps/{n}/java_pid1.hprof",
      "/mnt/dumps/{n}/java_pid1.hprof",
      "heap dump",
    ],
    [
      "path",
      "model",
      "The alert rule lives in monitoring/rules/checkout-{n}.yaml.",
      "monitoring/rules/checkout-{n}.yaml",
      "alert rule file",
    ],
    ["number", "result", "connections: active={n} idle=3 max={n}", "active={n}", "active connections"],
    [
      "number",
      "model",
      "Latency began to climb at 06:{m} UTC, nine minutes after the deploy.",
      "06:{m} UTC",
      "when did latency climb",
    ],
    [
      "open bug",
      "model",
      "Not solved: the node in rack {n} still drops packets every few minutes.",
      "rack {n}",
      "which rack drops packets",
    ],
    [
      "open bug",
      "result",
      "WARN certificate for *.pay-{n}.internal expires in 2 days",
      "*.pay-{n}.internal",
      "certificate expires",
    ],
  ],
  chatter: ["Checking the next pod.", "", "Looking at the metrics.", "Nothing unusual here.", "Next host."],
  remarks: ["any news?", "ok", "keep going"],
  work: (turn, random) => {
    const service = pick(random, ["checkout", "inventory", "gateway", "ledger"]);
    const command = pick(random, [
      `kubectl logs ${service} --since=1m`,
      `kubectl top pods -l app=${service}`,
      `curl -s localhost:9090/metrics?n=${turn}`,
    ]);
    return [
      "bash",
      { command },
      Array.from(
        { length: 70 },
        (_, i) =>
          `2025-11-03T0${number(random, 9)}:${String(i % 60).padStart(2, "0")}:12.${number(random, 999)}Z INFO ${service} request id=${number(random, 1e9).toString(36)} status=200 took=${number(random, 400)}ms`,
      ),
    ];
  },
};

const REFACTORING: Kind = {
  name: "refactoring",
  prompt: "Split the engine directory into smaller modules without changing behaviour.",
  turns: 150,
  facts: [
    [
      "user wish",
      "user",
      "I want barrel files gone, and one export per file where it reads well (see RFC {n}).",
      "RFC {n}",
      "which RFC about barrel files",
    ],
    ["user wish", "user", "Public names stay as they are until v{n}.", "until v{n}", "until when do public names stay"],
    [
      "decision",
      "model",
      "The scheduler becomes its own package, @acme/sched-{n}; the queue stays where it is.",
      "@acme/sched-{n}",
      "package of the scheduler",
    ],
    [
      "decision",
      "model",
      "I keep the callbacks in the old parser: promises cost {n} % there.",
      "promises cost {n} %",
      "why callbacks in old parser",
    ],
    [
      "identifier",
      "result",
      "[main {h}] move claim table into its own module",
      "{h}",
      "commit that moves the claim table",
    ],
    [
      "identifier",
      "user",
      "Use the feature flag split_engine_{n} while both live side by side.",
      "split_engine_{n}",
      "feature flag",
    ],
    [
      "path",
      "model",
      "Moved the retry policy to src/policies/retry/backoff-{n}.ts.",
      "src/policies/retry/backoff-{n}.ts",
      "where is the retry policy",
    ],
    [
      "path",
      "result",
      "error TS6307: File 'types/legacy-{n}.d.ts' is not listed within the file list of project",
      "types/legacy-{n}.d.ts",
      "TS6307 file not listed",
    ],
    ["number", "result", "Found {n} circular dependencies", "{n} circular", "how many circular dependencies"],
    [
      "number",
      "model",
      "After the split the bundle has {n} kB, 12 less than before.",
      "{n} kB",
      "bundle size after the split",
    ],
    [
      "open bug",
      "model",
      "The test for case {n} passes alone and hangs in the suite; left for later.",
      "case {n}",
      "test that hangs in the suite",
    ],
    [
      "open bug",
      "user",
      "By the way, the Windows build breaks on paths with {n} characters, we need to look at that after this.",
      "paths with {n} characters",
      "Windows build paths",
    ],
  ],
  chatter: ["Moving the next function.", "", "Callers updated.", "Now the imports.", "Type check again."],
  remarks: ["looks good", "continue", "yes"],
  work: (turn, random) => {
    const { file, lines } = linesOfSource(random);
    if (random() < 0.5) return ["read_file", { path: file }, lines];
    if (random() < 0.6)
      return [
        "edit_file",
        { path: file, old_text: lines[3] ?? "a", new_text: `// part ${turn}` },
        ["Edited 1 place.", ...lines.slice(0, 12)],
      ];
    return [
      "bash",
      { command: "npx tsc --noEmit" },
      [
        "checking 214 files",
        ...Array.from({ length: 30 }, (_, i) => `ok ${lines[i % lines.length]?.length ?? 0} module ${i}`),
      ],
    ];
  },
};

const NOT_ENGLISH: Kind = {
  name: "not English",
  prompt: "Bring bitte den Import der Lieferantendaten wieder in Ordnung, Schritt für Schritt.",
  turns: 120,
  facts: [
    [
      "user wish",
      "user",
      "Bitte ändere nie etwas am Mandanten {n}, das ist der vom Vorstand.",
      "Mandanten {n}",
      "Mandant Vorstand",
    ],
    [
      "user wish",
      "user",
      "Los informes los quiero siempre en formato CSV con separador ; y código {n}.",
      "código {n}",
      "código informes CSV",
    ],
    [
      "decision",
      "model",
      "Ich nehme den alten Parser, weil der neue bei {n} Dateien die Umlaute verliert.",
      "alten Parser",
      "welcher Parser Umlaute",
    ],
    ["decision", "model", "缓存大小定为 {n} 条记录，超过就丢弃最旧的。", "{n} 条记录", "缓存大小"],
    ["identifier", "result", "Auftrag angelegt: LFT-{h}", "LFT-{h}", "Auftrag angelegt"],
    [
      "identifier",
      "user",
      "Die Ansprechpartnerin bei Hofer ist Frau Özdemir, Durchwahl {n}.",
      "Durchwahl {n}",
      "Ansprechpartnerin bei Hofer",
    ],
    [
      "path",
      "result",
      "Datei geschrieben: /srv/import/abgleich_{n}.xlsx",
      "/srv/import/abgleich_{n}.xlsx",
      "Abgleich Datei geschrieben",
    ],
    ["path", "model", "設定は conf/取引先/{n}.toml にあります。", "conf/取引先/{n}.toml", "取引先 設定"],
    ["number", "result", "Summe der Abweichungen: 1{n},40 EUR", "1{n},40 EUR", "Summe der Abweichungen"],
    ["number", "model", "Le délai passe à {n} secondes pour les gros fichiers.", "{n} secondes", "délai gros fichiers"],
    ["open bug", "model", "Noch offen: Artikel {n} wird doppelt verbucht.", "Artikel {n}", "Artikel doppelt verbucht"],
    ["open bug", "result", "ОШИБКА: поставщик {n} не найден в справочнике", "поставщик {n}", "поставщик не найден"],
  ],
  chatter: ["Ich prüfe die nächste Tabelle.", "", "Weiter.", "次のファイルを見ます。", "Noch einmal."],
  remarks: ["gut", "ja bitte", "weiter so"],
  work: (turn, random) => [
    "shell",
    { cmd: `importer --tabelle ${turn % 20} --probelauf` },
    Array.from(
      { length: 55 },
      (_, i) =>
        `Zeile ${i + 1}: ${pick(random, ["geprüft", "übernommen", "unverändert"])} ${pick(random, ["Schraube", "Mutter", "Scheibe"])} ${number(random, 900)} Stück`,
    ),
  ],
};

const LONG_LOGS: Kind = {
  name: "long logs",
  prompt: "The nightly build fails now and then. Go through the logs of the last weeks and tell me why.",
  turns: 45,
  facts: [
    [
      "user wish",
      "user",
      "Ignore the nights before build {n}, we changed the runners then.",
      "before build {n}",
      "which nights to ignore",
    ],
    [
      "user wish",
      "user",
      "I need the answer as a table with {n} rows at most.",
      "{n} rows at most",
      "how many rows may the table have",
    ],
    [
      "decision",
      "model",
      "I count a night as failed only when stage {n} did not finish.",
      "stage {n}",
      "when does a night count as failed",
    ],
    [
      "decision",
      "user",
      "We'll drop support for the arm64 image {n}-slim, don't bother with it.",
      "{n}-slim",
      "arm64 image dropped",
    ],
    [
      "identifier",
      "result",
      "##[error]Process completed with exit code 137 (runner gh-{h})",
      "gh-{h}",
      "runner exit code 137",
    ],
    [
      "identifier",
      "result",
      "assertion `left == right` failed: checksum {h} for layer 4",
      "checksum {h}",
      "checksum assertion failed layer",
    ],
    [
      "path",
      "result",
      "cp: cannot stat '/cache/deps/{n}/Cargo.lock': No such file or directory",
      "/cache/deps/{n}/Cargo.lock",
      "cannot stat Cargo.lock",
    ],
    [
      "path",
      "model",
      "All failing nights read ci/matrix/{n}/linux.json.",
      "ci/matrix/{n}/linux.json",
      "what do failing nights read",
    ],
    ["number", "result", "fatal: disk quota reached at {n}.3 GiB", "{n}.3 GiB", "disk quota reached"],
    ["number", "model", "The slowest of the good nights took {n} minutes.", "{n} minutes", "slowest good night"],
    [
      "open bug",
      "result",
      "thread 'net-{n}' panicked at 'called `Option::unwrap()` on a `None` value'",
      "net-{n}",
      "which thread panicked",
    ],
    ["open bug", "model", "I cannot tell yet why night {n} has no log at all.", "night {n}", "night without log"],
  ],
  chatter: ["Next night.", "", "This one is fine.", "Reading on."],
  remarks: ["ok", "go on"],
  work: (turn, random) => [
    "fetch_log",
    { night: turn },
    Array.from(
      { length: 500 },
      (_, i) =>
        `${String(number(random, 24)).padStart(2, "0")}:${String(i % 60).padStart(2, "0")}:0${i % 10} ${pick(random, ["Compiling", "Downloading", "Checking", "Finished", "Running"])} ${pick(random, ["serde", "tokio", "hyper", "syn", "quote"])} v1.${number(random, 90)}.${number(random, 20)}`,
    ),
  ],
};

const CHAT: Kind = {
  name: "chat",
  prompt: "Hi! I want to plan the move of our office with you, in as many steps as it takes.",
  turns: 170,
  facts: [
    [
      "user wish",
      "user",
      "Oh, and Priya is allergic to nuts, table {n} must be free of them at the opening.",
      "table {n}",
      "Priya allergic table",
    ],
    [
      "user wish",
      "user",
      "I'd rather have short answers from you. And call me Jo{n}.",
      "Jo{n}",
      "what should I call you name",
    ],
    [
      "decision",
      "user",
      "Then let's book Hansen for the transport, their offer was {n}50 euros.",
      "{n}50 euros",
      "Hansen transport offer",
    ],
    [
      "decision",
      "model",
      "So the server room goes to floor {m}, as you said, and the library next to it.",
      "floor {m}",
      "which floor is the server room",
    ],
    [
      "identifier",
      "user",
      "The contract with the landlord has the number MV/{n}/B.",
      "MV/{n}/B",
      "contract number landlord",
    ],
    ["identifier", "model", "I noted the door code for the new entrance: {n}7#.", "{n}7#", "door code entrance"],
    ["path", "user", "I put the floor plan into Shared/Move/plan-{n}.pdf.", "plan-{n}.pdf", "floor plan file"],
    [
      "path",
      "user",
      "The list of furniture is at https://docs.example.com/d/{h}.",
      "docs.example.com/d/{h}",
      "list of furniture",
    ],
    [
      "number",
      "user",
      "We are {n} people now, by the way, not counting the interns.",
      "{n} people",
      "how many people are we",
    ],
    ["number", "model", "With that you need {n} square metres at least.", "{n} square metres", "square metres needed"],
    [
      "open bug",
      "user",
      "The lift can carry only {n} kg, no idea yet what to do about the safe.",
      "{n} kg",
      "lift can carry",
    ],
    [
      "open bug",
      "model",
      "Still open, then: who looks after parking permit {n}.",
      "parking permit {n}",
      "parking permit",
    ],
  ],
  chatter: [],
  remarks: [
    "What do people usually forget at this point?",
    "And how would you go about the plants?",
    "Do you think a weekend is better than a weekday?",
    "How do others tell their clients?",
    "What would be a nice way to say thanks to everybody?",
  ],
  work: null,
};

/** So many of each kind. */
export function sessionsOfOtherKinds(count = 2): PlantedSession[] {
  return [ANALYSIS, INCIDENT, REFACTORING, NOT_ENGLISH, LONG_LOGS, CHAT].flatMap((kind, index) =>
    Array.from({ length: count }, (_, seed) => sessionOf(kind, (seed + 1) * 1_301 + index * 17)),
  );
}

function sessionOf(kind: Kind, seed: number): PlantedSession {
  const random = randomFrom(seed);
  const fill = filledWith(random);
  const plan = kind.facts.map((template) => ({ template, turn: 2 + number(random, kind.turns * 0.7) }));
  const messages: Message[] = [user(kind.prompt)];
  for (let turn = 0; turn < kind.turns; turn++) {
    const facts = plan.filter((each) => each.turn === turn).map(({ template }) => template);
    const by = (speaker: Template[1]) => facts.filter((fact) => fact[1] === speaker).map(([, , text]) => fill(text));
    if (kind.work === null) messages.push(...exchange(kind, by("user"), by("model"), random));
    else messages.push(...workTurn(kind, turn, { asked: by("user"), said: by("model"), shown: by("result") }, random));
  }
  const facts = kind.facts.map(([of, , , needle, question]): Fact => ({ kind: of, needle: fill(needle), question }));
  return { name: kind.name, messages, facts };
}

function exchange(kind: Kind, asked: readonly string[], said: readonly string[], random: () => number): Message[] {
  const question = asked.length > 0 ? asked.join(" ") : pick(random, kind.remarks);
  const paragraphs = [filler(random), ...said, filler(random)];
  return [user(question), assistant(paragraphs.join(" "))];
}

interface Said {
  readonly asked: readonly string[];
  readonly said: readonly string[];
  readonly shown: readonly string[];
}

function workTurn(kind: Kind, turn: number, { asked, said, shown }: Said, random: () => number): Message[] {
  const [name, args, lines] = kind.work!(turn, random);
  for (const fact of shown) lines.splice(number(random, lines.length), 0, fact);
  const remark = asked.length === 0 && random() < 0.06 ? [pick(random, kind.remarks)] : asked;
  const text = [...said, kind.chatter[turn % kind.chatter.length]!].filter(Boolean).join(" ");
  // A remark ends what was under way: the model says so, then goes on.
  const spoken = remark.length > 0 ? [assistant("So far so good."), user(remark.join(" "))] : [];
  const id = `call-${turn}`;
  return [...spoken, assistant(text, { id, name, arguments: args as never }), result(id, name, lines.join("\n"))];
}
