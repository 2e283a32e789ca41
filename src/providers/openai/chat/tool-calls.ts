// Serves: Google (calls without an index), Ollama (one index for all), LiteLLM (an empty object in front, all again at the
// end), local servers of GLM (all again), Poolside (another id with each piece), MiniMax at NVIDIA (the name with each piece).
// Puts the tool calls of one message together. OpenAI numbers the pieces by index and names id and tool once; other
// servers leave out the index or the id, use one index for every call, repeat or change the id with every piece, or
// send the name in pieces. A call is announced with its first argument text, so that its name is whole by then, in the
// order in which calls began; it ends when the next one begins and its brackets are closed, else with the message.

import type { ProviderEvent } from "../../../contracts/provider.js";
import { type Fields, isObject, stringOf } from "../../../json/is-object.js";
import { takeCallId } from "../../shared/take-call-id.js";
import { type ReadInput, ToolInput, wholeArguments } from "../../shared/tool-input.js";
import type { RoundTripCollector } from "./round-trip-data.js";

/** A name that goes on after this many characters is not one: its rest is dropped. */
const MAX_NAME_CHARS = 1_000;

/** The placeholder of gateways to Anthropic for arguments that follow. */
const EMPTY_OBJECT = /^\s*\{\s*\}\s*$/;

/** Takes events in order. */
export type Emit = (event: ProviderEvent) => void;

interface Slot {
  /** The call's place in the message, and its `index` in our events. */
  readonly order: number;
  /** The id as the server gave it. */
  wireId: string;
  /** The id as announced. */
  id: string;
  name: string;
  readonly input: ToolInput;
  /** Whether it was named together with an empty object: its arguments, or what takes their place until they come. */
  isStub: boolean;
  /** Whether its tool takes any text, not JSON. */
  isText: boolean;
  /** Whether its arguments do not begin as an object: what they are shows at their end, and is passed on then. */
  isHeld: boolean;
  announced: boolean;
  ended: boolean;
}

/** The fields of one piece, with the absent ones empty. */
interface Piece {
  readonly index: number | string | undefined;
  readonly id: string;
  readonly name: string;
  readonly json: string;
  readonly isText: boolean;
  readonly extra: unknown;
}

/** The calls of one message while they arrive. Cost: linear in what arrives. */
export class ToolCallAssembly {
  readonly #slots: Slot[] = [];
  readonly #byIndex = new Map<number | string, Slot>();
  readonly #byId = new Map<string, Slot>();
  readonly #ids = new Set<string>();
  #names: ReadonlySet<string> | undefined;
  #announced = 0;
  #last: Slot | undefined;

  constructor(
    private readonly readNames: () => ReadonlySet<string>,
    private readonly roundTrip: RoundTripCollector,
    private readonly emit: Emit,
    /** Whether each piece may hold all of the arguments so far. */
    private readonly isCumulative: boolean,
  ) {}

