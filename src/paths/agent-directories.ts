/** The directories where projects and people keep what their agents may use: settings, skills, other agents. */
export const AGENT_DIRECTORIES: readonly string[] = [".claude", ".agents", ".loopwright"];
