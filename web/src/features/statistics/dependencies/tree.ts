/** What of the packages is shown, and below what each of them stands: the repository, its manifests, what those require, what that needs. */
import { dependencyScopes } from "@forgeline/client/generated/choices.ts";
import { directoryOf, reachedFrom, type Kind, type Manifest, type Package } from "./packages.ts";

export interface Filters {
  manifest: string | null;
  ecosystem: string | null;
  kind: Kind | null;
  /** Also what only dependencies require. */
  all: boolean;
}

export interface Item {
  /** Of a package its own; of a manifest its path behind `/`; of the repository `/`. */
  id: string;
  /** As short as it is clear: of a manifest its directory, where there is no other one. */
  label: string;
  is: "repository" | "manifest" | "package";
  manifest: Manifest | null;
  package: Package | null;
  parent: Item | null;
  children: Item[];
  /** The repository has 0. */
  depth: number;
}

/** Items of the tree, its top first, each before what is below it. */
export function itemsOf(top: Item): Item[] {
  const items: Item[] = [];
  const open = [top];
  for (let next = open.pop(); next; next = open.pop()) {
    items.push(next);
    open.push(...next.children.toReversed());
  }
  return items;
}

/** Where there is one manifest, it stands in the middle itself. Each package stands once: below the one that leads to it by the fewest steps. Cycles end where they began. */
export function treeOf(
  repository: string,
  { manifests, packages }: { manifests: readonly Manifest[]; packages: readonly Package[] },
  filters: Filters,
): Item {
  const top = item({ id: "/", label: repository, is: "repository" });
  const starts = Map.groupBy(startsOf(packages, filters), ({ manifest }) => manifest);
  const groups = manifests.filter(
    (manifest) => belongs(manifest, filters) && (manifest.problem !== null || starts.has(manifest.path)),
  );
  const placed = new Map<Package, Item>();
  const inDirectory = Map.groupBy(groups, ({ path }) => directoryOf(path));
  for (const manifest of groups) {
    const directory = directoryOf(manifest.path);
    const isAlone = directory !== "" && inDirectory.get(directory)?.length === 1;
    const label = isAlone ? directory.slice(0, -1) : manifest.path;
    // One manifest needs no ring of its own.
    const own =
      groups.length === 1
        ? Object.assign(top, { manifest })
        : append(top, item({ id: `/${manifest.path}`, label, is: "manifest", manifest }));
    for (const one of (starts.get(manifest.path) ?? []).toSorted(byKind)) place(own, one, placed);
  }
  if (!filters.all) return top;
  const begun = [...placed.values()];
  spread(
    begun.filter((one) => one.package?.direct),
    placed,
  );
  spread(begun, placed);
  return top;
}

/** What a manifest requires; of all, also what no edge leads to: not every file tells what needs it. */
function startsOf(packages: readonly Package[], filters: Filters): Package[] {
  const shown = packages.filter(shownBy(filters));
  const direct = shown.filter((one) => one.direct);
  if (!filters.all) return direct;
  const reached = reachedFrom(direct);
  const starts = [...direct];
  for (const one of shown) {
    if (reached.has(one)) continue;
    starts.push(one);
    for (const each of reachedFrom([one])) reached.add(each);
  }
  return starts;
}

/** Whether a package may begin the tree; what it needs is shown in any case. */
function shownBy({ manifest, ecosystem, kind }: Filters) {
  return (one: Package) =>
    (manifest === null || one.manifest === manifest) &&
    (ecosystem === null || one.ecosystem === ecosystem) &&
    (kind === null || one.kind === kind);
}

function belongs({ path, ecosystem }: Manifest, filters: Filters): boolean {
  return (
    (filters.manifest === null || filters.manifest === path) &&
    (filters.ecosystem === null || filters.ecosystem === ecosystem)
  );
}

function byKind(a: Package, b: Package): number {
  return dependencyScopes.indexOf(a.kind) - dependencyScopes.indexOf(b.kind) || (a.name < b.name ? -1 : 1);
}

function spread(from: readonly Item[], placed: Map<Package, Item>): void {
  const open = [...from];
  // The list grows while it is walked: those with the fewest steps come first.
  for (const parent of open)
    for (const needed of parent.package?.needs ?? [])
      if (!placed.has(needed)) open.push(place(parent, needed, placed));
}

function place(parent: Item, one: Package, placed: Map<Package, Item>): Item {
  const own = append(parent, item({ id: one.id, label: one.name, is: "package", package: one }));
  placed.set(one, own);
  return own;
}

function item(given: Pick<Item, "id" | "label" | "is"> & Partial<Item>): Item {
  return { manifest: null, package: null, parent: null, children: [], depth: 0, ...given };
}

function append(parent: Item, child: Item): Item {
  child.parent = parent;
  child.depth = parent.depth + 1;
  parent.children.push(child);
  return child;
}
