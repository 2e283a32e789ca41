// The editor as a session sees it: what it can do, and calls that end with the session.
import type { ClientCapabilities, SessionUpdate } from "@agentclientprotocol/sdk";

/** The capabilities that the editor has named. */
export interface AcpEditor {
  /** As it introduced itself; `undefined` when it has not. */
  readonly name: string | undefined;
  readonly version: string | undefined;
  /** Reads files, with what is not saved yet. */
  readonly readsFiles: boolean;
  readonly writesFiles: boolean;
  /** Runs commands in terminals of its own. */
  readonly runsCommands: boolean;
  /** Shows forms, so that questions need not be answered with a message. */
  readonly showsForms: boolean;
}

/** Requests and updates of one session. */
export interface ClientSide {
  readonly editor: AcpEditor;
  readonly capabilities: ClientCapabilities;
  /** Sends one update. Resolves when it is written; never rejects, since what an editor does not see changes no run. */
  update(update: SessionUpdate): Promise<void>;
  /** Asks the editor; `sessionId` is added. An aborted signal stops the wait. */
  request<Response>(method: string, params: object, signal?: AbortSignal): Promise<Response>;
}

export function editorOf(
  capabilities: ClientCapabilities,
  info: { readonly name: string; readonly version: string } | null | undefined,
): AcpEditor {
  const { fs, terminal, elicitation } = capabilities;
  return Object.freeze({
    name: info?.name,
    version: info?.version,
    readsFiles: fs?.readTextFile === true,
    writesFiles: fs?.writeTextFile === true,
    runsCommands: terminal === true,
    showsForms: elicitation?.form != null,
  });
}
