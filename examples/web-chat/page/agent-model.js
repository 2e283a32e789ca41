/**
 * One agent's blocks: `user`, `text`, `reasoning`, `media`, `tool`, `notice`, `end`. Each has a `version` that grows with every change.
 */
export class AgentModel {
  constructor(id, name) {
    this.id = id;
    this.name = name;
    this.blocks = [];
    /** "running" or how it ended. */
    this.status = "running";
    this.calls = new Map();
    /** Messages that came whole, by run and turn: their deltas are not news. */
    this.committed = new Set();
    /** The blocks of the model call under way. */
    this.fresh = [];
  }

  /** Behind all others; what the model has not read yet stays at the end. */
  add(block) {
    const added = { version: 1, ...block };
    const end = this.blocks.findIndex(({ isQueued }) => isQueued);
    if (end === -1 || block.isQueued) this.blocks.push(added);
    else this.blocks.splice(end, 0, added);
    return added;
  }

  /** The newest block, apart from what the model has not read yet. */
  get last() {
    return this.blocks.findLast(({ isQueued }) => !isQueued);
  }

  /** The call's block; made if it is new. */
  call(id, name, input) {
    const known = this.calls.get(id);
    if (known) return known;
    const block = this.add({ kind: "tool", id, name, input, inputText: "", state: "writing", agents: [] });
    this.calls.set(id, block);
    return block;
  }

  write(kind, text, key) {
    if (this.committed.has(key)) return;
    let block = this.last;
    if (block?.kind !== kind || block.key !== key) {
      block = this.add({ kind, text: "", key });
      this.fresh.push(block);
    }
    block.text += text;
    block.version++;
  }

  /** An image or a file that the model has made. */
  show(part, key) {
    if (!this.committed.has(key)) this.fresh.push(this.add({ kind: "media", part, key }));
  }

  /** The model call begins again: what it has said is void. */
  restart(key) {
    if (this.committed.has(key)) return;
    const isVoid = (block) => this.fresh.includes(block) && (block.kind !== "tool" || block.state === "writing");
    for (const block of this.blocks) if (isVoid(block) && block.kind === "tool") this.calls.delete(block.id);
    this.blocks = this.blocks.filter((block) => !isVoid(block));
    this.fresh = [];
  }
}
