import { longPattern, patternWith } from "../../../long-pattern.js";
import { SERVICE_DESTROYS } from "../destructive-words.js";
import type { DestroyingWords, ProgramRow } from "../program-row.js";
import { BUILDS, CALLS, does } from "../reach.js";
import { CONTAINER_PROGRAMS, startsInContainer } from "./containers.js";

/** Options that stand before the command of such clients, and take the next word. */
const GLOBALS = `--profile --region --output --endpoint-url --query --project --account --format --configuration
  --subscription -t --token --context --org --app -a -e --environment --host --cwd --config -C -s --stack`;

const INFRASTRUCTURE: DestroyingWords = [
  [
    longPattern`^(?:destroy|(?:run-all )?apply .*-(?:destroy|auto-approve)|state (?:rm|push|delete)|workspace delete|
      force-unlock|taint|init .*-force-copy|(?:up|refresh) .*(?:-y|--yes)|cancel|stack rm|remove)`,
    "changes or destroys infrastructure",
  ],
];

/** Without the option `kubectl version` connects to the cluster, and runs what its settings name for that. */
const ASKS_NO_CLUSTER =
  /^version(?: --short| -o \w+| --output=\w+)* --client(?:=true)?(?: --short| -o \w+| --output=\w+)*$/;

/** They may send the directory they stand in, unless a word says that they do something else. */
const UPLOADS = longPattern`^(?!(?:\S+ ){0,4}(?:list|ls|describe|get\S*|show|inspect|info|status|logs?|tail|login|
  logout|whoami|auth\S*|config\S*|env\S*|secrets?\S*|open|ps\S*|ssh|scale|restart|stop|start|rollback|delete|destroy|
  remove|rm|help|version|--version|--help|-v|-h|add-iam-policy-binding|set|unset|use|link|unlink|switch|teams?|domains?|
  dns|certs?|regions|apps\S*|machines?|volumes?|ips|releases\S*|addons\S*|pg\S*|emulators\S*|dev|serve|types|kv\S*|d1|
  r2)(?: |$))`;

