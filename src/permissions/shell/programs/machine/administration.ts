import type { Losses, ProgramRow } from "../program-row.js";
import { ADMINISTERS, CHANGES_FILES, like, reads, SIGNALS, VERSION } from "../reach.js";

const ADMIN = { does: ADMINISTERS, anyOptions: true } as const;
const REMOVES: Losses = [[/^(?:remove|purge|autoremove|erase|uninstall|del)(?= |$)/, "removes packages"]];
const ACCOUNT: Losses = [[/^(?!.*(?:--help|--version|-S\b|--status|-l\b))/, "changes who may use this machine"]];
const STOPS: Losses = [[/^/, "shuts the machine down"]];
const PUBLISHES = "changes what other people install";

/** Packages, services, accounts and file systems of the machine. */
export const ADMINISTRATION_PROGRAMS: Readonly<Record<string, ProgramRow>> = {
  brew: like(ADMIN, "Homebrew 4 manual", {
    informs: `${VERSION} --prefix --cellar --cache --repository --caskroom`,
    commands: {
      // What it knows of others it fetches.
      list: { kind: "reads", flags: "--versions --formula --cask --json -1 -l -r -t --full-name" },
    },
    losses: REMOVES,
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
    analyze: (call, { operands }) => operands.some(({ prefix }) => prefix.includes("/")) && call.acts(),
    losses: REMOVES,
  }),
  "apt-get": { ...ADMIN, manual: "apt-get(8), 2.6", globals: "-o -c -t", informs: VERSION, losses: REMOVES },
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
    analyze(call) {
      const [option, ...others] = call.args.map(({ value }) => value ?? "-");
      if (
        /^(?:-[lsLSp]|--(?:list|status|listfiles|search|print-avail|get-selections))$/.test(option ?? "") &&
        others.every((word) => !word.startsWith("-"))
      )
        call.onlyReads();
    },
    losses: [[/(?:^| )(?:-r|-P|--remove|--purge)(?= |$)/, "removes packages"]],
  }),
  "dpkg-query": reads("dpkg-query(1), 1.21", {
    flags: `-l -s -L -S -W -p --list --status --listfiles --search --show --help --version`,
    values: "-f --showformat",
  }),
  rpm: like(ADMIN, "rpm(8), 4.18", {
    informs: VERSION,
    analyze(call) {
      const texts = call.args.map(({ value }) => value ?? "--?");
      if (/^-q[alicRdf]*$|^--query$/.test(texts[0] ?? "") && texts.slice(1).every((text) => !text.startsWith("-"))) {
        call.onlyReads();
        if (/[p]/.test(texts[0]!)) call.acts();
      }
    },
  }),
  "yum dnf zypper apk pacman port snap flatpak choco winget scoop pkg emerge": like(ADMIN, "their manuals, 2024", {
    informs: VERSION,
    losses: REMOVES,
  }),
  gem: like(ADMIN, "RubyGems 3.3 documentation", {
    informs: `${VERSION} -v`,
    commands: {
      "list|environment|env|which": {
        kind: "reads",
        flags: "-a -d -i -l -q --local --all --details --exact --installed --quiet --silent --versions --no-versions",
      },
    },
    losses: [[/^(?:push|yank)(?= |$)/, PUBLISHES]],
  }),
  "composer luarocks cpan cpanm opam hex pub nuget": { ...ADMIN, manual: "their documentations, 2024" },
  "nvm fnm volta": like(ADMIN, "their documentations, 2024", {
    informs: `${VERSION} versions version list ls current`,
    operands: "mention",
  }),
  "launchctl update-rc.d chkconfig firewall-cmd netplan nmcli modprobe insmod rmmod mkswap swapon swapoff losetup mkinitrd grub-install":
    { ...ADMIN, manual: "their manuals, 2024", informs: VERSION },
  service: { ...ADMIN, manual: "sysvinit 3 manual", losses: [[/^\S+ stop(?= |$)/, "stops what the machine runs"]] },
  ufw: like(ADMIN, "ufw 0.36 manual", { losses: [[/(?:^| )(?:disable|reset|delete)(?= |$)/, "opens the firewall"]] }),
  iptables: { ...ADMIN, manual: "iptables(8), 1.8", losses: [[/(?:^| )(?:-F|--flush)/, "drops the firewall's rules"]] },
  "useradd usermod groupadd groupmod groupdel adduser deluser addgroup delgroup passwd chpasswd visudo vipw gpasswd chage chsh chfn":
    { ...ADMIN, manual: "shadow 4.13 manual", losses: ACCOUNT },
  userdel: { ...ADMIN, manual: "shadow 4.13 manual", losses: [[/^/, "deletes a user"]] },
  "shutdown reboot halt poweroff": { ...ADMIN, manual: "systemd 252 manual", losses: STOPS },
  "init telinit": { ...ADMIN, manual: "systemd 252 manual", losses: [[/^[0-6S]/, "shuts the machine down"]] },
  "zfs zpool": { ...ADMIN, manual: "OpenZFS 2.1 manual", losses: [[/^destroy/, "destroys a file system"]] },
  lvremove: { ...ADMIN, manual: "LVM 2.03 manual", losses: [[/^/, "destroys a volume"]] },
  kill: { does: SIGNALS, manual: "util-linux 2.38 manual", anyOptions: true },
  pkill: { does: SIGNALS, manual: "procps-ng 4.0 manual", anyOptions: true },
  killall: { does: SIGNALS, manual: "PSmisc 23 manual", anyOptions: true, losses: [[/^/, "kills processes"]] },
  umount: { ...ADMIN, manual: "util-linux 2.38 manual" },
  sync: { does: CHANGES_FILES, manual: "GNU coreutils 9.1 manual", anyOptions: true },
  crontab: reads("cron 3.0 manual", {
    flags: "-l",
    hazards: "-r -e -i",
    hazardValues: "-u",
    losses: [[/(?:^| )-[a-z]*r|^(?:-u \S+ )?(?:-|[^-]\S*)$/, "deletes or replaces the table of jobs"]],
    takesCode: { brings: /^-[elr]/, code: /^[ \t]*(?:@\w+|(?:\S+[ \t]+){5})(.*)/m },
    analyze: (call, { operands }) => operands.length > 0 && call.acts(),
  }),
};
