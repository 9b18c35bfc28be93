/** Files of npm and pnpm. Those of Yarn: `yarn.ts`. */
import { parse as parseYaml } from "yaml";
import {
  locked,
  tableOf,
  textOf,
  UnreadableManifest,
  wanted,
  type Dependency,
  type Json,
} from "./dependency.ts";
import type { DependencyScope } from "@forgeline/schemas/statistics/dependencies.ts";

const groups: readonly [string, DependencyScope][] = [
  ["dependencies", "runtime"],
  ["devDependencies", "development"],
  ["optionalDependencies", "optional"],
  ["peerDependencies", "peer"],
];

export function readPackageJson(text: string): Dependency[] {
  const file = tableOf(JSON.parse(text), "The file");
  return groups.flatMap(([group, scope]) =>
    Object.entries(tableOf(file[group], group)).map(([name, value]) => wanted(name, textOf(value), scope)),
  );
}

const folder = "node_modules/";

/** Versions 1 to 3; also `npm-shrinkwrap.json`. */
export function readPackageLock(text: string): Dependency[] {
  const file = tableOf(JSON.parse(text), "The file");
  if (file["packages"] === undefined && file["dependencies"] === undefined) return [];
  const packages = new Map<string, Json>();
  if (file["packages"] === undefined) flatten(tableOf(file["dependencies"], "dependencies"), "", packages);
  else
    for (const [path, entry] of Object.entries(tableOf(file["packages"], "packages")))
      packages.set(path, tableOf(entry, path));
  const list: Dependency[] = [];
  const positions = new Map<string, number>();
  for (const [path, entry] of packages) {
    if (!path.includes(folder) || entry["link"] === true) continue;
    positions.set(path, list.length);
    const name = textOf(entry["name"]) ?? path.slice(path.lastIndexOf(folder) + folder.length);
    list.push(locked(name, textOf(entry["version"]), scopeOf(entry)));
  }
  for (const [path, entry] of packages) {
    const dependent = list[positions.get(path) ?? -1];
    if (entry["link"] !== true) connect({ path, entry, dependent }, list, positions);
  }
  return list;
}

interface Place {
  path: string;
  entry: Json;
  /** undefined for the project itself and its workspaces. */
  dependent: Dependency | undefined;
}

function connect(
  { path, entry, dependent }: Place,
  list: Dependency[],
  positions: Map<string, number>,
): void {
  for (const group of ["requires", ...groups.map(([name]) => name)]) {
    if (group === "devDependencies" && dependent) continue;
    // Version 1 nests packages in `dependencies`; here they are already flat.
    const needed = typeof entry[group] === "object" ? tableOf(entry[group], group) : {};
    for (const [name, requirement] of Object.entries(needed)) {
      const at = lookUp(path, name, positions);
      const found = list[at ?? -1];
      if (at === undefined || !found) continue;
      if (dependent) dependent.requires.push(at);
      else Object.assign(found, { direct: true, requirement: textOf(requirement) ?? found.requirement });
    }
  }
  if (dependent) dependent.requires = [...new Set(dependent.requires)];
}

/** Like Node: first in the package's own folder, then in its parents. */
function lookUp(from: string, name: string, positions: Map<string, number>): number | undefined {
  for (let base = from; ;) {
    const found = positions.get(`${base === "" ? "" : `${base}/`}${folder}${name}`);
    if (found !== undefined || base === "") return found;
    const up = base.lastIndexOf(`/${folder}`);
    base = up < 0 ? "" : base.slice(0, up);
  }
}

/** Version 1 nests packages; as paths they look like those of later versions. */
function flatten(tree: Json, below: string, packages: Map<string, Json>): void {
  for (const [name, value] of Object.entries(tree)) {
    const path = `${below}${folder}${name}`;
    const { dependencies, ...entry } = tableOf(value, name);
    packages.set(path, entry);
    flatten(tableOf(dependencies, name), `${path}/`, packages);
  }
}

function scopeOf(entry: Json): DependencyScope {
  if (entry["dev"] === true || entry["devOptional"] === true) return "development";
  if (entry["optional"] === true) return "optional";
  return entry["peer"] === true ? "peer" : "runtime";
}

/** Of lock file versions 6 and later. */
export function readPnpmLock(text: string): Dependency[] {
  const file = tableOf(parseYaml(text, { maxAliasCount: 0 }), "The file");
  const version = Number.parseInt(textOf(file["lockfileVersion"]) ?? "", 10);
  if (!(version >= 6)) throw new UnreadableManifest("Only lock files of version 6 and later are read.");
  const entries = Object.entries(tableOf(file["snapshots"] ?? file["packages"], "packages"));
  const list: Dependency[] = [];
  const positions = new Map<string, number>();
  for (const [key] of entries) {
    const id = key.replace(/^\//, "");
    const plain = id.replace(/\(.*$/s, "");
    const at = plain.lastIndexOf("@");
    positions.set(id, list.length);
    list.push(locked(at > 0 ? plain.slice(0, at) : plain, at > 0 ? plain.slice(at + 1) : null));
  }
  const find = (name: string, reference: string) =>
    positions.get(`${name}@${reference}`) ?? positions.get(reference.replace(/^\//, ""));
  entries.forEach(([key, value], position) => {
    const entry = tableOf(value, key);
    const needed = { ...tableOf(entry["dependencies"], key), ...tableOf(entry["optionalDependencies"], key) };
    list[position]!.requires = Object.entries(needed).flatMap(
      ([name, reference]) => find(name, textOf(reference) ?? "") ?? [],
    );
  });
  // Before version 9, dependencies of a project without workspaces are at the top level.
  const importers =
    file["importers"] === undefined ? [file] : Object.values(tableOf(file["importers"], "importers"));
  for (const importer of importers) markImported(tableOf(importer, "importers"), list, find);
  return list;
}

function markImported(
  importer: Json,
  list: Dependency[],
  find: (name: string, reference: string) => number | undefined,
): void {
  for (const [group, scope] of groups) {
    for (const [name, value] of Object.entries(tableOf(importer[group], group))) {
      const { specifier, version } = tableOf(value, name);
      const found = list[find(name, textOf(version) ?? "") ?? -1];
      if (found) Object.assign(found, { direct: true, requirement: textOf(specifier), scope });
    }
  }
}
