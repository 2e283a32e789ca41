export type { Walk } from "../contracts/many-files.js";
export type {
  ArtifactRef,
  ArtifactStore,
  ChangeJournal,
  CommandOutcome,
  CommandRequest,
  CommandRunner,
  FileAccess,
  FileNote,
  FileStat,
  FileState,
  OpenFile,
  PathAccess,
  Workspace,
} from "../contracts/workspace.js";
export type { Containment } from "../contracts/workspace-machine.js";
export type { ProjectDirectory, ProjectEntry, ProjectFiles, ProjectFileTrouble } from "../files/project-files.js";
export { type ArtifactStoreOptions, createArtifactStore } from "./artifacts.js";
export { createWorkspace, type WorkspaceOptions } from "./create-workspace.js";
export { createFileState } from "./file-state.js";
export type { ContainmentClaim } from "./machines/containment.js";
export { createMachineWorkspace, type MachineWorkspaceOptions } from "./machines/create-machine-workspace.js";
export { type DockerMachineOptions, dockerMachine } from "./machines/docker/docker-machine.js";
export { localMachine } from "./machines/local-machine.js";
export type { Machine, MachineProcess, MachineWalls } from "./machines/machine.js";
export type { SandboxSessionLike } from "./machines/session/sandbox-session.js";
export { sessionFiles } from "./machines/session/session-files.js";
export { sessionMachine } from "./machines/session/session-machine.js";
export { sessionShell } from "./machines/session/session-shell.js";
export { type SshMachineOptions, sshMachine } from "./machines/ssh-machine.js";
export { createWorkspaceOver, type WorkspaceOverOptions } from "./over/create-workspace-over.js";
export type { DriverEntry, FileDriver } from "./over/file-driver.js";
export { followPath } from "./over/follow-path.js";
export {
  createJustBashWorkspace,
  type JustBash,
  type JustBashWorkspaceOptions,
} from "./over/just-bash-workspace.js";
export { PathLocks } from "./path-locks.js";
export type { SandboxPolicy } from "./shell/command-sandbox.js";
export { createLocalShell, type LocalShellOptions, type ShellAbout } from "./shell/local-shell.js";
export type { MaskedSecret } from "./shell/masked-secrets.js";
export { type ShellFactory, sandboxedShell } from "./shell/sandboxed-shell.js";
export { projectFiles } from "./workspace-project-files.js";
