// The problems of the files that an agent was opened on, and the parts of them that wait for trust.
import type { SettingsProblem } from "../../hooks/settings/settings-file.js";
import { isInside } from "../../paths/inside.js";
import type { AgentProblem, UntrustedPart } from "../agent-problems.js";
import type { Parts, ProjectOptions } from "./project-parts.js";
import { addressIn, startIn } from "./server-address.js";

export function problemsOf(parts: Parts, { plugins }: ProjectOptions): AgentProblem[] {
  const { places, settings, skills, agents, agentServers, servers, connections } = parts;
  const inFile = (part: AgentProblem["part"], problems: readonly SettingsProblem[] = []) =>
    problems.map(({ file, line, key, message }) => ({
      part,
      source: file,
      line,
      message: key ? `${key}: ${message}` : message,
    }));
  const inServers = servers.flatMap(({ problems }) => problems);
  const named = [skills?.problems, agents?.problems, inServers].flatMap((list = []) => list.map(({ file }) => file));
  const leftOut = (places.leftOut?.() ?? []).filter(({ path }) => !named.includes(path));
  return [
    ...leftOut.map(({ path, why }) => ({
      part: "instructions" as const,
      source: path,
      message: `${why}; it is left out`,
    })),
    ...inFile("settings", settings?.problems),
    ...inFile(
      "settings",
      settings?.unsupported.map((setting) => ({ ...setting, message: setting.why })),
    ),
    ...inFile("skills", skills?.problems),
    ...inFile("subagents", agents?.problems),
    ...inFile(
      "mcp",
      inServers.map((each) => ({ ...each, key: [each.server, each.field].filter(Boolean).join(".") })),
    ),
    ...connections
      .filter(({ status }) => status !== "connecting")
      .flatMap(({ name, problems }) => problems.map((message) => ({ part: "mcp" as const, source: name, message }))),
    ...agentServers.problems().map((problem) => ({ part: "mcp" as const, ...problem })),
    ...(plugins ? [...plugins.problems, ...plugins.plugins.flatMap(({ problems }) => problems)] : []),
  ];
}

/** `isAsked`: a person is asked about it, who sees the values of variables. They may be secrets, and no log's business. */
export function untrustedOf(parts: Parts, { plugins }: ProjectOptions, isAsked = false): UntrustedPart[] {
  const { places, settings, skills, agents, agentServers, servers } = parts;
  const show = isAsked ? startIn : addressIn;
  const isElsewhere = (file: string) => !places.files.onDisk && isInside(file, places.dir);
  return [
    ...(settings?.untrusted ?? []).map(({ file, key, value }) => {
      const shown = key === "env" && !isAsked ? Object.keys(Object(value)) : value;
      return { part: "settings" as const, source: file, what: `${key}: ${JSON.stringify(shown)}` };
    }),
    ...(skills?.untrusted ?? []).map(({ name, file }) => ({ part: "skills" as const, source: file ?? "", what: name })),
    ...(skills?.skills ?? []).flatMap(({ name, file, isTrusted, allowedTools }) => {
      const what = `${name}: allowed-tools: ${allowedTools.join(", ")}`;
      return isTrusted || allowedTools.length === 0 ? [] : [{ part: "skills" as const, source: file ?? "", what }];
    }),
    ...[...(agents?.untrusted ?? []), ...(agents?.subagents ?? [])].flatMap((agent) => {
      const { name, file, servers = [] } = agent;
      const isStarted =
        agentServers.startThere !== undefined && isElsewhere(file) && !agents?.untrusted.includes(agent);
      const asking = servers.filter(({ entry }) => entry && !(isStarted && "command" in entry));
      const own = asking.map(({ name, entry = {} }) => `${name}: ${show(entry)}`);
      // The servers of another machine's agents are not used, even where the agents are.
      const isListed = agents?.untrusted.includes(agent) || (own.length > 0 && isElsewhere(file));
      return isListed ? [{ part: "subagents" as const, source: file, what: [name, ...own].join(" · ") }] : [];
    }),
    ...servers.flatMap(({ file, untrusted }) =>
      untrusted.map((server) => ({
        part: "mcp" as const,
        source: file,
        what: `${server.name}: ${show({ ...server })}`,
      })),
    ),
    ...(plugins?.plugins ?? []).flatMap(({ isTrusted, directory, name, brings }) =>
      isTrusted
        ? []
        : brings.map(({ what }) => ({ part: "plugins" as const, source: directory, what: `${name}: ${what}` })),
    ),
  ];
}
