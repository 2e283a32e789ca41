// One line of the notes on a session, and where it belongs.

/** In the order they are shown, and what a note there is worth before anything is known about it. */
export const SECTIONS = {
  Goal: 100,
  "What the user said": 62,
  "Open todos": 80,
  "Decisions and findings": 38,
  "Files changed": 42,
  "Commands that failed": 40,
  "Facts from results": 35,
  "Commands run": 24,
  "Files read": 20,
} as const;

export type Section = keyof typeof SECTIONS;
export const SECTION_NAMES = Object.keys(SECTIONS) as readonly Section[];

export interface Note {
  readonly section: Section;
  readonly text: string;
}

/** A note with how much it says that cannot be guessed. */
export interface WeighedNote extends Note {
  readonly weight: number;
}

/** A line without the bullets and quote marks that other lists put before it. */
export function withoutBullets(line: string): string {
  return line.replace(/^(?:(?:[-*•>]|\[[ x]\])\s+)+/, "");
}
