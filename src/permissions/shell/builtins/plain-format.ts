/** What a format puts in is text: `%n` would set a variable. */
const PLAIN_FORMAT =
  /^(?:[^%]|%%|%[-+ #0]*(?:\d+|\*)?(?:\.(?:\d+|\*)?)?(?:[bqQscdiouxXeEfFgGaA]|\([^)%]*(?:%[^)%][^)%]*)*\)T))*$/;

/** The format shows all that `printf` does with it. */
export function isPlainFormat(format: string): boolean {
  return PLAIN_FORMAT.test(format);
}
