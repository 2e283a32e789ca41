import { mentionFiles } from "../invocation/mentions.js";
import type { ParsedOptions, ProgramCall } from "../invocation/program.js";
import { literalWord, type ShellWord, textOfWords } from "../words/shell-word.js";
import type { Losses, ProgramRow } from "./program-row.js";
import { BUILDS, CALLS, each, VERSION } from "./reach.js";

/** What stands before the command of such clients, and takes the next word. */
const GLOBALS =
  "--profile --region --output --endpoint-url --query --project --account --format --configuration --subscription -t --token --context --org --app -a -e --environment --host --cwd --config -C -s --stack";

const CLOUD: Losses = [[/(?:^| )(?:delete|destroy|purge|remove)(?= |$)/, "deletes cloud resources"]];
const CONTAINER_LOSSES: Losses = [
  [
    /^(?:(?:system|volume|image|container|network|builder|buildx) prune|volume (?:rm|remove)|(?:container |image |network )?(?:rm|remove|rmi)(?= |$)|compose .*?down .*?(?:-v|--volumes)|stack rm|swarm leave)/,
    "deletes containers, images or volumes",
  ],
];
const INFRASTRUCTURE: Losses = [
  [/^(?:destroy|apply .*-destroy|state rm|workspace delete|stack rm|remove)/, "destroys infrastructure"],
];

/** What a container may be given of this machine: everything, so options that are not here ask. */
const CONTAINERS: ProgramRow = {
  manual: "Docker 24 and Podman 4.3 documentations",
  kind: "acts",
  does: { writes: "anything", runs: "anything", connects: "anything" },
  informs: "--version version info -v",
  flags: `-a -q -d -i -t -s -D -P -l -n -it -ti --all --quiet --detach --interactive --tty --rm --no-cache --pull --push --load --force
    --no-trunc --size --latest --digests --follow --timestamps --details --build --remove-orphans --volumes --no-deps --no-start --init
    --wait --abort-on-container-exit --force-recreate --no-recreate --always-recreate-deps --no-build --no-color --no-log-prefix
    --quiet-pull --services --images --debug --publish-all --read-only --no-stream --human --client --short --compress --squash
    --disable-content-trust --no-healthcheck --tls --help --renew-anon-volumes --attach-dependencies --menu --watch --dry-run --orphans
    --resolve-image-digests --profiles --link --no-prune --all-tags -T --no-tty --timeout --progress --no-TTY --no-resolve`,
  values: `-e -u -w -p -h -m -c -n -o -t -l -v --volume --mount --env --user --workdir --name --network --net --publish --expose --hostname --platform --cpus --memory
    --memory-swap --label --restart --entrypoint --tag --target --build-arg --tail --since --until --format --filter --scale --profile
    --project-name --shm-size --ulimit --dns --dns-search --add-host --log-opt --log-driver --stop-signal --stop-timeout --health-cmd
    --health-interval --health-retries --health-timeout --ip --link --network-alias --index --exit-code-from --time --signal --type
    --builder --cache-from --message --author --change --driver --opt --subnet --gateway --scope --no-stdin --log-level --gpus --pids-limit
    --progress --namespace --container --cpu-shares --cpuset-cpus --annotation --metadata-file --context --sort --pull`,
  reads: "--env-file --label-file --cidfile --iidfile",
  loads: "-f --file --project-directory -C",
  writes: "--output",
  hazards: "--privileged",
  hazardValues: `-H --device --cap-add --security-opt --pid --ipc --uts --userns --cgroupns --volumes-from --tmpfs --host
    --config --secret --ssh --allow --runtime --sysctl --cgroup-parent --tlscacert --tlscert --tlskey --device-cgroup-rule --cache-to
    --volume-driver --group-add --storage-opt`,
  commands: {
    "logs|rm|rmi|kill|prune|container logs|container rm|image rm|volume rm|network rm|system prune|image prune|volume prune|container prune|builder prune|compose logs|compose rm":
      { flags: "-f" },
    "exec|run|container exec|container run|compose exec|compose run": { endsAfter: 1 },
    "save|export|image save|container export": { writes: "-o --output" },
    // A volume may be any directory of this machine.
    "volume create": { hazardValues: "-o --opt" },
    "ps|images|container ls|image ls|network ls|volume ls|context ls|compose ls": {
      kind: "reads",
      flags: "-a -q -n -s -l --all --quiet --no-trunc --size --latest --digests",
      values: "--format -f --filter",
    },
    "compose ps|compose version|stats|system df|port|top|info|version|buildx ls|context show": {
      kind: "reads",
      flags: "-a -q -v --all --quiet --services --no-trunc --orphans --no-stream --short --verbose",
      values: "-f --filter --format --status",
    },
  },
  losses: CONTAINER_LOSSES,
  // Compose builds in the directories that its file names.
  takesAll: /^compose (?:.* )?(?:build(?: |$)|up (?:.* )?--build(?: |$)|watch|publish)/,
  repeatable: ["ps", "logs", "images"],
  analyze(call, options) {
    reportMounts(call, options);
    if (PRINTS_VALUES.test(textOfWords(call.args))) call.mayRead(literalWord(".env"));
    if (options.operands.slice(0, 2).some(({ value }) => /^(?:build|bake)$/.test(value ?? ""))) mentionFiles(call);
    startsInContainer(call);
    const [, ...copied] = options.operands.slice(options.operands.findIndex(({ value }) => value === "cp"));
    if (options.operands.slice(0, 2).some(({ value }) => value === "cp")) copies(call, copied);
  },
};

