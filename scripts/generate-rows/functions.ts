/** Functions of PostgreSQL by what is known of what they return. */

/** Never null. */
export const neverNull: ReadonlySet<string> = new Set([
  "clock_timestamp",
  "concat",
  "count",
  "dense_rank",
  "exists",
  "gen_random_uuid",
  "generate_series",
  "json_build_array",
  "json_build_object",
  "jsonb_build_array",
  "jsonb_build_object",
  "now",
  "num_nonnulls",
  "num_nulls",
  "rank",
  "row_number",
  "statement_timestamp",
  "transaction_timestamp",
]);

/** Null only where an argument is. */
export const nullAsArguments: ReadonlySet<string> = new Set([
  "abs",
  "array_append",
  "array_cat",
  "array_remove",
  "array_to_string",
  "btrim",
  "cardinality",
  "ceil",
  "convert_from",
  "convert_to",
  "date_trunc",
  "decode",
  "encode",
  "extract",
  "floor",
  "left",
  "length",
  "lower",
  "ltrim",
  "make_interval",
  "md5",
  "octet_length",
  "power",
  "repeat",
  "replace",
  "reverse",
  "right",
  "round",
  "row_to_json",
  "rtrim",
  "sha256",
  "split_part",
  "starts_with",
  "strpos",
  "timezone",
  "to_json",
  "to_jsonb",
  "to_char",
  "upper",
]);

/** Null over no rows, else as their argument. */
export const aggregates: ReadonlySet<string> = new Set([
  "array_agg",
  "avg",
  "bool_and",
  "bool_or",
  "every",
  "json_agg",
  "json_object_agg",
  "jsonb_agg",
  "jsonb_object_agg",
  "max",
  "min",
  "string_agg",
  "sum",
]);

/** They make one value of many, null or not. */
export const ofNulls: ReadonlySet<string> = new Set([
  "array_agg",
  "json_agg",
  "json_object_agg",
  "jsonb_agg",
  "jsonb_object_agg",
]);

/** What they return is one of their arguments. */
export const picking: ReadonlySet<string> = new Set(["max", "min", "first_value", "last_value"]);
