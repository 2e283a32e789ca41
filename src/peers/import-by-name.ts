/**
 * Imports a package that bundlers must not follow: they would take it for a part of the program. The build leaves this file as
 * it is, since shortening it would drop the comments that say so.
 *
 * @throws Error of the runtime's when the package is not there
 */
export function importByName(specifier: string): Promise<unknown> {
  return import(/* @vite-ignore */ /* webpackIgnore: true */ specifier);
}