/** The project with the values of its variables, not only the names of its parts. */
const PRINTS_VALUES =
  /(?:^| )(?:config|convert)(?= |$)(?!.* (?:-q|--(?:quiet|services|images|volumes|networks|profiles)))/;

/** Without the option `kubectl version` connects to the cluster, and runs what its settings name for that. */
const ASKS_NO_CLUSTER =
  /^version(?: --short| -o \w+| --output=\w+)* --client(?:=true)?(?: --short| -o \w+| --output=\w+)*$/;

/** They send the directory they stand in. */
const UPLOADS = /^(?:\S+ )*(?:deploy|up|submit|builds:create)(?: |$)/;

/** Programs that run, describe or delete what is on other machines. */
export const CLOUD_PROGRAMS: Readonly<Record<string, ProgramRow>> = {
  ...each("docker podman nerdctl", CONTAINERS),
  "docker-compose": {
    ...CONTAINERS,
    commands: { "exec|run": { endsAfter: 1 } },
    losses: [[/^down .*?(?:-v|--volumes)/, "deletes volumes"]],
    repeatable: [],
  },
  kubectl: {
    manual: "kubectl 1.28 documentation",
    kind: "acts",
    does: { writes: "named", runs: "named", connects: "anything" },
    flags: `-A -w -i -t -p -q -R -it -ti --all-namespaces --watch --watch-only --stdin --tty --follow --previous --all-containers
      --timestamps --no-headers --show-labels --show-kind --all --force --wait --recursive --rm --attach --quiet --overwrite --server-side
      --force-conflicts --dry-run --ignore-not-found --prefix --containers --client --short --minify --flatten --raw --record
      --ignore-daemonsets --delete-emptydir-data --help --include-uninitialized --export --sum --use-protocol-buffers --show-managed-fields
      --allow-missing-template-keys --output-watch-events --expose --save-config --prune --validate --namespaced --cached --show-events`,
    values: `-n -l -o -c -s --namespace --selector --output --container --context --cluster --user --field-selector --tail --since --since-time
      --sort-by --replicas --image --port --target-port --type --name --timeout --for --cascade --grace-period --limit-bytes --env --labels
      --address --subresource --chunk-size --label-columns -L --resource --verb --api-group --max-log-requests --restart --overrides
      --revision --to-revision --patch --patch-type --field-manager --as --request-timeout --from-literal --duration --min --max
      --cpu-percent --protocol --external-ip --requests --limits --schedule --subject --reason --api-version`,
    attached: "--dry-run --validate --cascade",
    reads: "-f --filename --from-file --from-env-file --patch-file --certificate-authority --client-certificate",
    loads: "-k --kustomize",
    writes: "--output-directory --cache-dir",
    hazardValues:
      "--kubeconfig --server --token --username --password --as-group --template --tls-server-name --client-key",
    hazards: "--insecure-skip-tls-verify --privileged",
    commands: {
      "config current-context|config get-contexts|config get-clusters": {
        kind: "reads",
        flags: "--no-headers",
        values: "-o --output",
      },
      logs: { flags: "-f" },
    },
    losses: [[/^(?:delete|drain|replace .*--force)/, "deletes what runs in the cluster"]],
    repeatable: ["get", "describe", "logs"],
    analyze(call) {
      if (ASKS_NO_CLUSTER.test(textOfWords(call.args))) call.onlyReads();
      else startsInContainer(call);
    },
  },
  oc: { ...service("OpenShift CLI 4 documentation"), losses: [[/^delete/, "deletes what runs in the cluster"]] },
  helm: {
    manual: "Helm 3.13 documentation",
    globals: "-n --namespace --kube-context --kubeconfig",
    kind: "acts",
    does: { writes: "named", runs: "project", connects: "anything" },
    informs: "version --help -h",
    flags: `-i -a -A -q -h --install --all --all-namespaces --wait --atomic --dry-run --debug --force --create-namespace --reuse-values
      --reset-values --skip-crds --no-hooks --short --deployed --failed --pending --uninstalled --cleanup-on-fail --dependency-update
      --include-crds --disable-openapi-validation --keep-history --devel --strict --with-subcharts --history --no-headers --wait-for-jobs
      --force-update --untar --verify --client`,
    values: `-n -o -f --namespace --kube-context --set --set-string --set-json --version --timeout --output --filter --max --revision --description
      --history-max --repo --username --api-versions --show-only -s --name-template --generate-name`,
    reads: "--set-file --ca-file --cert-file --key-file --keyring",
    loads: "--values",
    writes: "-d --destination --output-dir --untardir",
    runs: "--post-renderer",
    hazardValues:
      "--kubeconfig --post-renderer-args --kube-apiserver --kube-token --registry-config --repository-config --repository-cache --password",
    commands: { version: { kind: "reads", flags: "--short --client" } },
    losses: [[/^(?:uninstall|delete|del|un)(?= |$)/, "removes a release"]],
    operands: "mention",
  },
  ...each("terraform tofu", {
    manual: "Terraform 1.6 documentation",
    globals: "",
    kind: "acts",
    does: BUILDS,
    informs: "version --version -v",
    singleDash: true,
    flags: `-input -no-color -json -upgrade -reconfigure -migrate-state -check -diff -recursive -destroy -refresh-only -detailed-exitcode
      -compact-warnings -auto-approve -raw -list -write -force -help -force-copy -get -backend -lock -refresh -update`,
    values:
      "-target -replace -parallelism -lock-timeout -backend-config -var -id -provider -test-directory -platform -type",
    attached: "-input -lock -refresh -backend -check -write -upgrade -get -lockfile",
    loads: "-chdir -var-file -config -plugin-dir -from-module -filter",
    writes: "-out -state -state-out -backup -generate-config-out",
    losses: INFRASTRUCTURE,
    operands: "mention",
  }),
  pulumi: { ...service("Pulumi 3 documentation"), losses: INFRASTRUCTURE },
  serverless: {
    ...service("Serverless Framework 3 documentation"),
    losses: [[/^remove/, "removes what was deployed"]],
  },
  vagrant: { ...service("Vagrant 2.3 documentation"), losses: [[/^destroy/, "destroys a machine"]] },
  aws: {
    ...service("AWS CLI 2 documentation"),
    losses: [
      [
        /^s3 (?:rb|rm .*--recursive|sync .*--delete)|^s3api delete-|^\S+ (?:delete|terminate|purge|remove)-/,
        "deletes cloud resources",
      ],
    ],
  },
  gcloud: { ...service("Google Cloud CLI documentation, 2024"), losses: CLOUD, takesAll: UPLOADS },
  gsutil: {
    ...service("gsutil 5 documentation"),
    losses: [[/^(?:-\w+ )*(?:rm|rb)(?= |$)/, "deletes cloud resources"]],
  },
  az: { ...service("Azure CLI 2 documentation"), losses: CLOUD },
  ...each("flyctl fly vercel netlify wrangler railway supabase firebase doctl linode-cli", {
    ...service("their documentations, 2024"),
    losses: CLOUD,
    takesAll: UPLOADS,
  }),
  heroku: {
    ...service("Heroku CLI 8 documentation"),
    losses: [[/destroy|pg:reset/, "deletes cloud resources"]],
    takesAll: UPLOADS,
  },
  ...each(
    "minikube kind k3d kustomize eksctl ansible ansible-playbook packer skaffold tilt nomad consul vault argocd flux istioctl",
    {
      ...service("their documentations, 2024"),
    },
  ),
  gh: {
    manual: "gh 2.23 manual",
    globals: "-R --repo",
    kind: "acts",
    does: { writes: "named", runs: "named", connects: "named" },
    informs: "--version --help version",
    flags: `-w -d -c -a -y -s -m -r -i -p --web --draft --fill --fill-first --squash --merge --rebase --delete-branch --auto --admin --approve
      --request-changes --comment --comments --watch --log --log-failed --failed --exit-status --public --private --internal --confirm --yes
      --paginate --include --silent --slurp --json --dry-run --prerelease --latest --generate-notes --archived --fork --source --no-archived
      --remote --push --clone --closed --all --show-token --debug --force --no-maintainer-edit --name-only --patch --required --compact
      --verbose --locked --disable-auto --match-head-commit --stdin --edit-last --verify-tag --skip-existing --clobber --fail-fast -g -u`,
    values: `-R -L -B -H -t -b -l -A -S -q -f -F -X -T -e -n -o -a -r -p -s --repo --limit --base --head --title --body --label --author --assignee
      --state --search --json --jq --template --method --raw-field --field --header --reviewer --milestone --project --user --created --branch
      --event --workflow --job --attempt --ref --tag --target --notes --description --visibility --language --topic --sort --order --env
      --app --org --interval --hostname --key --subject --reason --body-text --add-label --remove-label --add-assignee --add-reviewer
      --remove-assignee --notes-start-tag --discussion-category --commit --color --cache --preview --team --homepage --owner --name --status`,
    reads: "--body-file --notes-file --input --env-file",
    writes: "-D --dir --output --archive -O",
    escapes: { line: /^(?:alias (?:set|import)|extension|ext|config set|codespace|cs)\b/, code: /^!(.*)/s },
    losses: [
      [
        /^(?:repo|release|secret|variable|gist|issue|run|cache|label) delete|^api .*-X ?DELETE/,
        "deletes on the server",
      ],
    ],
    analyze(call) {
      call.network("github.com");
      mentionFiles(call);
    },
  },
  ...each("glab hub", { ...service("their manuals, 2024") }),
};

