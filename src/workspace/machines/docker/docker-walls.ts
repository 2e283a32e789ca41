// The walls of a container, by `docker inspect`. A list of fields that are known to be harmless: every field that is not on it, and every
// other value, is a breach, so that an option of a later version is refused until somebody has understood it.
import { type Fields, fieldsOf, isObject } from "../../../json/is-object.js";
import { clip } from "../../../text/cut.js";

/** A directory or file that a container is given. */
export interface Mount {
  readonly source: string;
  /** Its path in the container. */
  readonly at: string;
  readonly writable: boolean;
}

type Network = "none" | "any";
type Test = (value: unknown, network: Network) => boolean;

const isEmpty: Test = (value) =>
  !value || (Array.isArray(value) ? value.length === 0 : isObject(value) && Object.keys(value).length === 0);
const isAmount: Test = (value) => ["number", "boolean"].includes(typeof (value ?? 0));
const isText: Test = (value) => typeof (value ?? "") === "string";
const isFree: Test = () => true;
const fits =
  (pattern: RegExp): Test =>
  (value) =>
    pattern.test(String(value ?? ""));
const holds =
  (...wanted: readonly string[]): Test =>
  (value) =>
    Array.isArray(value) && wanted.every((each) => value.includes(each));
const isListOf =
  (test: (value: unknown) => boolean): Test =>
  (value) =>
    isEmpty(value, "none") || (Array.isArray(value) && value.every(test));
const hasOnly = (value: unknown, ...names: readonly string[]) =>
  isObject(value) && Object.keys(value).every((name) => names.includes(name));

/** The same test for several fields. */
const all = (test: Test, names: string) =>
  Object.fromEntries(
    names
      .trim()
      .split(/\s+/)
      .map((name) => [name, test]),
  );

const HOST_CONFIG: Readonly<Record<string, Test>> = {
  ...all(
    isEmpty,
    `Annotations BlkioDeviceReadBps BlkioDeviceReadIOps BlkioDeviceWriteBps BlkioDeviceWriteIOps BlkioWeightDevice CapAdd Cgroup
    CgroupParent DeviceCgroupRules DeviceRequests Devices Dns DnsOptions DnsSearch ExtraHosts GroupAdd Isolation Links PidMode PortBindings
    Privileged PublishAllPorts StorageOpt Sysctls UTSMode UsernsMode VolumesFrom`,
  ),
  ...all(
    isAmount,
    `AutoRemove BlkioWeight CpuCount CpuPercent CpuPeriod CpuQuota CpuRealtimePeriod CpuRealtimeRuntime CpuShares IOMaximumBandwidth
    IOMaximumIOps Init KernelMemory KernelMemoryTCP Memory MemoryReservation MemorySwap MemorySwappiness NanoCpus OomKillDisable
    OomScoreAdj PidsLimit ReadonlyRootfs ShmSize`,
  ),
  ...all(isFree, "ConsoleSize RestartPolicy Tmpfs Ulimits"),
  ...all(fits(/^[\d,-]*$/), "CpusetCpus CpusetMems"),
  ContainerIDFile: isText,
  // `Mounts` says what they are.
  Binds: isListOf((each) => typeof each === "string"),
  Mounts: isListOf((each) => hasOnly(each, "Type", "Source", "Target", "ReadOnly")),
  VolumeDriver: fits(/^(?:local)?$/),
  CapDrop: holds("ALL"),
  // Without a capability the groups of the host can be read, not changed.
  CgroupnsMode: fits(/^(?:private|host|)$/),
  IpcMode: fits(/^(?:private|none)$/),
  // Output of the container's first program goes where the log goes.
  LogConfig: (value) =>
    hasOnly(value, "Type", "Config") && /^(?:json-file|local|journald|none)$/.test(String(fieldsOf(value).Type)),
  NetworkMode: (value, network) => (network === "none" ? value === "none" : /^(?!host$)[\w.-]+$/.test(String(value))),
  Runtime: fits(/^(?:runc|crun|runsc|io\.containerd\.runc\.v2|)$/),
  SecurityOpt: (value) =>
    Array.isArray(value) && value.length > 0 && value.every((each) => /^no-new-privileges(?:[:=]true)?$/.test(each)),
  MaskedPaths: holds("/proc/kcore", "/proc/keys", "/proc/timer_list", "/proc/sched_debug", "/sys/firmware"),
  ReadonlyPaths: holds("/proc/bus", "/proc/fs", "/proc/irq", "/proc/sys", "/proc/sysrq-trigger"),
};

