import { patternWith } from "../../../long-pattern.js";
import { hostInUrl } from "../../invocation/hosts.js";
import type { ParsedOptions } from "../../invocation/options.js";
import type { ProgramCall } from "../../invocation/program-call.js";
import { edited, joinedWords, literalWord } from "../../words/shell-word.js";
import type { ProgramRow } from "../program-row.js";
import { COMMANDS_IN_INPUT, CONNECTS, does } from "../reach.js";

const DELETES = "deletes something on the server";

/** Programs that speak to other machines. None is read-only. */
export const NETWORK_PROGRAMS: Readonly<Record<string, ProgramRow>> = {
  curl: does(CONNECTS, "curl 7.88 manual", {
    informs: "--version",
    flags: `-0 -1 -2 -3 -4 -6 -a -B -f -g -G -i -I -j -k -l -L -M -n -N -p -q -R -s -S -v -V -Z -# --fail --location
      --silent --show-error --head --include --insecure --compressed --get --verbose --no-progress-meter --globoff
      --fail-with-body --retry-connrefused --retry-all-errors --http1.1 --http2 --ipv4 --ipv6 --no-buffer --create-dirs
      --tlsv1.2 --location-trusted --parallel`,
    values: `-A -b -C -d -e -F -H -m -P -Q -r -t -T -u -U -w -x -X -y -Y -z --data --header --user-agent --request
      --max-time --connect-timeout --retry --retry-delay --user --write-out --proxy --form --cookie --data-raw
      --data-binary --data-urlencode --json --referer --range --resolve --proto --max-redirs --upload-file --limit-rate
      --oauth2-bearer`,
    reads: "-E --cert --key --cacert",
    writes: `-o --output --output-dir -c --cookie-jar -D --dump-header --trace --trace-ascii --stderr --etag-save --hsts
      --alt-svc --libcurl`,
    hazards: "-O --remote-name --remote-name-all -J --remote-header-name",
    hazardValues: "-K --config",
    escapes: { text: /%output\{/ },
    destroys: [[/(?:^| )(?:-\w*X ?|--request[ =])DELETE(?= |$)/i, DELETES]],
    analyze: reaches,
  }),
  wget: does(CONNECTS, "GNU Wget 1.21 manual", {
    informs: "--version",
    flags: `-q -v -nv -c -N -r -k -p -m -np -nc -x -nH -nd -4 -6 -S --quiet --spider --no-check-certificate --continue
      --no-verbose --show-progress --recursive --mirror`,
    values: `-t -T -w -Q -U -l -A -R -I -X -D --tries --timeout --wait --header --user-agent --method --post-data --user
      --password`,
    reads: "--post-file --body-file -i --input-file",
    writes: "-O --output-document -o --output-file -a --append-output --save-cookies -P --directory-prefix",
    runs: "--use-askpass",
    hazardValues: "-e --execute --config",
    destroys: [[/(?:^| )--method[ =]DELETE(?= |$)/i, DELETES]],
    analyze: reaches,
  }),
  ssh: does(CONNECTS, "OpenSSH 9.2 manual", {
    informs: "-V",
    flags: "-4 -6 -A -a -C -f -G -g -K -k -M -N -n -q -s -T -t -V -v -X -x -Y -y",
    values: "-B -b -c -D -e -F -I -i -J -L -l -m -O -o -p -Q -R -S -W -w",
    writes: "-E",
    posix: true,
    analyze: analyzeSsh,
  }),
  scp: does(CONNECTS, "OpenSSH 9.2 manual", {
    flags: "-3 -4 -6 -A -B -C -O -p -q -R -r -s -T -v",
    values: "-c -i -J -l -o -P -X",
    runs: "-S -D",
    hazardValues: "-F",
    search: { follows: / -[a-zA-Z]*r/ },
    analyze: copies,
  }),
  sftp: does(CONNECTS, "OpenSSH 9.2 manual", {
    takesCode: COMMANDS_IN_INPUT,
    flags: "-4 -6 -A -a -C -f -N -p -q -r -v",
    runs: "-S -s -D",
    hazardValues: "-F",
    values: "-b -B -c -i -J -l -o -P -R",
    analyze: copies,
  }),
  rsync: does(CONNECTS, "rsync 3.2 manual", {
    flags: `-a -v -q -c -r -R -b -u -l -L -k -K -H -p -E -A -X -o -g -t -O -J -n -W -x -S -z -h -P -i -d -y -8 -0
      --archive --recursive --del --delete --delete-after --delete-before --delete-during --delete-excluded --dry-run
      --progress --force --remove-source-files --compress --verbose`,
    values: `-B -f -M -T --exclude --include --filter --chmod --bwlimit --timeout --port --max-size --min-size --suffix
      --partial-dir --compare-dest --copy-dest --link-dest`,
    reads: "--exclude-from --include-from --files-from --password-file",
    namesFiles: "--files-from",
    writes: "--log-file --write-batch",
    runs: "-e --rsh --rsync-path",
    destroys: [[/(?:^| )--(?:del\S* (?:.* )?[\w.@-]+::?\S*$|remove-source-files)/, "deletes files at the other end"]],
    hazardValues: "--read-batch",
    analyze(call, options) {
      copies(call, options);
      const target = options.operands.at(-1);
      const deletes = options.options.some(({ name }) => name.startsWith("--del"));
      if (deletes && target && hostInUrl(target.value ?? "") === null) call.write(target, "delete", true);
    },
  }),
  "nc ncat netcat socat": {
    ...remote(),
    does: { writes: "named", runs: "named", connects: "named" },
    analyze: startsPrograms,
  },
  "telnet ftp lftp": { ...remote(), takesCode: COMMANDS_IN_INPUT, escapes: { code: /(?:^|;)\s*(?:!|shell\s)(.*)/ } },
  "ping ping6 dig nslookup host traceroute tracepath mtr whois aria2c wscat websocat nmap": remote(),
  "http https xh httpie": { ...remote(), destroys: [[/(?:^| )DELETE(?= |$)/i, DELETES]] },
  mqttx: does(CONNECTS, "MQTTX CLI 1.11 documentation", {
    informs: "-v --version -h --help",
    flags: "-r -s -lm -so --insecure --retain --stdin --multiline --no-clean --verbose --output-mode-clean --debug",
    values: `-h --hostname -p --port -i --client-id -u --username -P --password -t --topic -m --message -l --protocol -V
      --mqtt-version -k --keepalive -q --qos -f --format --path --will-topic --will-message`,
    reads: "--key --cert --ca --file-read",
    writes: "--file-write --file-save",
    host: { is: "localhost", option: "-h --hostname" },
  }),
  grpcurl: does(CONNECTS, "grpcurl 1.8 documentation", {
    informs: "-help -version",
    singleDash: true,
    flags:
      "-plaintext -insecure -v -vv -emit-defaults -format-error -allow-unknown-fields -msg-template -use-reflection",
    values: `-d -H -rpc-header -reflect-header -max-time -connect-timeout -keepalive-time -max-msg-sz -authority
      -servername -user-agent -format`,
    reads: "-cacert -cert -key -proto -protoset -import-path",
    writes: "-protoset-out -proto-out-dir",
    hazards: "-unix -expand-headers",
    host: {},
  }),
};

function remote(): ProgramRow {
  const manual = "the program's own manual; every use counts as reaching the network";
  return { manual, does: CONNECTS, anyOptions: true, host: {} };
}

/** `ls -l,pty,stderr`: options of the connection follow the command. */
function beforeOptions(command: string): string {
  const { index } = /(?<![\w,=-])[\w,=-]*$/.exec(command)!;
  const comma = command.indexOf(",", index);
  return comma === -1 ? command : command.slice(0, comma);
}

function startsPrograms(call: ProgramCall): void {
  for (const [index, { value }] of call.args.entries()) {
    const started = /^(?:EXEC|SYSTEM|exec|system):(.*)$/s.exec(value ?? "")?.[1];
    const address = started && beforeOptions(started);
    const next = call.args[index + 1];
    if (address) call.script(literalWord(address));
    else if (/^-(?:[a-zA-Z]*[ec]|-exec|-sh-exec)$/.test(value ?? "") && next) call.script(next);
    else continue;
    call.doubt("option", `"${value}" makes "${call.program}" run another program`);
  }
}

/** Their value is a text, or `@` and a file. */
const TAKES_FILE =
  `-d --data --data-binary --data-urlencode --json -F --form -T --upload-file -b --cookie -H --header -w
  --write-out`.split(/\s+/);

function reaches(call: ProgramCall, options: ParsedOptions): void {
  const urls = [...options.operands, ...options.all("--url").flatMap(({ value }) => value ?? [])];
  for (const url of urls) {
    const text = url.value ?? url.prefix;
    if (url.value === null && url.known?.startsWith("file:")) call.read(edited(url, withoutScheme));
    else if (text.startsWith("file:")) call.read(literalWord(withoutScheme(text)));
    // It keeps the name that the file has there.
    const name = /[^/?#]\/([^/?#]+)(?:[?#].*)?$/s.exec(text)?.[1];
    const isKept = call.program === "wget" || options.has("-O", "--remote-name", "--remote-name-all");
    if (name && isKept && url.value !== null) call.mayWrite(literalWord(name));
    const host = hostInUrl(text) ?? (url.value === null ? null : hostInUrl(`http://${text}`));
    for (const guess of url.value === null ? url.guesses : []) {
      const guessed = hostInUrl(guess) ?? hostInUrl(`http://${guess}`);
      if (guessed !== null) call.network(guessed);
    }
    // A host that is followed by something unknown right away may go on.
    const isOpen =
      (url.value === null && !/^\w+:\/\/[^/]+\//.test(text)) || /[{}*?]|\[(?![\da-f:.]*:)/i.test(host ?? "");
    call.network(isOpen ? null : host);
  }
  if (urls.length === 0) call.network(null);
  // The text that matches a pattern in the URL becomes part of the name.
  if (options.all("-o", "--output").some(({ value }) => /#\d/.test(value?.value ?? "")))
    call.doubt("option", `the URL says where "${call.program}" writes`);
  for (const { value } of options.all(...TAKES_FILE)) {
    const file = value && /^(?:[^=@]*=)?[@<](.+)$/s.exec(value.value ?? "")?.[1];
    if (file && file !== "-") call.read(literalWord(file));
  }
  for (const { value } of options.all("-T", "--upload-file")) if (value) call.read(value);
}

function withoutScheme(url: string): string {
  return url.slice("file:".length).replace(/^\/\/(localhost)?/, "");
}

const RUNNING_SETTING = patternWith("is")`^\s*(ProxyCommand|LocalCommand|KnownHostsCommand|PermitLocalCommand|
  ProxyUseFdpass|PKCS11Provider|SecurityKeyProvider|Include|Match)[\s=]+(.*)$`;

function analyzeSsh(call: ProgramCall, options: ParsedOptions): void {
  const [host, ...command] = options.operands;
  // Its options may go on behind the host.
  const own = command.findIndex(({ prefix }) => !prefix.startsWith("-"));
  const after = own === 0 ? [] : command.slice(0, own === -1 ? undefined : own);
  if (after.some(({ prefix }) => /^-[oFIE]/.test(prefix))) {
    call.doubt("option", 'an option behind the host can make "ssh" run another program');
  }
  call.network(host?.value ? host.value.replace(/^.*@/, "").toLowerCase() : null);
  for (const { value } of options.all("-o")) {
    const text = value?.value ?? null;
    if (text === null) call.doubt("option", 'an option of "ssh" is not known before it runs');
    const found = RUNNING_SETTING.exec(text ?? "");
    if (!found) continue;
    call.doubt("option", `"${found[1]}" makes "ssh" run another program`);
    if (/command$/i.test(found[1]!)) call.script(literalWord(found[2]!));
  }
  if (options.has("-F", "-I")) call.doubt("option", '"ssh" reads settings or code from a file');
  if (command.length > 0) call.script(joinedWords(command), { remote: true });
  else if (call.input.kind === "text")
    call.script(literalWord(call.input.text), { remote: true, impliedByParent: true });
}

function copies(call: ProgramCall, options: ParsedOptions): void {
  const sources = options.operands.slice(0, -1);
  const target = options.operands.at(-1);
  const hosts = options.operands.flatMap(({ value }) => (value === null ? [] : (hostInUrl(value) ?? [])));
  for (const host of hosts) call.network(host);
  for (const source of sources)
    if (source.value === null || hostInUrl(source.value) === null) call.read(source, { recursive: true });
  const isHere = target && (target.value === null || hostInUrl(target.value) === null);
  if (isHere && hosts.length > 0) call.unpacks(target);
  else if (isHere) call.write(target, "modify");
  for (const { value } of options.all("-o")) {
    if (/ProxyCommand|LocalCommand|Include|KnownHostsCommand/i.test(value?.value ?? "ProxyCommand")) {
      call.doubt("option", `"-o" makes "${call.program}" run another program`);
    }
  }
}
