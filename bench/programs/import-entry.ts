// What importing a module costs in a fresh process: `node import-entry.js <specifier> …`.
const specifiers = process.argv.slice(2);
// The first dynamic import loads the loader itself.
const nothing = "data:text/javascript,";
await import(nothing);
const rssBefore = process.memoryUsage.rss();
const startedAt = performance.now();
for (const specifier of specifiers) await import(specifier);
const ms = performance.now() - startedAt;
process.stdout.write(JSON.stringify({ ms, mb: (process.memoryUsage.rss() - rssBefore) / 2 ** 20 }));