const WITHOUT_NETWORK: Test = (value, network) => network === "any" || isEmpty(value, network);
const ADDRESSES = "Gateway GlobalIPv6Address GlobalIPv6PrefixLen IPAddress IPPrefixLen IPv6Gateway MacAddress";
const NETWORK: Readonly<Record<string, Test>> = {
  ...all(WITHOUT_NETWORK, `Aliases DNSNames DriverOpts GwPriority IPAMConfig Links ${ADDRESSES}`),
  ...all(isText, "EndpointID NetworkID"),
};
const NETWORK_SETTINGS: Readonly<Record<string, Test>> = {
  ...all(WITHOUT_NETWORK, `Bridge EndpointID HairpinMode Ports ${ADDRESSES}`),
  ...all(isEmpty, "LinkLocalIPv6Address LinkLocalIPv6PrefixLen SecondaryIPAddresses SecondaryIPv6Addresses"),
  ...all(isText, "SandboxID SandboxKey"),
  Networks: (value, network) =>
    isObject(value) &&
    Object.entries(value).every(
      ([name, one]) =>
        (network === "none" ? name === "none" : name !== "host") && firstBreach("", one, NETWORK, network) === null,
    ),
};

const MOUNT: Readonly<Record<string, Test>> = {
  ...all(isText, "Name Source Destination"),
  Type: fits(/^(?:bind|volume|tmpfs)$/),
  Driver: fits(/^(?:local)?$/),
  Mode: fits(/^(?:(?:ro|rw|z|Z|cached|delegated|consistent)(?:,|$))*$/),
  // Another one passes on what the host mounts later.
  Propagation: fits(/^(?:r?private)?$/),
  RW: (value) => typeof value === "boolean",
};

/** The first field that is not known to be harmless, as a sentence; `null`: all are known. `network`: what is claimed. */
export function breachIn(inspected: Fields, network: Network): string | null {
  const { HostConfig, Mounts, NetworkSettings } = inspected;
  const mounts = Array.isArray(Mounts) ? Mounts : [Mounts];
  return (
    firstBreach("HostConfig", HostConfig, HOST_CONFIG, network) ??
    firstBreach("NetworkSettings", NetworkSettings, NETWORK_SETTINGS, network) ??
    mounts.map((mount, at) => firstBreach(`Mounts[${at}]`, mount, MOUNT, network)).find((found) => found !== null) ??
    null
  );
}

function firstBreach(
  path: string,
  fields: unknown,
  tests: Readonly<Record<string, Test>>,
  network: Network,
): string | null {
  if (!isObject(fields)) return `${path} is missing.`;
  // One that is missing has to be harmless, too.
  for (const name of new Set([...Object.keys(tests), ...Object.keys(fields)])) {
    if (!Object.hasOwn(tests, name)) return `${path}.${name} is not known.`;
    if (tests[name]!(fields[name], network)) continue;
    return `${path}.${name} is ${clip(JSON.stringify(fields[name] ?? null), 200)}, which is not known to be harmless.`;
  }
  return null;
}

/** The mounts of a container without a breach; not those in memory, which are gone with it. */
export function mountsOf({ Mounts }: Fields): readonly Mount[] {
  return (Mounts as readonly Fields[]).flatMap(({ Type, Source, Destination, RW }) =>
    Type === "tmpfs" ? [] : { source: String(Source), at: String(Destination), writable: RW === true },
  );
}
