import { longPattern } from "../../../long-pattern.js";
import { allBut, DESTROYS, PUBLISHES } from "../destructive-words.js";
import type { DestroyingWords, ProgramRow } from "../program-row.js";
import { ADMINISTERS, CHANGES_FILES, does, like, reads, SIGNALS, VERSION } from "../reach.js";

const ADMIN = { does: ADMINISTERS, anyOptions: true, destroys: DESTROYS } as const;
/** Packages by the letters of options: `pacman -Rns`, `rpm -e`, `emerge -C`. */
const REMOVES: DestroyingWords = [
  [
    /(?:^| )(?:auto(?:remove|purge)|dist-upgrade|-R\w*|-e|-C|-U|--unmerge|--depclean|--erase|\w+-remove|-d)(?= |$)/,
    "removes packages",
  ],
  ...DESTROYS,
];
const ACCOUNT: DestroyingWords = [[/^(?!.*(?:--help|--version|-S\b|--status))/, "changes who may use this machine"]];
const STOPS: DestroyingWords = [[/^/, "shuts the machine down"]];

/** Packages, services, accounts and file systems of the machine. */
export const ADMINISTRATION_PROGRAMS: Readonly<Record<string, ProgramRow>> = {
  brew: like(ADMIN, "Homebrew 4 manual", {
    informs: `${VERSION} --prefix --cellar --cache --repository --caskroom`,
    commands: {
      // It fetches its list of packages.
      list: { kind: "reads", flags: "--versions --formula --cask --json -1 -l -r -t --full-name" },
    },
    destroys: REMOVES,
  }),
  apt: like(ADMIN, "apt(8), 2.6", {
    globals: "-o -c -t",
    informs: VERSION,
    commands: {
      "list|show|search|policy|depends|rdepends": {
        kind: "reads",
        flags:
          "-a -i -u -q -n --installed --upgradable --upgradeable --all-versions --names-only --full --manual-installed",
      },
    },
    // A package may be a file.
    each: /^[^/]*$/,
    destroys: REMOVES,
  }),
  "apt-get": { ...ADMIN, manual: "apt-get(8), 2.6", globals: "-o -c -t", informs: VERSION, destroys: REMOVES },
  "apt-cache": like(ADMIN, "apt-cache(8), 2.6", {
    informs: VERSION,
    commands: {
      "show|search|policy|depends|rdepends|madison|showpkg|stats|pkgnames": {
        kind: "reads",
        flags: "-a -q -n -f -i --installed --names-only --full --recurse --no-all-versions --important",
      },
    },
  }),
  dpkg: like(ADMIN, "dpkg(1), 1.21", {
    informs: `${VERSION} --print-architecture -l --list --get-selections`,
    readsWords: /^(?:-[lsLSp]|--(?:list|status|listfiles|search|print-avail|get-selections))(?: [^\n -][^\n ]*)*$/,
    destroys: [[/(?:^| )(?:-r|-P|--remove|--purge)(?= |$)/, "removes packages"]],
  }),
  "dpkg-query": reads("dpkg-query(1), 1.21", {
    flags: `-l -s -L -S -W -p --list --status --listfiles --search --show --help --version`,
    values: "-f --showformat",
  }),
  rpm: like(ADMIN, "rpm(8), 4.18", {
    informs: VERSION,
    destroys: REMOVES,
    readsWords: /^(?:-q[alicRdf]*|--query)(?: [^\n -][^\n ]*)*$/,
  }),
  "yum dnf zypper apk pacman yay paru port snap flatpak choco winget scoop pkg emerge aptitude opkg nix-env": {
    ...ADMIN,
    manual: "their manuals, 2024",
    informs: VERSION,
    destroys: REMOVES,
  },
  gem: like(ADMIN, "RubyGems 3.3 documentation", {
    informs: `${VERSION} -v`,
    commands: {
      "list|environment|env|which": {
        kind: "reads",
        flags: "-a -d -i -l -q --local --all --details --exact --installed --quiet --silent --versions --no-versions",
      },
    },
    destroys: [[/^(?:push|owner .*-r)(?= |$)/, PUBLISHES], ...DESTROYS],
  }),
  "composer luarocks cpan cpanm opam hex pub nuget": like(ADMIN, "their documentations, 2024", {
    destroys: [[/^(?:publish|push|upload|delete)(?= |$)/, PUBLISHES]],
  }),
  "nvm fnm volta": like(ADMIN, "their documentations, 2024", {
    informs: `${VERSION} versions version list ls current`,
    operands: "mention",
  }),
  fuser: like(ADMIN, "PSmisc 23 manual", {
    // A program that listens on a port is one's own, as a rule.
    destroys: [[/^(?!.*\d\/(?:tcp|udp)).*(?:^| )-\w*k|(?:^| )-\w*m/, "stops whatever uses a file"]],
  }),
  service: { ...ADMIN, manual: "sysvinit 3 manual", destroys: [[/^\S+ stop(?= |$)/, "stops what the machine runs"]] },
  [`useradd usermod groupadd groupmod groupdel adduser deluser addgroup delgroup passwd chpasswd visudo vipw gpasswd
    chsh chfn`]: { ...ADMIN, manual: "shadow 4.13 manual", destroys: ACCOUNT },
  chage: { ...ADMIN, manual: "shadow 4.13 manual", destroys: allBut("-l|--list", "changes who may use this machine") },
  userdel: { ...ADMIN, manual: "shadow 4.13 manual", destroys: [[/^/, "deletes a user"]] },
  "shutdown reboot halt poweroff": { ...ADMIN, manual: "systemd 252 manual", destroys: STOPS },
  "init telinit": { ...ADMIN, manual: "systemd 252 manual", destroys: [[/^[0-6S]/, "shuts the machine down"]] },
  kill: does(SIGNALS, "util-linux 2.38 manual", {
    anyOptions: true,
    destroys: [[/(?:^| )[01](?= |$)/, "stops the machine, or the whole group of processes"]],
  }),
  pkill: does(SIGNALS, "procps-ng 4.0 manual", {
    anyOptions: true,
    // By anything but a name of some length.
    destroys: [
      [
        longPattern`(?:^| )(?:-[uUGPgstv](?= |$)|--(?:uid|euid|group|pgroup|parent|session|terminal|inverse))|
          (?:^| )['"]?(?:\.[*+]?|\w?)['"]?$|^$`,
        "stops more than it names",
      ],
    ],
  }),
  killall: { does: SIGNALS, manual: "PSmisc 23 manual", anyOptions: true, destroys: [[/^/, "kills processes"]] },
  sync: { does: CHANGES_FILES, manual: "GNU coreutils 9.1 manual", anyOptions: true },
  history: does(CHANGES_FILES, "Bash 5.2 manual", {
    anyOptions: true,
    destroys: [[/^-\w*[cdw]/, "deletes or replaces the history"]],
  }),
  crontab: reads("cron 3.0 manual", {
    flags: "-l",
    hazards: "-r -e -i",
    hazardValues: "-u",
    destroys: [[/(?:^| )-[a-z]*r|^(?:-u \S+ ?)?(?:-|[^-]\S*)?$/, "deletes or replaces the table of jobs"]],
    takesCode: { brings: /^-[elr]/, code: /^[ \t]*(?:@\w+|(?:\S+[ \t]+){5})(.*)/m },
    most: 0,
  }),
};
