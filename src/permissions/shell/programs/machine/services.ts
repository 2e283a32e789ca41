import { allBut } from "../destructive-words.js";
import type { ProgramRow } from "../program-row.js";
import { ADMINISTERS, like, reads, VERSION } from "../reach.js";

const UTIL_LINUX = "util-linux 2.38 manual";
const SYSTEMD = "systemd 252 manual";
const ADMIN = { does: ADMINISTERS, informs: VERSION } as const;

/** Services and the kernel: what shows their state reads, everything else changes the machine. */
export const SERVICE_PROGRAMS: Readonly<Record<string, ProgramRow>> = {
  systemctl: like(ADMIN, SYSTEMD, {
    anyOptions: true,
    globals: "-H --host -M --machine -t --type",
    commands: {
      [`is-active|is-enabled|is-failed|is-system-running|list-units|list-unit-files|list-timers|list-sockets|
        list-dependencies|list-jobs|get-default`]: {
        kind: "reads",
        flags: `-a -l -q --all --full --quiet --no-pager --no-legend --plain --failed --user --system --reverse
            --recursive`,
        values: "-t -n --type --state --lines",
      },
    },
    destroys: allBut(
      "start|restart|try-restart|reload\\S*|daemon-reload|cat|enable|unmask",
      "stops what the machine runs",
    ),
  }),
  // Logs of other programs are not part of the workspace, and may hold secrets.
  journalctl: like(ADMIN, SYSTEMD, {
    informs: `${VERSION} --disk-usage --list-boots`,
    anyOptions: true,
    destroys: [[/(?:^| )--vacuum/, "deletes logs"]],
  }),
  dmesg: reads(UTIL_LINUX, {
    destroys: [[/(?:^| )(?:-\w*[cC]|--clear|--read-clear)(?= |$)/, "deletes logs"]],
    flags: `-d -e -H -k -L -P -r -t -T -u -w -W -x --ctime --decode --follow --follow-new --human --kernel --nopager
      --notime --raw --reltime --show-delta --userspace ${VERSION}`,
    values: "-f -l --facility --level --since --time-format --until",
    attached: "--color",
  }),
  timedatectl: { ...shows("status|show|list-timezones|timesync-status"), informs: `${VERSION} status show` },
  hostnamectl: { ...shows("status"), informs: `${VERSION} status` },
  localectl: shows("status|list-locales"),
  loginctl: shows("list-sessions|list-users|list-seats"),
  sysctl: like(ADMIN, "procps-ng 4.0 manual", {
    flags: "-a -A -b -e -n -N -q -x -X -w --all --binary --ignore --names --values --write --quiet",
    values: "-r --pattern",
    hazards: "-f -p --load --system",
    destroys: [[/=|(?:^| )(?:-w|-p|-f|--load|--system)/, "changes the kernel"]],
    shows: /^(?:[\w./-]+(?: |$))*$/,
    acts: "-w --write",
  }),
  mount: like(ADMIN, UTIL_LINUX, {
    anyOptions: true,
    destroys: [[/(?:^| )(?:[^-]|-a|--all)/, "changes what is at a place of the file system"]],
  }),
  findmnt: reads(UTIL_LINUX, {
    flags: `-a -A -b -C -D -e -f -i -J -k -l -n -P -r -R -u -U -v -y --all --bytes --df --first-only --json --kernel
      --list --noheadings --raw --submounts --uniq ${VERSION}`,
    values: "-d -N -o -O -S -t -T -M --direction --mountpoint --options --output --source --target --types",
  }),
  "vmstat iostat mpstat": reads("procps-ng 4.0 and sysstat 12.6 manuals", {
    flags: `-a -A -c -d -D -f -h -k -m -n -N -s -t -u -w -x -y -z --active --disk --disk-sum --human --one-header
      --slabs --stats --timestamp --unit --wide ${VERSION}`,
    values: "-S",
  }),
  namei: { manual: UTIL_LINUX, kind: "reads", flags: `-l -m -n -o -v -x ${VERSION}`, operands: "read", only: "names" },
  lsb_release: reads("lsb_release 12 manual", {
    flags: `-a -c -d -i -r -s -v --all --codename --description --id --release --short --version --help -h`,
  }),
  sw_vers: reads("macOS 14 manual", {
    singleDash: true,
    flags: "-productName -productVersion -productVersionExtra -buildVersion",
  }),
  ldconfig: { ...ADMIN, manual: "ldconfig(8), glibc 2.36", informs: `${VERSION} -p --print-cache`, anyOptions: true },
  uuidgen: reads(UTIL_LINUX, {
    flags: `-m -r -s -t -x --hex --md5 --random --sha1 --time ${VERSION}`,
    values: "-n -N --name --namespace",
  }),
};

/** One of the programs of systemd: these of its commands show, and so it does without any. */
function shows(commands: string): ProgramRow {
  return {
    ...ADMIN,
    manual: SYSTEMD,
    flags: "-a -l --all --full --no-pager --no-legend --no-ask-password --value",
    values: "-p --property -o --output",
    globals: "-H --host -M --machine",
    hazardValues: "-H --host -M --machine",
    destroys: allBut("status", "changes the machine"),
    shows: new RegExp(`^(?:${commands})?$`),
  };
}