/** Programs that run, describe or delete what is on other machines. */
export const CLOUD_PROGRAMS: Readonly<Record<string, ProgramRow>> = {
  ...CONTAINER_PROGRAMS,
  kubectl: does({ writes: "named", runs: "named", connects: "anything" }, "kubectl 1.28 documentation", {
    helps: longPattern`^(?:annotate|api-resources|apply|attach|autoscale|config|cp|create|delete|describe|diff|drain|
      edit|exec|explain|expose|get|label|logs|patch|port-forward|rollout|run|scale|set|top|wait)$`,
    flags: `-A -w -i -t -p -q -R -it -ti --all-namespaces --watch --watch-only --stdin --tty --follow --previous
      --all-containers --timestamps --no-headers --show-labels --show-kind --all --force --wait --recursive --rm
      --attach --quiet --overwrite --server-side --force-conflicts --dry-run --ignore-not-found --prefix --containers
      --client --short --minify --flatten --raw --record --ignore-daemonsets --delete-emptydir-data --help
      --include-uninitialized --export --sum --use-protocol-buffers --show-managed-fields --allow-missing-template-keys
      --output-watch-events --expose --save-config --prune --validate --namespaced --cached --show-events`,
    values: `-n -l -o -c -s --namespace --selector --output --container --context --cluster --user --field-selector
      --tail --since --since-time --sort-by --replicas --image --port --target-port --type --name --timeout --for
      --cascade --grace-period --limit-bytes --env --labels --address --subresource --chunk-size --label-columns -L
      --resource --verb --api-group --max-log-requests --restart --overrides --revision --to-revision --patch
      --patch-type --field-manager --as --request-timeout --from-literal --duration --min --max --cpu-percent --protocol
      --external-ip --requests --limits --schedule --subject --reason --api-version`,
    attached: "--dry-run --validate --cascade",
    reads: "-f --filename --from-file --from-env-file --patch-file --certificate-authority --client-certificate",
    loads: "-k --kustomize",
    writes: "--output-directory --cache-dir",
    hazardValues:
      "--kubeconfig --server --token --username --password --as-group --template --tls-server-name --client-key",
    hazards: "--insecure-skip-tls-verify --privileged",
    commands: {
      "config current-context|config get-clusters": { kind: "reads" },
      "config get-contexts": { kind: "reads", flags: "--no-headers", values: "-o --output" },
      logs: { flags: "-f" },
    },
    destroys: [
      [
        longPattern`^(?:delete|drain|cordon|taint|replace .*--force|apply .*--prune|scale .*--replicas[= ]0(?= |$)|
          patch .*(?:"replicas":0|"finalizers":null)|rollout undo|config (?:delete-|unset))`,
        "deletes or stops what runs in the cluster",
      ],
    ],
    repeatable: ["get", "describe", "logs"],
    readsWords: ASKS_NO_CLUSTER,
    analyze: startsInContainer,
  }),
  // Its `version` asks the cluster, as kubectl's does.
  oc: service("OpenShift CLI 4 documentation"),
  helm: does({ writes: "named", runs: "project", connects: "anything" }, "Helm 3.13 documentation", {
    helps: longPattern`^(?:create|dependency|get|history|install|lint|list|package|pull|repo|rollback|search|show|
      status|template|test|uninstall|upgrade)$`,
    globals: "-n --namespace --kube-context --kubeconfig",
    informs: "--help -h",
    flags: `-i -a -A -q -h --install --all --all-namespaces --wait --atomic --dry-run --debug --force --create-namespace
      --reuse-values --reset-values --skip-crds --no-hooks --short --deployed --failed --pending --uninstalled
      --cleanup-on-fail --dependency-update --include-crds --disable-openapi-validation --keep-history --devel --strict
      --with-subcharts --history --no-headers --wait-for-jobs --force-update --untar --verify --client`,
    values: `-n -o -f --namespace --kube-context --set --set-string --set-json --version --timeout --output --filter
      --max --revision --description --history-max --repo --username --api-versions --show-only -s --name-template
      --generate-name`,
    reads: "--set-file --ca-file --cert-file --key-file --keyring",
    loads: "--values",
    writes: "-d --destination --output-dir --untardir",
    runs: "--post-renderer",
    hazardValues: `--kubeconfig --post-renderer-args --kube-apiserver --kube-token --registry-config --repository-config
      --repository-cache --password`,
    commands: { version: { kind: "reads", flags: "--short --client" } },
    destroys: [[/^(?:uninstall|delete|del|un|rollback)(?= |$)/, "removes or replaces a release"]],
    operands: "mention",
  }),
  "terraform tofu": does(BUILDS, "Terraform 1.6 documentation", {
    globals: "",
    // The option that prints its version also asks its maker for a newer one.
    informs: "-help --help",
    helps: /^(?:init|plan|apply|destroy|fmt|validate|output|show|state|import|workspace|providers|graph)$/,
    singleDash: true,
    flags: `-input -no-color -json -upgrade -reconfigure -migrate-state -check -diff -recursive -destroy -refresh-only
      -detailed-exitcode -compact-warnings -auto-approve -raw -list -write -force -help -version -force-copy -get
      -backend -lock -refresh -update`,
    values:
      "-target -replace -parallelism -lock-timeout -backend-config -var -id -provider -test-directory -platform -type",
    attached: "-input -lock -refresh -backend -check -write -upgrade -get -lockfile",
    loads: "-chdir -var-file -config -plugin-dir -from-module -filter",
    writes: "-out -state -state-out -backup -generate-config-out",
    destroys: INFRASTRUCTURE,
    operands: "mention",
  }),
  pulumi: { ...service("Pulumi 3 documentation"), destroys: [...INFRASTRUCTURE, ...SERVICE_DESTROYS] },
  "serverless sls cdk sst sam amplify": { ...service("their documentations, 2024"), does: BUILDS },
  vagrant: service("Vagrant 2.3 documentation", "--version -v"),
  aws: {
    ...service("AWS CLI 2 documentation", "--version"),
    destroys: [
      [
        longPattern`^s3 (?:rb|rm|mv|sync .*--delete)|^\S+ (?:(?:batch-|admin-)?(?:delete|terminate|purge|remove|stop|
          disable|deregister|release|revoke|detach|deactivate|close|leave|reboot|unsubscribe|cancel)(?:-|$)|
          \S+-deletion(?= |$))|--desired-c\w+ 0(?= |$)|--status Inactive`,
        "deletes or stops cloud resources",
      ],
    ],
  },
  gcloud: { ...service("Google Cloud CLI documentation, 2024"), takesAll: UPLOADS },
  gsutil: {
    ...service("gsutil 5 documentation"),
    destroys: [[/^(?:-\w+ )*(?:rm|rb|mv|rsync .*-\w*d)(?= |$)/, "deletes cloud resources"]],
  },
  az: service("Azure CLI 2 documentation"),
  "flyctl fly vercel netlify wrangler railway supabase firebase doctl linode-cli turso convex eas": {
    ...service("their documentations, 2024"),
    takesAll: UPLOADS,
  },
  heroku: {
    ...service("Heroku CLI 8 documentation"),
    destroys: [
      [/destroy|pg:(?:reset|copy|restore)|maintenance:on/, "deletes or stops cloud resources"],
      ...SERVICE_DESTROYS,
    ],
    takesAll: UPLOADS,
  },
  "minikube kind k3d kustomize eksctl nomad vault": service("their documentations, 2024", "version"),
  [`ansible ansible-playbook packer lxc lxd incus virsh vboxmanage VBoxManage prlctl vmrun qm pct govc xe xl limactl
    colima multipass crictl ctr buildah azcopy azd hcloud scw oci ibmcloud aliyun openstack cf databricks mc s3cmd s5cmd
    etcdctl skaffold tilt consul argocd flux istioctl`]: service("their documentations, 2024"),
  rclone: {
    ...service("rclone 1.68 documentation"),
    destroys: [[/(?:^| )sync(?= |$)/, "deletes at the target what the source does not have"], ...SERVICE_DESTROYS],
  },
  gh: does({ writes: "named", runs: "named", connects: "named" }, "gh 2.23 manual", {
    helps: longPattern`^(?:(?:pr|issue|repo|run|release|workflow|gist|label|secret|variable|cache|search|
      auth)(?: (?:view|list|create|edit|diff|checks|checkout|close|merge|status|clone|download|watch|rerun|comment|
      review|ready|code|issues|prs|login))?|api|browse)$`,
    globals: "-R --repo",
    informs: "--version --help version",
    flags: `-w -d -c -a -y -s -m -r -i -p --web --draft --fill --fill-first --squash --merge --rebase --delete-branch
      --auto --admin --approve --request-changes --comment --comments --watch --log --log-failed --failed --exit-status
      --public --private --internal --confirm --yes --paginate --include --silent --slurp --json --dry-run --prerelease
      --latest --generate-notes --archived --fork --source --no-archived --remote --push --clone --closed --all
      --show-token --debug --force --no-maintainer-edit --name-only --patch --required --compact --verbose --locked
      --disable-auto --match-head-commit --stdin --edit-last --verify-tag --skip-existing --clobber --detach
      --fill-verbose --notes-from-tag --default-branch-only --fail-fast -g -u`,
    values: `-R -L -B -H -t -b -l -A -S -q -f -F -X -T -e -n -o -a -r -p -s --repo --limit --base --head --title --body
      --label --author --assignee --state --search --json --jq --template --method --raw-field --field --header
      --reviewer --milestone --project --user --created --branch --event --workflow --job --attempt --ref --tag --target
      --notes --description --visibility --language --topic --sort --order --env --app --org --interval --hostname --key
      --subject --reason --body-text --add-label --remove-label --add-assignee --add-reviewer --remove-assignee
      --notes-start-tag --pattern --remote-name --fork-name --discussion-category --commit --color --cache --preview
      --team --homepage --owner --name --status`,
    reads: "--body-file --notes-file --input --env-file",
    writes: "-D --dir --output --archive -O",
    repeatable: [
      ...["pr view", "pr list", "pr diff", "pr checks", "pr status", "issue view", "issue list", "issue status"],
      ...["run view", "run list", "run watch", "release view", "release list", "repo view", "workflow list"],
    ],
    escapes: { line: /^(?:alias (?:set|import)|extension|ext|config set|codespace|cs)\b/, code: /^!(.*)/s },
    destroys: [
      [
        patternWith("s")`^[a-z-]+ (?:delete|remove|transfer)(?:-asset)?(?= |$)|^repo (?:archive|rename|
          edit .*--visibility)|^(?:workflow|ruleset) disable|^pr (?:merge|close) .*(?:-d|--delete-branch|--admin)(?= |
          $)|^api .*(?:(?:-X|--method)[ =]?DELETE|archived=true|mutation\b.*\bdelete)`,
        "deletes or hides something on the server",
      ],
    ],
    host: { is: "github.com" },
    operands: "mention",
  }),
  "glab hub": service("their manuals, 2024", "--version"),
};

/**
 * A client whose service can be asked to do anything: its own manual is too long for a row. Many ask their service, or
 * read what the project says, even to print their version: `informs` is for those known to do neither.
 */
function service(manual: string, informs?: string): ProgramRow {
  return {
    manual,
    does: CALLS,
    informs,
    anyOptions: true,
    globals: GLOBALS,
    destroys: SERVICE_DESTROYS,
    operands: "mention",
  };
}