  get #knownNames(): ReadonlySet<string> {
    this.#names ??= this.readNames();
    return this.#names;
  }

  /** The number of calls that have begun. */
  get count(): number {
    return this.#slots.length;
  }

  /** Takes the `tool_calls` of one delta. */
  read(deltas: unknown): void {
    for (const delta of [deltas].flat()) {
      if (!isObject(delta) || isServersOwn(delta)) continue;
      const piece = readPiece(delta);
      if (saysAnything(piece)) this.#take(piece);
    }
  }

  /** Ends what is open. After a message that was cut off, a last call without any arguments is not one without need of them. */
  finish(wasCut: boolean): void {
    this.#announceUpTo(this.#slots.length, true);
    for (const slot of this.#slots) if (!slot.ended) this.#end(slot, wasCut && slot === this.#last);
  }

  #take(piece: Piece): void {
    const before = this.#candidate(piece);
    const found = before && !this.#isAnother(before, piece) ? before : undefined;
    const slot = found ?? this.#begin();
    this.#last = slot;
    slot.isText ||= piece.isText;
    if (piece.extra) this.roundTrip.addExtra(slot.order, piece.extra);
    if (slot.ended || (found && isSaidAgain(slot, piece))) return;
    if (!found && piece.index !== undefined) this.#byIndex.set(piece.index, slot);
    slot.wireId ||= piece.id;
    if (piece.id !== "" && piece.id === slot.wireId) this.#byId.set(piece.id, slot);
    if (piece.name !== "") this.#addName(slot, piece.name);
    slot.isStub ||= !found && !slot.isText && EMPTY_OBJECT.test(piece.json);
    if (piece.json === "" || (!found && slot.isStub)) return;
    slot.isHeld ||= slot.isText || (slot.input.isEmpty && !/^\s*(?:\{|$)/.test(piece.json));
    const json = slot.isText || !this.isCumulative ? piece.json : slot.input.newIn(piece.json);
    slot.input.add(json);
    if (slot.announced) this.#emitInput(slot, json);
    else this.#announceUpTo(slot.order + 1, false);
  }

  /** The call that a piece seems to belong to. */
  #candidate({ index, id, name }: Piece): Slot | undefined {
    const byId = id === "" ? undefined : this.#byId.get(id);
    const known = index === undefined ? undefined : this.#byIndex.get(index);
    // One index for every call: the id distinguishes them.
    if (known && byId && known.wireId !== "" && known.wireId !== id) return byId;
    if (known || byId) return known ?? (name === "" || index === undefined ? byId : undefined);
    return index === undefined || (id === "" && name === "") ? this.#last : undefined;
  }

  /** Whether a piece that seems to go on with a call is the beginning of another. */
  #isAnother(slot: Slot, said: Piece): boolean {
    const { id, name, json } = said;
    if (id !== "" && id === slot.wireId) {
      // One id for every call: a name after whole arguments begins the next, unless all of it is said again.
      if (name === "" || slot.name === "" || !isWhole(slot)) return false;
      return json === "" ? name !== slot.name : /^\s*\{/.test(json) && !isSaidAgain(slot, said);
    }
    if (id !== "" && slot.wireId !== "") {
      // Some servers give each piece an id of its own, and the name again: what goes on with open arguments is not a beginning.
      const goesOn = name === slot.name && !slot.input.isEmpty && (slot.input.isInString || !/^\s*\{/.test(json));
      return goesOn || name === "" ? json.trim() !== "" && isWhole(slot) : true;
    }
    if (name === "" || slot.name === "") return false;
    if (!slot.input.isEmpty) return isWhole(slot);
    if (slot.isStub) return true;
    return false;
  }

  #begin(): Slot {
    const previous = this.#slots.at(-1);
    const isOver = previous?.announced && !previous.ended && !previous.isText;
    if (isOver && previous.input.isWhole) this.#end(previous, false);
    const order = this.#slots.length;
    const slot: Slot = {
      order,
      wireId: "",
      id: "",
      name: "",
      input: new ToolInput(),
      isStub: false,
      isText: false,
      isHeld: false,
      announced: false,
      ended: false,
    };
    this.#slots.push(slot);
    return slot;
  }

  #addName(slot: Slot, piece: string): void {
    if (slot.announced || slot.name.length > MAX_NAME_CHARS) return;
    const knownNames = this.#knownNames;
    if (slot.name === "" || (knownNames.has(piece) && !knownNames.has(slot.name + piece))) slot.name = piece;
    else if (piece !== slot.name || knownNames.has(slot.name + piece)) {
      if (slot.input.isEmpty) slot.name += piece;
    }
    if (!slot.input.isEmpty) this.#announceUpTo(slot.order + 1, false);
  }

  /** Announces calls in order, those with a name unless `forced`. */
  #announceUpTo(end: number, forced: boolean): void {
    while (this.#announced < end) {
      const slot = this.#slots[this.#announced]!;
      if (slot.name === "" && !forced) return;
      this.#announced++;
      slot.announced = true;
      slot.id = takeCallId(slot.wireId, slot.order, this.#ids);
      this.emit({ type: "tool-call-start", index: slot.order, id: slot.id, name: slot.name });
      if (!slot.input.isEmpty) this.#emitInput(slot, slot.input.text);
    }
  }

  #emitInput({ order: index, isHeld }: Slot, json: string): void {
    if (!isHeld) this.emit({ type: "tool-call-delta", index, json });
  }

  #end(slot: Slot, wasCut: boolean): void {
    slot.ended = true;
    const { order: index, id, name } = slot;
    const read = readInput(slot, wasCut);
    if (slot.isHeld) {
      this.emit({ type: "tool-call-delta", index, json: read.malformed ?? JSON.stringify(read.arguments) });
    }
    this.emit({ type: "tool-call-end", index, call: { id, name, ...read } });
  }
}

/** Free text becomes the `input` of an object, as with the responses API; an object may come as a string, none as `null`. */
function readInput({ input, isText, isHeld, isStub }: Slot, wasCut: boolean): ReadInput {
  if (isText) return wasCut ? { arguments: {}, malformed: input.text } : { arguments: { input: input.text } };
  const read = input.read(wasCut && !isStub);
  if (!isHeld || read.malformed !== undefined) return read;
  const whole = wholeArguments(read.arguments);
  return whole.malformed === undefined && isObject(whole.arguments) ? whole : read;
}

/** Whether a call has all of its arguments: what follows them cannot be JSON. Free text is never known to be over. */
function isWhole({ isText, input }: Slot): boolean {
  return !isText && input.isWhole;
}

/** Whether a piece holds no more than the whole call, which is there: it was sent twice, or named again. */
function isSaidAgain(slot: Slot, { id, name, json }: Piece): boolean {
  if ((id !== "" && id !== slot.wireId) || !isWhole(slot)) return false;
  return slot.input.holds(json) || (name === slot.name && EMPTY_OBJECT.test(json));
}

/** Whether a call is of a tool that the server has run itself, as Zhipu's search is: it names no function. */
function isServersOwn({ type, name, function: called, custom }: Fields): boolean {
  const isOther = typeof type === "string" && type !== "" && type !== "function";
  return isOther && typeof name !== "string" && !isObject(called) && !isObject(custom);
}

/** Whether a delta holds calls. Gateways that write every field of their types send empty ones beside text. */
export function hasCalls(deltas: unknown): boolean {
  return [deltas].flat().some((delta) => isObject(delta) && (isServersOwn(delta) || saysAnything(readPiece(delta))));
}

function saysAnything({ id, name, json, extra }: Piece): boolean {
  return id !== "" || name !== "" || json !== "" || Boolean(extra);
}

/** OpenAI calls a tool that takes any text `custom`; Cloudflare says name and arguments without a `function` around them. */
function readPiece(delta: Fields): Piece {
  const { index, id, custom: said } = delta;
  const custom = isObject(said) ? { name: said.name, arguments: said.input } : {};
  const isText = stringOf(custom.name) !== "" || jsonText(custom.arguments) !== "";
  const called = isText ? custom : isObject(delta.function) ? delta.function : delta;
  return {
    index: typeof index === "number" || typeof index === "string" ? index : undefined,
    id: stringOf(id),
    name: stringOf(called.name),
    json: jsonText(called.arguments),
    isText,
    extra: delta.extra_content,
  };
}

/** Ollama and others send the arguments as the object they are. */
function jsonText(said: unknown): string {
  if (typeof said === "string") return said;
  return said === undefined || said === null ? "" : JSON.stringify(said);
}
