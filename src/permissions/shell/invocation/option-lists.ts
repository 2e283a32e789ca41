/** Options by what they do, each list one string with spaces between them. */
export interface OptionLists {
  /** Options without a value that change nothing in the kind of the program. */
  readonly flags?: string | undefined;
  /** Such options with a value, glued to it, after `=`, or in the next word. */
  readonly values?: string | undefined;
  /** Such options whose value can only be glued or follow `=`. */
  readonly attached?: string | undefined;
  /** Options whose value is a file that is read. */
  readonly reads?: string | undefined;
  /** Options whose value is a file, or a directory, that settings or code are taken from. */
  readonly loads?: string | undefined;
  /**
   * Options whose value is a file with code, or settings that name programs: read like what stands in the line.
   */
  readonly codes?: string | undefined;
  /** Options whose value is a file that is written. */
  readonly writes?: string | undefined;
  /** Options whose value is a directory that is emptied. */
  readonly empties?: string | undefined;
  /** Options whose value is a command that is run. */
  readonly runs?: string | undefined;
  /** Options that make the program do more than its name says; with a value in `hazardValues`. */
  readonly hazards?: string | undefined;
  readonly hazardValues?: string | undefined;
  /** Harmless options that are known by their shape, as `-Wall` of compilers. */
  readonly harmless?: RegExp | undefined;
}

/** The shape of a program's command line, apart from its options. */
export interface LineShape {
  /** The words behind the value of these are for the program that is started: `python -m pytest -x`. */
  readonly lastOptions?: string | undefined;
  /** Options end at the first operand. */
  readonly posix?: boolean | undefined;
  /** Long options start with one dash, and short ones do not cluster. */
  readonly singleDash?: boolean | undefined;
  /** `-5` is a harmless option. */
  readonly digits?: boolean | undefined;
}
