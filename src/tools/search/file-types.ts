/** Names of file types as ripgrep knows them, and the endings of their files. */
const ENDINGS: Readonly<Record<string, readonly string[]>> = {
  c: ["c", "h"],
  cpp: ["cpp", "cc", "cxx", "hpp", "hh", "hxx", "h", "inl"],
  cs: ["cs"],
  css: ["css", "scss"],
  go: ["go"],
  html: ["html", "htm", "ejs"],
  java: ["java"],
  js: ["js", "jsx", "mjs", "cjs", "vue"],
  json: ["json"],
  kotlin: ["kt", "kts"],
  lua: ["lua"],
  md: ["md", "markdown", "mdx"],
  php: ["php"],
  py: ["py", "pyi"],
  ruby: ["rb", "gemspec"],
  rust: ["rs"],
  scala: ["scala"],
  sh: ["sh", "bash", "zsh"],
  sql: ["sql"],
  svelte: ["svelte"],
  swift: ["swift"],
  toml: ["toml"],
  ts: ["ts", "tsx", "mts", "cts"],
  txt: ["txt"],
  vue: ["vue"],
  xml: ["xml", "xsd", "xsl"],
  yaml: ["yaml", "yml"],
  zig: ["zig"],
};

export const FILE_TYPES = Object.keys(ENDINGS) as [string, ...string[]];

/** A glob for the names of files of a type. */
export function globOfType(type: string): string {
  const endings = ENDINGS[type] ?? [];
  return endings.length === 1 ? `*.${endings[0]}` : `*.{${endings.join(",")}}`;
}
