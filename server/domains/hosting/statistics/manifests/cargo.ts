/** Files of Rust's Cargo. */
import { parse as parseToml } from "smol-toml";
import type { DependencyScope } from "@forgeline/schemas/statistics/dependencies.ts";
import { listOf, locked, tableOf, textOf, wanted, type Dependency, type Json } from "./dependency.ts";

const groups: readonly [string, DependencyScope][] = [
  ["dependencies", "runtime"],
  ["dev-dependencies", "development"],
  ["build-dependencies", "build"],
];

export function readCargoToml(text: string): Dependency[] {
  const file = parseToml(text) as Json;
  const targets = Object.values(tableOf(file["target"], "target")).map((each) => tableOf(each, "target"));
  return [file, tableOf(file["workspace"], "workspace"), ...targets].flatMap((table) =>
    groups.flatMap(([group, scope]) =>
      Object.entries(tableOf(table[group], group)).map(([name, value]) => {
        const detail: Json = typeof value === "string" ? { version: value } : tableOf(value, name);
        const real = textOf(detail["package"]) ?? name;
        return wanted(real, textOf(detail["version"]), detail["optional"] === true ? "optional" : scope);
      }),
    ),
  );
}

export function readCargoLock(text: string): Dependency[] {
  const packages = listOf((parseToml(text) as Json)["package"], "package").map((each) =>
    tableOf(each, "package"),
  );
  // What comes from nowhere is the project itself.
  const others = packages.filter((each) => each["source"] !== undefined);
  const list = others.map((each) => locked(textOf(each["name"]) ?? "", textOf(each["version"])));
  const byName = new Map<string, number[]>();
  for (const [position, { name }] of list.entries())
    byName.set(name, [...(byName.get(name) ?? []), position]);
  /** `name`, `name version` or `name version (source)` */
  const neededBy = (each: Json) =>
    listOf(each["dependencies"], "dependencies").flatMap((reference) => {
      const [name = "", version] = (textOf(reference) ?? "").split(" ");
      const found = byName.get(name) ?? [];
      return found.find((at) => version === undefined || list[at]?.version === version) ?? [];
    });
  others.forEach((each, position) => (list[position]!.requires = neededBy(each)));
  for (const project of packages.filter((each) => each["source"] === undefined))
    for (const at of neededBy(project)) list[at]!.direct = true;
  return list;
}
