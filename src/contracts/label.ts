import type { ContentPart } from "./content.js";

/** Whether content may decide what happens. `untrusted`: others than the user and the host may have written it. */
export type Integrity = "trusted" | "untrusted";

/** The people who may see content: everybody, or those that are named. An empty list is nobody but the user. */
export type Audience = "anyone" | readonly string[];

/** The kinds of places that content comes from. `many`: more places than a label names. */
export type SourceKind =
  | "user"
  | "host"
  | "workspace"
  | "command"
  | "web"
  | "mcp"
  | "tool"
  | "subagent"
  | "fact"
  | "program"
  | "many";

/** A place that content comes from. */
export interface Source {
  readonly kind: SourceKind;
  /** The host of a web page, a tool's or a server's name, a file's path. */
  readonly name: string;
  /** Others than the user and the host may have written what came from it. */
  readonly untrusted?: true;
  /** The session entry that brought it in first. */
  readonly entryId?: string;
}

/** The source of content. The label of what was made from several pieces is their join: see `joinLabels()`. */
export interface Label {
  readonly integrity: Integrity;
  readonly audience: Audience;
  /** Each kind and name once, at most 32; when there are more, one of the kind `many`. */
  readonly sources: readonly Source[];
}

/** A part of a label, by somebody who does not know the rest; a field that is left out has the default of its place. */
export interface LabelHints {
  readonly integrity?: Integrity | undefined;
  readonly audience?: Audience | undefined;
  readonly sources?: readonly Source[] | undefined;
}

/** The effects of a call beside its answer. */
export interface Effects {
  /** Changes something that stays: a file, a record, a setting. */
  readonly writes?: boolean | undefined;
  /** Something leaves for a person or a place outside. Fetching an address is sending. */
  readonly sends?: boolean | undefined;
  /** Removes something, or makes it unreachable. */
  readonly deletes?: boolean | undefined;
  /** Runs a program, or code. */
  readonly runs?: boolean | undefined;
  /** Keeps something that later runs read, as a note or a fact. */
  readonly remembers?: boolean | undefined;
}

/** One kind of effect. */
export type EffectName = keyof Effects;

/** The kind of thing that a target names. */
export type TargetKind = "recipient" | "url" | "path" | "id" | "amount";

/** A person, place or thing that a call acts on: one value of its input. */
export interface Target {
  /** The field of the input that it is in. Of a list, the list's field. */
  readonly field: string;
  readonly kind: TargetKind;
  readonly value: string;
}

/** The way by which a target's value came to the model: `prompt`, the user wrote it; `own-store`, it is the id of a thing of the user's own. */
export type TargetOrigin = "prompt" | "trusted-result" | "own-store" | "untrusted-result" | "unknown";

/** A target, and where its value comes from. */
export interface TracedTarget extends Target {
  readonly known: TargetOrigin;
  /** The place that holds it, where one was found. */
  readonly from?: Source | undefined;
}

/** A tool's declaration for gates that use labels. Nobody else reads it. */
export interface DeclaredFlow<Input> {
  /**
   * The effects of its calls beside the answer: of all of them, or of one by its input. An effect that is left out is
   * none; a tool that says nothing has all, with permission `read_only` it sends, with `none` it has none. What throws has all.
   */
  readonly effects?: Effects | ((input: Input) => Effects) | undefined;
  /**
   * The people, places or things that a call acts on: each a value of one of the input's fields. After
   * untrusted content a call with effects that names no target asks, unless the host allows it; a function that throws names none.
   */
  targets?(input: Input): readonly Target[];
  /**
   * The source of its results: for all of them, or for one by its input and output, which is asked for once, when the call has ended.
   * A part that is left out, and each result of a tool that declares nothing, is untrusted, from the tool, for anyone. An error that
   * it throws declares nothing.
   */
  readonly returns?:
    | LabelHints
    | ((input: Input, output: string | readonly ContentPart[]) => LabelHints | undefined)
    | undefined;
}
