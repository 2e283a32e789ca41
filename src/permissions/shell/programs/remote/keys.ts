import type { ProgramRow } from "../program-row.js";
import { does, RUNS_CODE, VERSION } from "../reach.js";

/** Options of `openssl` that choose what is printed of what was read. */
const SHOWS = `-noout -text -dates -subject -issuer -serial -fingerprint -enddate -startdate -email -purpose -modulus
  -hash -alias -ocspid -ocsp_uri -subject_hash -issuer_hash -pubkey -verify -sha1 -sha256 -sha384 -sha512 -md5
  -checkhost -nocert`;

/** Programs that sign, encrypt and make keys. */
export const KEY_PROGRAMS: Readonly<Record<string, ProgramRow>> = {
  gpg: does({ writes: "named", runs: "named", connects: "anything" }, "gpg(1), 2.2", {
    informs: VERSION,
    flags: `-a -b -s -e -d -c -k -K -v -q -n --armor --detach-sign --sign --encrypt --decrypt --symmetric --list-keys
      --list-secret-keys --verify --verbose --quiet --batch --yes --no --dry-run --clear-sign --clearsign --import
      --export --with-colons --fingerprint --no-tty --keyid-format --no-default-keyring --show-keys --refresh-keys
      --check-signatures --list-sigs`,
    values: `-r -u --recipient --local-user --default-key --keyid-format --trust-model --cipher-algo --digest-algo
      --pinentry-mode --keyserver --recv-keys --search-keys --comment`,
    reads: "--passphrase-file --keyring --secret-keyring",
    loads: "--homedir --options",
    writes: "-o --output --log-file --status-file --logger-file",
    runs: "--photo-viewer --exec-path --agent-program --dirmngr-program --pinentry-program --gpgconf-path",
    destroys: [[/(?:^| )--(?:delete-\S+|gen-revoke|generate-revocation)(?= |$)/, "deletes keys"]],
    hazardValues: "--keyserver-options --command-file --trustdb-name --passphrase",
    operands: "mention",
  }),
  openssl: does({ writes: "named", runs: "named", connects: "named" }, "OpenSSL 3.0 manual", {
    singleDash: true,
    anyOptions: true,
    runs: "-engine -provider -provider-path -engine_impl",
    loads: "-config",
    reads: "-rand",
    writes: "-out -keyout -writerand",
    commands: {
      "x509|crl|req|verify": {
        kind: "reads",
        flags: SHOWS,
        values: "-in -inform -nameopt -certopt -CAfile -untrusted -checkend",
      },
      version: { kind: "reads", flags: "-a -v -b -o -f -p -d -e" },
      rand: { kind: "reads", flags: "-hex -base64" },
      "list|ciphers|errstr": {
        kind: "reads",
        flags: "-v -V -s -commands -digest-commands -cipher-commands -cipher-algorithms",
      },
      "dgst|md5|sha1|sha256|sha512": {
        kind: "reads",
        flags: "-r -c -hex -binary -md5 -sha1 -sha224 -sha256 -sha384 -sha512",
      },
    },
    analyze(call) {
      const [command, ...words] = call.args;
      const isPublic = /^(?:x509|crl|verify|req)$/.test(command?.value ?? "");
      const digests = /^(?:dgst|md5|sha\d+)$/.test(command?.value ?? "");
      // An address of another kind than a file may be fetched, or be a key of some device.
      if (words.some(({ value, prefix }) => /^[A-Za-z][\w+.-]*:/.test(value ?? prefix))) call.acts();
      if (/^(?:x509|crl|req)$/.test(command?.value ?? "") && !words.some(({ value }) => value === "-in")) call.acts();
      for (const [index, word] of words.entries()) {
        const option = words[index - 1]?.value ?? "";
        const isFile = /^-+(?:in|inkey|CA|CAfile|cert|key|untrusted|signkey|CAkey)$/.test(option);
        // A command that only parses certificates prints nothing of a key.
        if (isFile && !(isPublic && /^-+(?:in|CA|CAfile|cert|untrusted)$/.test(option))) call.read(word);
        else if (isFile) call.read(word, { only: "names" });
        else if (digests && !word.prefix.startsWith("-")) call.read(word, { only: "files" });
        else if (command?.value === "verify" && !word.prefix.startsWith("-")) call.read(word, { only: "names" });
      }
    },
  }),
  "ssh-keygen": does(RUNS_CODE, "OpenSSH 9.2 manual", {
    flags: "-l -v -q -y -e -i -p -c -A -B -H -F -L",
    values: "-b -C -E -N -m -P -t -O -a -f -R",
    hazardValues: "-D -w -K -k -s -M -Y -Q",
    analyze(call, { options, unknown, operands }) {
      // A fingerprint says nothing of a key.
      const files = options.flatMap(({ name, value }) => (name === "-f" && value ? value : []));
      const shows = options.some(({ name }) => name === "-l") && options.every(({ name }) => /^-[lvqEf]$/.test(name));
      if (shows && files.length > 0 && unknown.length + operands.length === 0) call.onlyReads();
      for (const file of files) shows ? call.read(file, { only: "names" }) : call.write(file, "modify");
    },
  }),
  "ssh-add": { manual: "OpenSSH 9.2 manual", does: RUNS_CODE, informs: "-l -L", anyOptions: true, operands: "mention" },
};
