// Reads filters of `jq` and `yq` whole: one only computes when every name in it is known, and none opens a file.

const NAMES = new Set(
  `and or not if then elif else end def reduce foreach as try catch label break null true false empty error nan infinite
    limit skip first last nth until while repeat range recurse recurse_down env input inputs input_filename
    input_line_number debug stderr halt halt_error length utf8bytelength keys keys_unsorted values has in map map_values
    path paths leaf_paths pick omit del delpaths getpath setpath to_entries from_entries with_entries select add any all
    flatten floor sqrt pow log log2 log10 exp exp2 exp10 round ceil trunc fabs abs sin cos tan asin acos atan
    significand logb tostring tonumber toarray type isinfinite isnan isnormal isvalid arrays objects iterables booleans
    numbers normals finites strings nulls scalars sort sort_by group_by min max min_by max_by unique unique_by reverse
    contains inside index rindex indices startswith endswith combinations ltrimstr rtrimstr trimstr trim ltrim rtrim
    explode implode split splits join ascii ascii_downcase ascii_upcase walk transpose bsearch test match capture scan
    sub gsub tojson fromjson todate fromdate now localtime gmtime mktime strftime strptime strflocaltime dateadd datesub
    date tostream fromstream truncate_stream INDEX IN GROUP_BY UNIQUE_BY builtins have_decnum have_literal_numbers style
    tag kind anchor alias line column line_comment head_comment foot_comment lineComment headComment footComment
    document_index di filename file_index fi key parent sort_keys sortKeys to_json from_json to_yaml from_yaml to_xml
    from_xml to_props from_props to_csv from_csv to_tsv from_tsv to_string to_number ireduce upcase downcase strenv
    envsubst with array_to_map split_doc splitDoc tz format_datetime with_dtf from_unix to_unix create_map collect pivot
    shuffle`.split(/\s+/),
);

const PIECE = /\\[\s\S]?|["()[\]{}]|[^"\\()[\]{}]+/g;
const CLOSES: Readonly<Record<string, string>> = { '"': '"', "(": ")", "[": "]", "{": "}" };
const TOKEN = /\d[\w.]*|\.?[A-Za-z_]\w*(?:::\w+)*|\$\w+|@\w+|[|,.:;+*/%=<>!?&^~-]/g;
const KEYS = /(^|,)\s*[A-Za-z_]\w*(?=\s*(?::(?!:)|,|$))/g;
/** With its parameters. */
const DEFINITION = /\bdef\s+\w+\s*(?:\([\w;$\s]*\)\s*)?:/g;

/** Whether a filter does nothing but compute with what it is given: what stands in brackets is looked at by itself. */
export function isPlainFilter(filter: string): boolean {
  // In a filter with text, a match that looks like a definition may be a part of the text.
  const definitions = filter.includes('"') ? [] : [...filter.matchAll(DEFINITION)];
  const own = new Set(definitions.flatMap(([definition]) => definition.match(/\w+/g) ?? []));
  const groups = [{ open: "", text: "" }];
  for (const [piece] of filter.matchAll(PIECE)) {
    const { open, text } = groups.at(-1)!;
    const isText = open === '"';
    // An expression inside a text is in brackets, too.
    if (isText ? piece === "\\(" : Object.hasOwn(CLOSES, piece)) groups.push({ open: piece.at(-1)!, text: "" });
    else if (piece === CLOSES[open]) {
      if (!isText && !isKnown(open === "{" ? text.replace(KEYS, "$1") : text, own)) return false;
      groups.pop();
      groups.at(-1)!.text += " 1 ";
    } else groups.at(-1)!.text += piece;
  }
  return groups.length === 1 && isKnown(groups[0]!.text, own);
}

/** Outside of brackets and text: all names are those of functions that open nothing. */
function isKnown(text: string, own: ReadonlySet<string>): boolean {
  const isUnknown = (token: string) => /^[A-Za-z_]/.test(token) && !NAMES.has(token) && !own.has(token);
  return /^\s*$/.test(text.replace(TOKEN, (token) => (isUnknown(token) ? token : " ")));
}
