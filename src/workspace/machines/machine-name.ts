import { optionError } from "../../json/check-options.js";

/** A host, user or container as an argument: what looks like an option, or like two arguments, is refused. @throws ConfigurationError */
export function assertName(owner: string, option: string, value: string | undefined): void {
  if (value === undefined || (value !== "" && !/^-|[\s\p{Cc}\p{Cf}]/u.test(value))) return;
  throw optionError(
    owner,
    option,
    value,
    'a name without white space or control characters that does not begin with "-"',
  );
}
