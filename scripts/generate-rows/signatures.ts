/** What the database's functions and operators return. */
import type pg from "pg";
import type { Fact } from "./fact.ts";

/** By names of types. */
interface Signature {
  args: readonly string[];
  result: string;
}

/** By name: of functions words, of operators signs. */
export type Signatures = ReadonlyMap<string, readonly Signature[]>;

export async function readSignatures(client: pg.Client): Promise<Signatures> {
  const { rows } = await client.query<Signature & { name: string }>(`
    select p.proname as name, r.typname as result, array(
      select t.typname::text from unnest(p.proargtypes) with ordinality as a(oid, position) join pg_type t on t.oid = a.oid
      order by a.position) as args
    from pg_proc p join pg_type r on r.oid = p.prorettype
    where p.pronamespace in ('public'::regnamespace, 'pg_catalog'::regnamespace)
    union all
    select o.oprname, r.typname, array_remove(array[left_type.typname::text, right_type.typname::text], null)
    from pg_operator o join pg_type r on r.oid = o.oprresult join pg_type right_type on right_type.oid = o.oprright
      left join pg_type left_type on left_type.oid = o.oprleft`);
  const signatures = new Map<string, Signature[]>();
  for (const { name, ...signature } of rows) {
    signatures.set(name, [...(signatures.get(name) ?? []), signature]);
  }
  return signatures;
}

/** Types that stand for any type, or for any array. */
const anyType = new Set(["any", "anyelement", "anynonarray", "anycompatible"]);
const anyArray = new Set(["anyarray", "anycompatiblearray"]);

/** The database's name of the type; undefined where arguments would have to be converted to tell. */
export function resultType(signatures: Signatures, name: string, args: readonly Fact[]): string | undefined {
  const types = args.map((arg) => arg.sqlType);
  const all = signatures.get(name) ?? [];
  const fitting = all.filter((one) => one.args.length === types.length && one.args.every(fits));
  const results = new Set((fitting.length > 0 ? fitting : all).map((one) => resultOf(one, types)));
  const [result] = results;
  return results.size === 1 && result !== "record" ? result : undefined;

  function fits(arg: string, at: number): boolean {
    return anyArray.has(arg) ? isArray(types[at]) : anyType.has(arg) || arg === types[at];
  }
}

function resultOf({ args, result }: Signature, types: readonly (string | undefined)[]): string | undefined {
  if (!result.startsWith("any")) return result;
  const at = args.findIndex((arg) => anyType.has(arg) || anyArray.has(arg));
  const type = types[at];
  if (args[at] === result) return type;
  if (anyArray.has(result)) return type && `_${type}`;
  return isArray(type) ? type?.slice(1) : undefined;
}

function isArray(type: string | undefined): boolean {
  return type?.startsWith("_") === true;
}
