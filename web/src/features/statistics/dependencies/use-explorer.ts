/** What somebody has chosen and searched for in the graph, and what is drawn for it. */
import { useMemo, useState } from "react";
import { layOut } from "./layout.ts";
import type { Package } from "./packages.ts";
import { buildGraphView } from "./graph-view.ts";
import { itemsOf, treeOf, type Filters, type Item } from "./tree.ts";
import type { Dependencies } from "./use-dependencies.ts";

/** Asks for an item to be moved to the middle. Each request is a new object, so that the same item can be requested again. */
export interface RevealRequest {
  id: string;
}

export function useExplorer(
  { repository, manifests, packages }: Dependencies,
  filters: Filters,
  onDeeper: () => void,
) {
  const drawing = useMemo(
    () => drawingOf(treeOf(repository, { manifests, packages }, filters)),
    [repository, manifests, packages, filters],
  );
  const reachable = useMemo(
    () => packagesIn(treeOf(repository, { manifests, packages }, { ...filters, all: true })),
    [repository, manifests, packages, filters],
  );
  const [chosenId, choose] = useState<string | null>(null);
  const [revealRequest, setRevealRequest] = useState<RevealRequest | null>(null);
  const [words, setWords] = useState("");
  const found = useMemo(() => search(reachable, words), [reachable, words]);
  const chosen = drawing.items.find(({ id }) => id === chosenId) ?? null;
  const graphView = useMemo(() => {
    const marked = found && new Set(found.flatMap((one) => drawing.itemOf.get(one) ?? []));
    return buildGraphView(drawing.layout, drawing.itemOf, { chosen, found: marked });
  }, [drawing, chosen, found]);
  const goTo = (one: Package) => {
    choose(one.id);
    setRevealRequest({ id: one.id });
    if (!drawing.itemOf.has(one)) onDeeper();
  };
  const goToNext = () => {
    const at = found?.findIndex(({ id }) => id === chosenId) ?? -1;
    const one = found?.[(at + 1) % found.length];
    if (one) goTo(one);
  };
  const shown = useMemo(() => {
    const all = [...drawing.itemOf.keys()];
    return [...all.filter(({ direct }) => direct), ...all.filter(({ direct }) => !direct)];
  }, [drawing]);
  return {
    reachable,
    graphView,
    chosen,
    choose,
    revealRequest,
    words,
    setWords,
    found,
    goTo,
    goToNext,
    shown,
  };
}

function drawingOf(top: Item) {
  const items = itemsOf(top);
  const itemOf = new Map(items.flatMap((item) => (item.package ? [[item.package, item] as const] : [])));
  return { items, itemOf, layout: layOut(top) };
}

function packagesIn(top: Item): Package[] {
  return itemsOf(top).flatMap((item) => item.package ?? []);
}

/** Those that begin with the words come first. null: nothing is searched for. */
function search(packages: readonly Package[], words: string): Package[] | null {
  const wanted = words.trim().toLowerCase();
  if (wanted === "") return null;
  const rank = ({ name, direct }: Package) => {
    const at = name.toLowerCase().indexOf(wanted);
    if (at < 0) return -1;
    return (name.length === wanted.length ? 4 : 0) + (at === 0 ? 2 : 0) + (direct ? 1 : 0);
  };
  return packages
    .map((one) => ({ one, rank: rank(one) }))
    .filter((each) => each.rank >= 0)
    .toSorted((a, b) => b.rank - a.rank)
    .map(({ one }) => one);
}
