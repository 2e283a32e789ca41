import type { DestroyingWords } from "../program-row.js";

// A long option may be cut short.
const FORCE = "(?:-[a-zA-Z]*f[a-zA-Z]*|--fo\\w*)(?= |$)";

/** The data that commands of git lose for good. */
export const GIT_DESTROYS: DestroyingWords = [
  [
    /^push(?: .*?)?(?: (?:-[a-zA-Z]*[fd][a-zA-Z]*|--fo(?!llow)\S*|--del\w*|--mir\w*|--prune)(?= |$)| [+:]\S)/,
    "rewrites or deletes what was pushed",
  ],
  [
    /^(?:reset .*?--(?:ha\w*|merge)|read-tree .*?--reset|checkout-index .*?-\w*f\w*)(?= |$)/,
    "discards changes that are not committed",
  ],
  [new RegExp(`^clean .*?${FORCE}`), "deletes files that git does not know"],
  [
    new RegExp(`^(?:checkout|switch) (?:.*? )?(?:${FORCE}|--discard-changes|-- |\\.(?: |$)|\\./?(?: |$))`),
    "discards changes that are not committed",
  ],
  [/^checkout (?:\S+ )?-- |^checkout [^\s-]\S* [^\s-]/, "discards changes that are not committed"],
  [/^restore (?!.*--staged(?!.*(?:--worktree|-W)))/, "discards changes that are not committed"],
  [/^branch .*?(?:-[a-zA-Z]*[DM][a-zA-Z]*(?= |$)|--delete --force|-d (?:-f|--force)|-f -d)/, "deletes a branch"],
  [
    /^(?:branch .*?(?:-f|--fo\w*|-C)|checkout .*?-B|switch .*?(?:-C|--force-create))(?= |$)/,
    "moves a branch away from its commits",
  ],
  [/^stash (?:drop|clear)/, "deletes stashed changes"],
  [/^tag (?:.*? )?(?:-d|--delete|-f|--force)(?= |$)/, "deletes or moves a tag"],
  [/^(?:reflog (?:expire|delete)|gc .*--prune=(?:now|all)|prune(?: |$))/, "deletes what git could bring back"],
  [/^(?:filter-branch|filter-repo)(?= |$)/, "rewrites the history"],
  [/^(?:update-ref|symbolic-ref (?:.*? )?-d)(?= |$)/, "deletes or moves a reference"],
  [/^(?:fetch|fast-import) .*?(?:--force|-f(?= |$))|^fetch .* \+?refs\/\*/, "moves branches away from their commits"],
  [/^annex (?:drop|dropunused) .*--force/, "deletes files"],
  [new RegExp(`^worktree remove .*?${FORCE}`), "deletes a working tree with changes"],
  [new RegExp(`^rm (?=.*--cached).*?(?:${FORCE}|-r)`), "takes files out of the index, and leaves them on the disk"],
  [new RegExp(`^rm .*?(?:${FORCE}|-r)`), "deletes files"],
  [new RegExp(`^submodule deinit .*?${FORCE}`), "deletes a submodule's files"],
];