/** A client whose service can be asked to do anything: its own manual is too long for a row. */
function service(manual: string): ProgramRow {
  return {
    manual,
    kind: "acts",
    does: CALLS,
    informs: `${VERSION} version`,
    anyOptions: true,
    globals: GLOBALS,
    operands: "mention",
  };
}

/** `docker cp container:/a b`: to this machine, or from it. */
function copies(call: ProgramCall, [source, target]: readonly ShellWord[]): void {
  const isHere = (word: ShellWord | undefined): word is ShellWord =>
    word !== undefined && !/^[\w.-]+:/.test(word.prefix);
  if (isHere(source)) call.read(source, { recursive: true });
  if (isHere(target)) call.write(target, "create");
}

/** What a container is given of this machine: `-v "$PWD:/app"`, `--mount type=bind,source=/x,target=/y`. */
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

const CONTAINER_RUNS = /^(exec|run)$/;
const CONTAINER_VALUES =
  /^(-[euvwpl]|--(env|user|volume|workdir|name|network|publish|entrypoint|mount|platform|cpus|memory|env-file|label|hostname)|-n|--namespace|-c|--container)$/;

/** What runs in a container is on another machine, as far as paths go; allowing the outer program allows it. */
function startsInContainer(call: ProgramCall): void {
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
  // What stands before a `--` is for the program that starts the container's.
  const end = args.findIndex(({ value }, index) => index > at && value === "--");
  const words = args.slice(end === -1 ? next + 1 : end + 1);
  call.start(words, { remote: true, impliedByParent: true });
}
