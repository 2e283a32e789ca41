/** The program's input and output: the process's own, or a test's. */
export interface ProgramIo {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly stdin: NodeJS.ReadStream & { readonly fd: number };
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
}

/** Whether a person is at a screen that a conversation can be drawn on. The cursor of a terminal that says it is dumb cannot be moved. */
export function hasScreen({ stdin, stdout, env }: ProgramIo): boolean {
  return stdin.isTTY === true && stdout.isTTY === true && env.TERM !== "dumb";
}
