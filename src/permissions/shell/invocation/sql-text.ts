// Reads statements of databases whole: they stay in the database when each begins with a known word, and calls nothing
// but known functions.
import { longPattern, patternWith } from "../../long-pattern.js";

const words = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/));

/** Functions that compute, types with a length, and words with brackets behind them that call nothing. */
const CALLED = words(`
  abs acos age all and any array array_agg array_length array_to_string as asin atan avg between bigint binary
  bit_length blob boolean by case cast ceil ceiling changes char char_length character check coalesce concat concat_ws
  convert cos count cume_dist curdate current_database current_date current_schema current_setting current_time
  current_timestamp current_user curtime date date_add date_bin date_format date_part date_sub date_trunc datediff
  datetime day dayname dayofweek dayofyear decimal default degrees delete dense_rank desc distinct double else elt end
  enum except exists exp extract field filter find_in_set first_value float floor foreign format found_rows from
  from_unixtime full generate_series glob greatest group group_concat grouping having hex hour if ifnull iif in index
  inner instr int integer intersect interval is isnull join json json_agg json_array json_array_elements
  json_array_length json_build_array json_build_object json_contains json_each json_each_text json_extract
  json_group_array json_group_object json_keys json_object json_object_agg json_object_keys json_quote json_remove
  json_set json_tree json_type json_unquote json_valid jsonb jsonb_agg jsonb_array_elements jsonb_array_elements_text
  jsonb_array_length jsonb_build_array jsonb_build_object jsonb_each jsonb_each_text jsonb_extract_path_text
  jsonb_object_agg jsonb_object_keys jsonb_pretty jsonb_set jsonb_typeof julianday key lag last_insert_id
  last_insert_rowid last_value lateral lcase lead least left length like limit ln localtime locate log log10 lower
  lpad ltrim make_date make_interval match max md5 mediumint mid min minute mod month monthname name not now nth_value
  ntile nullif numeric octet_length offset on or order over overlaps partition percent_rank percentile_cont
  percentile_disc period pg_column_size pg_database_size pg_get_constraintdef pg_get_indexdef pg_get_viewdef
  pg_indexes_size pg_relation_size pg_size_pretty pg_table_size pg_total_relation_size pi position pow power primary
  printf quarter quote radians random rank real recursive references regexp_count regexp_like regexp_match
  regexp_matches regexp_replace regexp_split_to_array regexp_substr repeat replace returning reverse right round row
  row_count row_number row_to_json rpad rtrim schema second select set sign sin smallint some split_part
  sqlite_version sqrt str_to_date strftime string_agg string_to_array strpos substr substring substring_index subdate
  sum tan temporary text then time timediff timestamp timestampdiff timestamptz tinyint to_char to_date to_json
  to_jsonb to_number to_timestamp total total_changes trim trunc truncate typeof ucase unicode union unique
  unix_timestamp unixepoch unnest update upper user using utc_timestamp uuid gen_random_uuid values varbinary varchar
  variance version week weekday when where with within xor year`);

const BEGINS = longPattern`
  ^(?:select|values|with|insert|update|delete|replace|begin|commit|rollback|end|savepoint|release|analyze|reindex|
  explain|describe|desc|show|use|table|comment|refresh|start transaction|truncate|vacuum(?!.* into)|(?:create|alter|
  drop) (?:or replace )?(?:unique |temp |temporary |materialized |global |local )*(?:table|index|view|schema|database|
  sequence|type|collation)|set (?:session |local )?(?:role|names|search_path|timezone|time zone|time_zone|
  statement_timeout|lock_timeout|client_encoding|autocommit|foreign_key_checks|unique_checks|sql_mode|
  sql_safe_updates)|pragma (?:\w+\.)?(?:\w+_list|\w+_x?info|foreign_keys|foreign_key_check|journal_mode|user_version|
  schema_version|integrity_check|quick_check|page_count|page_size|synchronous|cache_size|busy_timeout|encoding|
  compile_options|optimize|wal_checkpoint))(?= |$)`;
/** A table stands behind it, and its columns behind that. */
const NAMES_TABLE =
  /(?:^| )(?:into|table|references|exists|view|with|recursive|create (?:unique )?index (?:\S+ )*on|as)$/;
const NEVER = /(?:^| )(?:outfile|dumpfile|program|load_extension)(?= |$)/;

const TOKEN = patternWith("y")`
  \s+|--[^\n]*|\/\*(?!!)[\s\S]*?\*\/|'(?:[^'\\]|'')*'|(?<quoted>"[^"\\]*"|\x60[^\x60\\]*\x60|\[[A-Za-z_][\w ]*\])|
  (?<word>[A-Za-z_]\w*)|\d[\w.]*|\$\d+|[(),.;*+\-/%<>=!|&~?:@{}[\]]`;
const MAX_LENGTH = 16_000;

/**
 * Whether statements are known to do nothing but work on their database. `meta`: the client's own commands that only
 * show something.
 */
export function staysInDatabase(text: string, meta: RegExp): boolean {
  const sql = text.slice(0, MAX_LENGTH).replace(new RegExp(meta, "gm"), " ");
  if (text.length > MAX_LENGTH) return false;
  let said = "";
  let last = "";
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < sql.length) {
    const found = TOKEN.exec(sql);
    if (!found) return false;
    const { quoted, word } = found.groups!;
    const name = (word ?? quoted?.slice(1, -1))?.toLowerCase();
    const sign = found[0].trim();
    if (name !== undefined) {
      said += ` ${quoted === undefined ? name : "x"}`;
      last = name;
    } else if (sign === ";") {
      if (!isKnown(said)) return false;
      said = last = "";
    } else if (sign === "(") {
      const isTable = NAMES_TABLE.test(said.replace(/ \S+$/, "").replace(/ \S+ \.$/, ""));
      if (last !== "" && !CALLED.has(last) && !isTable && !said.startsWith(" pragma ")) return false;
      last = "";
    } else if (sign !== "" && !/^(?:--|\/\*)/.test(sign)) {
      if (sign === ".") said += " .";
      last = "";
    }
  }
  return isKnown(said);
}

function isKnown(statement: string): boolean {
  const text = statement.trim();
  return text === "" || (BEGINS.test(text.replaceAll(" . ", ".")) && !NEVER.test(text));
}
