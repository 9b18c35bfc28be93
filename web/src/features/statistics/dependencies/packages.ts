/**
 * What a repository depends on, out of what its files say: a manifest asks, a lock file tells what was chosen and what that
 * needs in turn. What a manifest requires and what the lock file beside or above it chose are one package here.
 */
import type { Schemas } from "@forgeline/client/schemas.ts";

export type Manifest = Schemas["Manifest"];
export type GraphNode = Schemas["GraphNode"];
export type Kind = GraphNode["scope"];

/** A version of a package in one lock file, however often it is installed. */
interface Entry {
  node: GraphNode;
  needs: Set<Entry>;
  neededBy: Set<Entry>;
  /** Those that stand for it, in the order of their manifests. */
  packages: Package[];
}

export interface Package {
  /** The same after a push that leaves it as it is. */
  id: string;
  name: string;
  kind: Kind;
  ecosystem: Manifest["ecosystem"];
  /** Path of the file that names it: a lock file where no manifest does. */
  manifest: string;
  direct: boolean;
  requirement: string | null;
  /** What was chosen; more than one where the files do not tell which. */
  versions: readonly string[];
  /** Lock files that chose. */
  locks: readonly string[];
  needs: readonly Package[];
  neededBy: readonly Package[];
}

/** In the order of `nodes`. Nodes that `requires` names and that are not among `nodes` are left out. */
export function packagesOf(manifests: readonly Manifest[], nodes: readonly GraphNode[]): Package[] {
  const isLock = new Map(manifests.map(({ path, is_lock }) => [path, is_lock]));
  const locked = nodes.filter(({ manifest }) => isLock.get(manifest));
  const entries = entriesOf(locked);
  const findChosen = chooser(entries);
  const packages: Package[] = [];
  const chosenOf = new Map<Package, readonly Entry[]>();
  const ids = new Set<string>();
  const add = (node: GraphNode, chosen: readonly Entry[]) => {
    const one = { ...packageOf(node, chosen), id: newId(node, ids) };
    for (const entry of chosen) entry.packages.push(one);
    packages.push(one);
    chosenOf.set(one, chosen);
  };
  for (const node of nodes) if (!isLock.get(node.manifest)) add(node, findChosen(node));
  for (const entry of entries) if (entry.packages.length === 0) add(entry.node, [entry]);
  const representativesOf = (of: readonly Entry[]) => [
    ...new Set(of.flatMap((entry) => entry.packages[0] ?? [])),
  ];
  for (const [one, chosen] of chosenOf) {
    one.needs = representativesOf(chosen.flatMap(({ needs }) => [...needs])).filter((other) => other !== one);
    one.neededBy = representativesOf(chosen.flatMap(({ neededBy }) => [...neededBy])).filter(
      (other) => other !== one,
    );
  }
  return packages;
}

/** Without blanks. Files name some things twice. */
function newId({ manifest, name, scope, version }: GraphNode, taken: Set<string>): string {
  const id = [manifest, name, scope, version ?? ""].map(encodeURIComponent).join("/");
  let free = id;
  for (let copy = 2; taken.has(free); copy++) free = `${id}/${copy}`;
  taken.add(free);
  return free;
}

function packageOf(node: GraphNode, chosen: readonly Entry[]): Omit<Package, "id"> {
  const versions = [node.version, ...chosen.map((entry) => entry.node.version)];
  return {
    name: node.name,
    kind: node.scope,
    ecosystem: node.ecosystem,
    manifest: node.manifest,
    direct: node.direct,
    requirement: node.requirement,
    versions: [...new Set(versions.filter((version) => version !== null))],
    locks: [...new Set(chosen.map((entry) => entry.node.manifest))],
    needs: [],
    neededBy: [],
  };
}

function entriesOf(locked: readonly GraphNode[]): Entry[] {
  const entries = new Map<string, Entry>();
  const entryOf = new Map<string, Entry>();
  for (const node of locked) {
    const key = JSON.stringify([node.manifest, node.name, node.version]);
    const entry = entries.get(key) ?? { node, needs: new Set(), neededBy: new Set(), packages: [] };
    if (node.direct && !entry.node.direct) entry.node = node;
    entries.set(key, entry);
    entryOf.set(node.id, entry);
  }
  for (const node of locked) {
    const entry = entryOf.get(node.id);
    for (const id of node.requires) {
      const needed = entryOf.get(id);
      if (!entry || !needed) continue;
      entry.needs.add(needed);
      needed.neededBy.add(entry);
    }
  }
  return [...entries.values()];
}

/** Finds what was chosen for what a manifest requires: by the lock file beside it, else by the nearest above it. */
function chooser(entries: readonly Entry[]): (node: GraphNode) => readonly Entry[] {
  const locks = [...Map.groupBy(entries, ({ node }) => node.manifest)].map(([path, all]) => ({
    directory: directoryOf(path),
    ecosystem: all[0]?.node.ecosystem,
    tellsDirect: all.some(({ node }) => node.direct),
    byName: Map.groupBy(all, ({ node }) => node.name),
  }));
  locks.sort((a, b) => b.directory.length - a.directory.length);
  return (node) => {
    const directory = directoryOf(node.manifest);
    for (const lock of locks) {
      if (lock.ecosystem !== node.ecosystem || !directory.startsWith(lock.directory)) continue;
      const all = lock.byName.get(node.name) ?? [];
      const direct = all.filter((entry) => entry.node.direct);
      // Above it, a lock file may be of another project, which has the package for reasons of its own.
      const isBeside = lock.directory === directory;
      const possible = direct.length > 0 || (lock.tellsDirect && !isBeside) ? direct : all;
      const chosen = bestOf(possible, node);
      if (chosen.length > 0) return chosen;
    }
    return [];
  };
}

function bestOf(entries: readonly Entry[], { version, requirement }: GraphNode): readonly Entry[] {
  if (version !== null) return entries.filter((entry) => entry.node.version === version);
  const asked = entries.filter((entry) => entry.node.requirement === requirement);
  return asked.length > 0 ? asked : entries;
}

/** Ends in `/`, unless it is the top. */
export function directoryOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/") + 1);
}

/** These and all that they need, over any number of steps. */
export function reachedFrom(packages: readonly Package[]): Set<Package> {
  const seen = new Set(packages);
  // A set is walked with what is added meanwhile.
  for (const one of seen) for (const needed of one.needs) seen.add(needed);
  return seen;
}
