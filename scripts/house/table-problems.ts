/** Where stores and the map of tables differ. */
import type { TableRule } from "./table-rule.ts";
import type { Uses } from "./tables.ts";

export interface House {
  owners: Readonly<Record<string, Readonly<Record<string, TableRule>>>>;
  tables: ReadonlySet<string>;
  /** By folder of the server. */
  uses: ReadonlyMap<string, Uses>;
  /** The domains that each domain stands above, by name. */
  below: ReadonlyMap<string, ReadonlySet<string>>;
}

/** In words for whoever wrote the store, or the map. */
export function tableProblems(house: House): string[] {
  const listed = Object.entries(house.owners).flatMap(([folder, tables]) =>
    Object.entries(tables).map(([table, rule]) => ({ folder, table, rule })),
  );
  const names = listed.map(({ table }) => table);
  return [
    ...[...house.tables].filter((table) => !names.includes(table)).map((table) => `${table} has no owner`),
    ...names.filter((table) => !house.tables.has(table)).map((table) => `${table} is no table`),
    ...names
      .filter((table, index) => names.indexOf(table) !== index)
      .map((table) => `${table} has two owners`),
    ...listed.flatMap((one) => [...writers(house, one), ...readers(house, one)]),
  ];
}

interface Listed {
  folder: string;
  table: string;
  rule: TableRule;
}

function writers({ uses }: House, { folder, table, rule }: Listed): string[] {
  const allowed = new Set([...(rule.writtenBy === undefined ? [folder] : []), ...keys(rule.alsoWrittenBy)]);
  const found = new Set([...uses].flatMap(([by, { writes }]) => (writes.has(table) ? [by] : [])));
  return [
    ...[...found].filter((by) => !allowed.has(by)).map((by) => `${by} writes ${table} of ${folder}`),
    ...[...allowed].filter((by) => !found.has(by)).map((by) => `${by} does not write ${table}`),
  ];
}

function readers({ uses, below }: House, { folder, table, rule }: Listed): string[] {
  const above = new Set(rule.readBy);
  const others = new Set(keys(rule.alsoReadBy));
  const found = new Set<string>();
  for (const [by, { reads }] of uses)
    if (reads.has(table) && domainOf(by) !== domainOf(folder)) found.add(domainOf(by));
  const standsAbove = (domain: string) =>
    !folder.startsWith("domains/") || (below.get(domain)?.has(domainOf(folder)) ?? false);
  return [
    ...[...found]
      .filter((by) => !above.has(by) && !others.has(by))
      .map((by) => `${by} reads ${table} of ${folder}`),
    ...[...above, ...others].filter((by) => !found.has(by)).map((by) => `${by} does not read ${table}`),
    ...[...above]
      .filter((by) => !standsAbove(by))
      .map((by) => `${by} does not stand above ${table}: say why it reads it`),
    ...[...others]
      .filter(standsAbove)
      .map((by) => `${by} stands above ${table}, and needs no reason to read it`),
  ];
}

function keys(record: Readonly<Record<string, string>> | undefined): string[] {
  return Object.keys(record ?? {});
}

/** A domain's name; `platform` for what belongs to none. */
function domainOf(folder: string): string {
  const [room, name = ""] = folder.split("/");
  return room === "domains" ? name : "platform";
}
