// Reads filters of `jq` and `yq` whole: one only computes when every name in it is known, and none of them opens a file.

const NAMES = new Set(
  `and or not if then elif else end def reduce foreach as try catch label break null true false empty error nan infinite limit skip
  first last nth until while repeat range recurse recurse_down env input inputs input_filename input_line_number debug stderr halt
  halt_error length utf8bytelength keys keys_unsorted values has in map map_values path paths leaf_paths pick omit del delpaths
  getpath setpath to_entries from_entries with_entries select add any all flatten floor sqrt pow log log2 log10 exp exp2 exp10
  round ceil trunc fabs abs sin cos tan asin acos atan significand logb tostring tonumber toarray type isinfinite isnan isnormal
  isvalid arrays objects iterables booleans numbers normals finites strings nulls scalars sort sort_by group_by min max min_by
  max_by unique unique_by reverse contains inside index rindex indices startswith endswith combinations ltrimstr rtrimstr trimstr
  trim ltrim rtrim explode implode split splits join ascii ascii_downcase ascii_upcase walk transpose bsearch test match capture
  scan sub gsub tojson fromjson todate fromdate now localtime gmtime mktime strftime strptime strflocaltime dateadd datesub date
  tostream fromstream truncate_stream INDEX IN GROUP_BY UNIQUE_BY builtins have_decnum have_literal_numbers style tag kind anchor
  alias line column line_comment head_comment foot_comment lineComment headComment footComment document_index di filename
  file_index fi key parent sort_keys sortKeys to_json from_json to_yaml from_yaml to_xml from_xml to_props from_props to_csv
  from_csv to_tsv from_tsv to_string to_number ireduce upcase downcase strenv envsubst with array_to_map split_doc splitDoc tz
  format_datetime with_dtf from_unix to_unix create_map collect pivot shuffle`.split(/\s+/),
);

const TOKEN =
  /(?<space>\s+|#[^\n]*)|(?<plain>\d[\w.]*|\.[A-Za-z_]\w*|\$(?:__)?\w+|@\w+|[|,.:;()+*/%=<>!?&^~-])|(?<open>[[{])|(?<close>[\]}])|(?<name>[A-Za-z_]\w*(?:::\w+)*)|(?<quote>")/y;
const IMPORTS = new Set(["import", "include"]);
/** Behind a name in braces: it is a key. */
const KEY = /\s*(?::(?!:)|[,}])/y;

/** Whether a filter plainly does nothing but compute with what it is given. */
export function isPlainFilter(filter: string): boolean {
  return new FilterReader(filter).readAll();
}

/** The last word is the name of a function that is being defined. */
const DEFINED = "a definition";

class FilterReader {
  readonly #filter: string;
  readonly #open: string[] = [];
  readonly #defined = new Set<string>();
  readonly #called = new Set<string>();
  #at = 0;
  #last = "";

  constructor(filter: string) {
    this.#filter = filter;
  }

  readAll(): boolean {
    while (this.#at < this.#filter.length) if (!this.#token()) return false;
    return [...this.#called].every((name) => NAMES.has(name) || (this.#defined.has(name) && !IMPORTS.has(name)));
  }

  #token(): boolean {
    const found = this.#take(TOKEN)?.groups;
    if (!found) return false;
    const { space, plain, open, close, name, quote } = found;
    if (space !== undefined) return true;
    if (open !== undefined) this.#open.push(open);
    if (close !== undefined) this.#open.pop();
    if (plain === "(" || plain === ")") return this.#parenthesis(plain);
    if (quote !== undefined) return this.#text();
    this.#last = name === undefined ? (plain ?? "") : this.#name(name);
    return true;
  }

  #parenthesis(sign: string): boolean {
    const before = this.#last;
    this.#last = "";
    if (sign === "(") {
      this.#open.push(before === DEFINED ? "parameters" : "(");
      return true;
    }
    // At the end of what is put into a text, the text goes on.
    return this.#open.pop() === '"' ? this.#text() : true;
  }

  #name(name: string): string {
    KEY.lastIndex = this.#at;
    const within = this.#open.at(-1);
    const isDefined = this.#last === "def" || within === "parameters";
    if (isDefined) this.#defined.add(name);
    else if (!(within === "{" && KEY.test(this.#filter))) this.#called.add(name);
    return this.#last === "def" ? DEFINED : name;
  }

  /** Up to the quote at the end, or to what is put in. */
  #text(): boolean {
    for (; this.#at < this.#filter.length; this.#at++) {
      const character = this.#filter[this.#at];
      if (character === "\\" && this.#filter[++this.#at] === "(") {
        this.#at++;
        this.#open.push('"');
        return true;
      }
      if (character === '"') {
        this.#at++;
        this.#last = "";
        return true;
      }
    }
    return false;
  }

  #take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#filter);
    if (found) this.#at = pattern.lastIndex;
    return found;
  }
}
