/** A section of the changelog that belongs to a version. */
const SECTION = /^## \[([^\]]+)\](?: - (\S+))?$/m;
const DATE = /^\d{4}-\d{2}-\d{2}$/;

/**
 * The changelog with the section of a version, dated. The newest section becomes it: the one headed "Unreleased", or the version's own,
 * as long as it stands first. `null` when there is none, nothing in it, or an older section of that version.
 */
export function datedChangelog(text: string, version: string, date: string): string | null {
  const newest = newestSection(text);
  if (newest === null || newest.body === "") return null;
  if (newest.name !== "Unreleased" && newest.name !== version) return null;
  if (newest.name === "Unreleased" && text.includes(`\n## [${version}]`)) return null;
  const dated = text.replace(SECTION, `## [${version}] - ${date}`);
  const link = `[${version}]: https://github.com/loopwright/loopwright/releases/tag/v${version}`;
  return dated.includes(`\n${link}\n`) ? dated : `${withLinks(dated)}${link}\n`;
}

/** What is wrong with releasing this changelog as `version`, from `tag` if there is one; `null` when nothing is. */
export function releaseProblem(text: string, version: string, tag?: string): string | null {
  if (tag !== undefined && tag !== `v${version}`) {
    return `The tag is "${tag}", and package.json has version ${version}. Make the tag with "npm version".`;
  }
  const newest = newestSection(text);
  if (newest?.name !== version || !DATE.test(newest.date ?? "")) {
    return `The newest section of CHANGELOG.md has to be "## [${version}] - <date>". Run "npm version".`;
  }
  return null;
}

function newestSection(text: string): { name: string; date: string | undefined; body: string } | null {
  const heading = SECTION.exec(text);
  if (heading === null) return null;
  const rest = text.slice(heading.index + heading[0].length);
  const body = rest.split(/^(?:## |\[[^\]]+\]: )/m)[0]!;
  return { name: heading[1]!, date: heading[2], body: body.trim() };
}

/** Ends with the links of versions, or with the blank line before them. */
function withLinks(text: string): string {
  return /\n\[[^\]]+\]: \S+\n$/.test(text) ? text : `${text.trimEnd()}\n\n`;
}
