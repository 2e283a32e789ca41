import { longPattern } from "../../../long-pattern.js";
import { mentionFiles } from "../../invocation/mentions.js";
import type { ParsedOptions } from "../../invocation/options.js";
import { parseOptions } from "../../invocation/options.js";
import type { ProgramCall } from "../../invocation/program-call.js";
import { literalWord, type ShellWord } from "../../words/shell-word.js";
import type { CommandRow, DestroyingWords, ProgramRow } from "../program-row.js";

const CONTAINER_DESTROYS: DestroyingWords = [
  [
    longPattern`^(?:(?:system|volume|image|container|network|builder|buildx) prune|(?!compose )(?:[a-z]+ )?(?:rmi|
      remove|reset)(?= |$)|(?!(?:compose|container) )[a-z]+ rm(?= |$)|(?:container )?rm .*(?:-\w*[fv]|--force|--volumes|
      \$\()|compose .*?down .*?(?:-v|--volumes)|compose .*?rm .*?-\w*v|swarm leave|trust (?:revoke|key)|
      service scale .*=0|(?:node )?update .*drain)`,
    "deletes containers, images or volumes",
  ],
  [
    longPattern`^(?:container )?(?:run|create) (?:.* )?(?:--privileged(?:=true)?(?= |$)|(?:-v|--volume)[ =]?\/:|
      --mount[ =]\S*\b(?:source|src)=\/(?:,|$))`,
    "gives a container the whole machine",
  ],
];
const LISTS: CommandRow = {
  kind: "reads",
  flags: "-a -q -v --all --quiet --services --no-trunc --orphans --no-stream --short --verbose",
  values: "--filter --format --status",
};
/** A container may be given everything of this machine, so options that are not here ask. */
const CONTAINERS: ProgramRow = {
  manual: "Docker 24 and Podman 4.3 documentations",
  does: { writes: "anything", runs: "anything", connects: "anything" },
  informs: "--version version info -v",
  helps: longPattern`^(?:(?:compose )?(?:build|cp|create|events|exec|images|kill|logs|ls|pause|port|ps|pull|push|
    restart|rm|run|start|stats|stop|top|up|down|config)|compose|buildx|container|image|inspect|network|rmi|save|load|
    system|tag|volume)$`,
  flags: `-a -q -d -i -t -s -D -P -l -n -it -ti --all --quiet --detach --interactive --tty --rm --no-cache --pull --push
    --load --force --no-trunc --size --latest --digests --follow --timestamps --details --build --remove-orphans
    --volumes --no-deps --no-start --init --wait --abort-on-container-exit --force-recreate --no-recreate
    --always-recreate-deps --no-build --no-color --no-log-prefix --quiet-pull --services --images --debug --publish-all
    --read-only --no-stream --human --client --short --compress --squash --disable-content-trust --no-healthcheck --tls
    --help --renew-anon-volumes --attach-dependencies --menu --watch --dry-run --orphans --resolve-image-digests
    --profiles --link --no-prune --all-tags -T --no-tty --timeout --progress --no-TTY --no-resolve`,
  values: `-e -u -w -p -h -m -c -n -o -t -l -v --volume --mount --env --user --workdir --name --network --net --publish
    --expose --hostname --platform --cpus --memory --memory-swap --label --restart --entrypoint --tag --target
    --build-arg --tail --since --until --format --filter --scale --profile --project-name --shm-size --ulimit --dns
    --dns-search --add-host --log-opt --log-driver --stop-signal --stop-timeout --health-cmd --health-interval
    --health-retries --health-timeout --ip --link --network-alias --index --exit-code-from --time --signal --type
    --builder --cache-from --message --author --change --driver --opt --subnet --gateway --scope --no-stdin --log-level
    --gpus --pids-limit --progress --namespace --container --cpu-shares --cpuset-cpus --annotation --context --sort
    --pull`,
  reads: "--env-file --label-file",
  loads: "-f --file --project-directory -C",
  writes: "--output --cidfile --iidfile --metadata-file",
  hazards: "--privileged",
  hazardValues: `-H --device --cap-add --security-opt --pid --ipc --uts --userns --cgroupns --volumes-from --tmpfs
    --host --config --secret --ssh --allow --runtime --sysctl --cgroup-parent --tlscacert --tlscert --tlskey
    --device-cgroup-rule --cache-to --volume-driver --group-add --storage-opt`,
  commands: {
    [`logs|rm|rmi|kill|prune|container logs|container rm|image rm|volume rm|network rm|system prune|image prune|volume
      prune|container prune|builder prune|compose logs|compose rm`]: { flags: "-f" },
    "exec|run|container exec|container run|compose exec|compose run": { endsAfter: 1 },
    "save|export|image save|container export": { writes: "-o --output" },
    "build|buildx build|image build|builder build": { hazardValues: "-o --output --build-context" },
    // A volume may be any directory of this machine.
    "volume create": { hazardValues: "-o --opt" },
    "ps|images|container ls|image ls|network ls|volume ls|context ls|compose ls": {
      kind: "reads",
      flags: "-a -q -n -s -l --all --quiet --no-trunc --size --latest --digests",
      values: "--format -f --filter",
    },
    "compose ps|compose version|stats|system df|port|top|info|version|buildx ls|context show": LISTS,
  },
  destroys: CONTAINER_DESTROYS,
  // Compose builds in the directories that its file names.
  takesAll: /^compose (?:.* )?(?:build(?: |$)|up (?:.* )?--build(?: |$)|watch|publish)/,
  repeatable: ["ps", "logs", "images", "compose ps", "compose logs"],
  analyze(call, options) {
    reportMounts(call, options);
    if (mayPrintValues(call, options)) call.mayRead(literalWord(".env"));
    if (options.operands.slice(0, 2).some(({ value }) => /^(?:build|bake)$/.test(value ?? ""))) mentionFiles(call);
    startsInContainer(call);
    const [, ...copied] = options.operands.slice(options.operands.findIndex(({ value }) => value === "cp"));
    if (options.operands.slice(0, 2).some(({ value }) => value === "cp")) copies(call, copied);
  },
};

