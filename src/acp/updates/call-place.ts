/** The agent that makes a call, for editors that show sub-agents apart; and the call above it, for those that show it below. */
export interface CallPlace {
  readonly agentPath: readonly string[];
  readonly within?: string | undefined;
}

/** The title says it as well, for an editor that knows nothing of either. */
export function inPlace(
  title: string,
  { agentPath, within }: CallPlace,
): { readonly title: string; readonly _meta?: Record<string, unknown> } {
  const isOfAgent = agentPath.length > 0;
  if (!isOfAgent && within === undefined) return { title };
  const about = { ...(isOfAgent && { agentPath }), ...(within !== undefined && { within }) };
  const inside = within === undefined ? title : `↳ ${title}`;
  return { title: isOfAgent ? `${agentPath.join(" › ")}: ${inside}` : inside, _meta: { loopwright: about } };
}
