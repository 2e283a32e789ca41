// `loopwright/workspace` in a browser page, by the condition `browser` of package.json: workspaces that need no disk.
export { createFileState } from "../file-state.js";
export { createWorkspaceOver } from "../over/create-workspace-over.js";
export { followPath } from "../over/follow-path.js";
export { createJustBashWorkspace } from "../over/just-bash-workspace.js";
export { PathLocks } from "../path-locks.js";