/** Commands of compose that use the values of the project's variables, and print none. */
const KEEPS_VALUES = longPattern`^(?:attach|build|cp|create|down|events|exec|images|kill|logs|ls|pause|port|ps|pull|
  push|restart|rm|run|scale|start|stats|stop|top|unpause|up|version|volumes|wait|watch)$`;

/** Compose shows the project with the values of its variables, or may, not only the names of its parts. */
function mayPrintValues({ program, args }: ProgramCall, options: ParsedOptions): boolean {
  // As `docker` reads what stands before the command: `-f` has a value there, whatever it is to `logs`.
  const [first, second] = parseOptions(CONTAINERS, args).operands;
  const command = program === "docker-compose" ? first : first?.value === "compose" ? second : undefined;
  if (!command || KEEPS_VALUES.test(command.value ?? "")) return false;
  const isConfig = command.value === "config" || command.value === "convert";
  return !(isConfig && options.options.some(({ name }) => NAMES_ONLY.test(name)));
}

const NAMES_ONLY = /^(?:-q|--(?:quiet|services|images|volumes|networks|profiles))$/;

/** Programs that start containers on this machine. */
export const CONTAINER_PROGRAMS: Readonly<Record<string, ProgramRow>> = {
  "docker podman nerdctl": CONTAINERS,
  "docker-compose": {
    ...CONTAINERS,
    commands: { "exec|run": { endsAfter: 1 }, "ps|version|top|port": LISTS, "logs|rm": { flags: "-f" } },
    destroys: [[/^(?:down .*?(?:-v|--volumes)|rm .*?-\w*v)/, "deletes volumes"]],
    repeatable: ["ps", "logs"],
  },
};

/** `docker cp container:/a b`: to this machine, or from it. */
function copies(call: ProgramCall, [source, target]: readonly ShellWord[]): void {
  const isHere = (word: ShellWord | undefined): word is ShellWord =>
    word !== undefined && !/^[\w.-]+:/.test(word.prefix);
  if (isHere(source)) call.read(source, { recursive: true });
  if (isHere(target)) call.unpacks(target);
}

/** Reports the files of this machine that a container is given: `-v "$PWD:/app"`, `--mount type=bind,source=/x,target=/y`. */
function reportMounts(call: ProgramCall, options: ParsedOptions): void {
  for (const { name, value } of options.all("-v", "--volume", "--mount")) {
    if (value?.known === null) {
      call.doubt("option", `what "${name}" gives a container is not known before it runs`);
      continue;
    }
    const text = value?.known ?? "";
    const place = name === "--mount" ? /(?:^|,)(?:source|src)=([^,]*)/.exec(text)?.[1] : text.split(":")[0];
    if (!place || !/^[/~.]/.test(place)) continue;
    call.loads(literalWord(place));
    call.read(literalWord(place), { recursive: true });
  }
}

const CONTAINER_RUNS = /^(exec|run|debug)$/;
const CONTAINER_VALUES = longPattern`^(-[euvwpl]|--(env|user|volume|workdir|name|network|publish|entrypoint|mount|
  platform|cpus|memory|env-file|label|hostname)|-n|--namespace|-c|--container)$`;

/** Reports a program that runs in a container: it is on another machine, as far as paths go; allowing the outer program allows it. */
export function startsInContainer(call: ProgramCall): void {
  const { args } = call;
  mentionFiles(call);
  const at = args.findIndex(({ value }) => CONTAINER_RUNS.test(value ?? ""));
  if (at === -1) return;
  let next = at + 1;
  while (next < args.length && args[next]!.prefix.startsWith("-") && args[next]!.value !== "--") {
    next += CONTAINER_VALUES.test(args[next]!.value ?? "") ? 2 : 1;
  }
  const entry = args.findIndex(({ value }) => /^--entrypoint(?:=|$)/.test(value ?? ""));
  const [, glued] = /=(.*)$/s.exec(args[entry]?.value ?? "") ?? [];
  const program = glued === undefined ? args[entry + 1] : literalWord(glued);
  if (entry > at && program) call.script(program, { remote: true, impliedByParent: true });
  // Words before a `--` are for the program that starts the container's.
  const end = args.findIndex(({ value }, index) => index > at && value === "--");
  const words = args.slice(end === -1 ? next + 1 : end + 1);
  call.start(words, { remote: true, impliedByParent: true, keepsInput: true });
}
