/*
 * When V8 compiles an expression it looks ahead along every way through its optional parts. With some dozens of them in
 * a row that takes minutes, which nothing can interrupt: the time budget of a search would not hold. Sources of more
 * than 20 KB are compiled without (`kRegExpTooLargeToOptimize`, https://github.com/v8/v8/blob/main/src/regexp/regexp.h),
 * and match somewhat slower.
 */
const MEANS_NOTHING = "(?:)".repeat(5_200);
const MANY = 16;
/** Also where it is only a character: then the search is somewhat slower, and no different. */
const OPTIONAL_PART = /[*?}]|[(|][|)]/g;

/** The source of an expression so that it is compiled at once, however many parts of `pattern` may be missing. */
export function quickToCompile(source: string, pattern: string): string {
  const count = pattern.match(OPTIONAL_PART)?.length ?? 0;
  return count > MANY ? MEANS_NOTHING + source : source;
}
