import { ToolError } from "../../../contracts/errors.js";

/** A place in a pattern that is being read. */
export class PatternCursor {
  at = 0;

  constructor(readonly pattern: string) {}

  get rest(): string {
    return this.pattern.slice(this.at);
  }

  /** The next character, by code points; empty at the end. */
  next(): string {
    const value = this.pattern.codePointAt(this.at);
    const character = value === undefined ? "" : String.fromCodePoint(value);
    this.at += character.length;
    return character;
  }

  skip(character: string): boolean {
    if (this.pattern[this.at] !== character) return false;
    this.at++;
    return true;
  }

  /** @throws ToolError `PATTERN_INVALID` */
  refuse(position: number, reason: string): never {
    throw new ToolError("PATTERN_INVALID", {
      message: `The pattern "${this.pattern.slice(0, 200)}" cannot be searched for: at character ${position + 1}, ${reason}.`,
    });
  }
}
