import type { ProgramRow } from "../program-row.js";
import { does, VERSION } from "../reach.js";

const CSVKIT = "csvkit 1.1 documentation";
/** The flags that all programs of csvkit take. */
const COMMON_FLAGS = `-t -b -S -H -l -v --tabs --no-doublequote --skipinitialspace --no-header-row --linenumbers
  --verbose --zero --no-inference -I ${VERSION}`;
const COMMON_VALUES = `-d -q -u -p -z -e -L -K --delimiter --quotechar --quoting --escapechar --maxfieldsize --encoding
  --locale --skip-lines --null-value --date-format --datetime-format`;

/** Programs that show tables of data. */
export const TABLE_PROGRAMS: Readonly<Record<string, ProgramRow>> = {
  csvcut: csvkit("-n -x --names --delete-empty-rows", "-c -C --columns --not-columns"),
  csvgrep: {
    ...csvkit("-n -i -a --names --invert-match --any-match", "-c -m -r --columns --match --regex"),
    reads: "-f --file",
  },
  csvsort: csvkit("-n -r -i --names --reverse --ignore-case", "-c -y --columns --snifflimit"),
  csvstat: csvkit(
    `-n --csv --json --names --type --nulls --unique --min --max --sum --mean --median --stdev --len --freq --count
      --non-nulls --max-precision`,
    "-c -y --columns --freq-count --snifflimit --decimal-format --indent",
  ),
  csvlook: csvkit("", "-y --max-rows --max-columns --max-column-width --max-precision --snifflimit"),
  csvjson: csvkit("--stream", "-i -k -y --indent --key --lat --lon --type --geometry --crs --snifflimit"),
  csvjoin: csvkit("--outer --left --right", "-c -y --columns --snifflimit"),
  csvstack: csvkit("--filenames", "-g -n --groups --group-name"),
  csvformat: csvkit(
    "-T -E -A --out-tabs --skip-header",
    "-D -Q -U -P -M --out-delimiter --out-quotechar --out-quoting",
  ),
  xsv: does({ writes: "named", runs: "nothing", connects: "nothing" }, "xsv 0.13 documentation", {
    informs: VERSION,
    flags:
      "-h -n -j -i -r -N -R -v -a --help --no-headers --just-names --nulls --reverse --numeric --ignore-case --no-case",
    values: "-d -s -l -w -p -c -e --delimiter --select --limit --width --start --end --len --jobs",
    writes: "-o --output",
    commands: {
      "count|headers|stats|table|select|search|sample|slice|sort|frequency|flatten|fmt|input|reverse": {
        kind: "reads",
        flags: `-n -j -i -r -N -R -v --no-headers --just-names --nulls --reverse --numeric --ignore-case --everything
          --no-case`,
        values: "-d -s -l -w -p -c -e --delimiter --select --limit --width --start --end --len",
      },
    },
    operands: "read",
  }),
};

function csvkit(flags: string, values: string): ProgramRow {
  return {
    manual: CSVKIT,
    kind: "reads",
    flags: `${COMMON_FLAGS} ${flags}`,
    values: `${COMMON_VALUES} ${values}`,
    operands: "read",
  };
}
