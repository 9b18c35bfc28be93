import { describe, expect, it } from "vitest";
import { layOut, maxPlaces } from "../../../web/src/features/statistics/dependencies/layout.ts";
import {
  packagesOf,
  reachedFrom,
  type GraphNode,
  type Manifest,
} from "../../../web/src/features/statistics/dependencies/packages.ts";
import {
  itemsOf,
  treeOf,
  type Filters,
  type Item,
} from "../../../web/src/features/statistics/dependencies/tree.ts";

const manifest = (path: string, isLock = false): Manifest => ({
  path,
  ecosystem: "npm",
  format: path.slice(path.lastIndexOf("/") + 1),
  is_lock: isLock,
  problem: null,
  dependencies: 1,
});
const asked = (path: string, name: string, more: Partial<GraphNode> = {}): GraphNode => ({
  id: `${path}#${name}`,
  manifest: path,
  ecosystem: "npm",
  name,
  requirement: "^1",
  version: null,
  direct: true,
  scope: "runtime",
  requires: [],
  ...more,
});
const lockPath = "package-lock.json";
const locked = (name: string, version: string, more: Partial<GraphNode> = {}): GraphNode => ({
  ...asked(lockPath, name, { version, direct: false, requirement: null }),
  id: `lock ${name} ${version}`,
  ...more,
});
const manifests = [manifest(lockPath, true), manifest("package.json"), manifest("web/package.json")];
const shape = (item: Item): unknown =>
  item.children.length === 0 ? item.label : { [item.label]: item.children.map(shape) };
const everything: Filters = { manifest: null, ecosystem: null, kind: null, all: true };

describe("packages of a repository", () => {
  it("join what a manifest asks for and what the lock file beside or above it chose", () => {
    const packages = packagesOf(manifests, [
      asked("package.json", "a", { version: "1.1.0" }),
      asked("web/package.json", "a"),
      asked("web/package.json", "unrelated"),
      locked("a", "1.1.0", { direct: true, requirement: "^1", requires: ["lock b 2.0.0"] }),
      locked("b", "2.0.0"),
      locked("unrelated", "9.0.0"),
    ]);
    const facts = packages.map(({ name, versions, locks, needs, neededBy }) => [
      name,
      versions,
      locks,
      needs.map((one) => one.name),
      neededBy.map((one) => one.manifest),
    ]);
    expect(facts).toEqual([
      ["a", ["1.1.0"], [lockPath], ["b"], []],
      ["a", ["1.1.0"], [lockPath], ["b"], []],
      ["unrelated", [], [], [], []],
      ["b", ["2.0.0"], [lockPath], [], ["package.json"]],
      ["unrelated", ["9.0.0"], [lockPath], [], []],
    ]);
  });

  it("count a version once, however often it is installed, and tell versions apart by what was asked for", () => {
    const packages = packagesOf(manifests, [
      asked("web/package.json", "a", { requirement: "^2" }),
      locked("a", "1.0.0", { direct: true, requirement: "^1" }),
      locked("a", "2.0.0", { direct: true, requirement: "^2", requires: ["one", "other"] }),
      locked("b", "1.0.0", { id: "one" }),
      locked("b", "1.0.0", { id: "other", requires: ["lock a 2.0.0"] }),
    ]);
    expect(packages.map(({ name, versions }) => `${name} ${versions.join(" ")}`)).toEqual([
      "a 2.0.0",
      "a 1.0.0",
      "b 1.0.0",
    ]);
    expect(reachedFrom(packages.slice(0, 1)).size).toBe(2);
  });
});

describe("the tree of dependencies", () => {
  const packages = packagesOf(manifests, [
    asked("package.json", "a"),
    asked("web/package.json", "c", { scope: "development" }),
    locked("a", "1.0.0", { direct: true, requirement: "^1", requires: ["lock b 1.0.0"] }),
    locked("b", "1.0.0", { requires: ["lock a 1.0.0", "lock d 1.0.0"] }),
    locked("d", "1.0.0"),
    locked("alone", "1.0.0", { requires: ["lock d 1.0.0"] }),
  ]);
  const tree = (filters: Partial<Filters>) =>
    shape(treeOf("ada/x", { manifests, packages }, { ...everything, ...filters }));

  it("has each package once, below the one with the fewest steps, cycles and what nothing needs included", () => {
    expect(tree({})).toEqual({
      "ada/x": [{ [lockPath]: ["alone"] }, { "package.json": [{ a: [{ b: ["d"] }] }] }, { web: ["c"] }],
    });
  });

  it("puts the only manifest into the middle", () => {
    expect(tree({ manifest: "package.json" })).toEqual({ "ada/x": [{ a: [{ b: ["d"] }] }] });
    expect(tree({ manifest: "package.json", all: false })).toEqual({ "ada/x": ["a"] });
  });

  it("is placed so that nothing covers another, further out with each step", () => {
    const top = treeOf("ada/x", { manifests, packages }, everything);
    const { places, of, radius, left } = layOut(top);
    expect(left).toBe(0);
    expect(new Set(places.map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`)).size).toBe(
      itemsOf(top).length,
    );
    const steps = places.flatMap(({ item, distance }) =>
      item.parent ? distance - (of.get(item.parent)?.distance ?? 0) : [],
    );
    expect(Math.min(...steps)).toBeGreaterThan(0);
    expect(Math.max(...places.map(({ distance }) => distance))).toBeCloseTo(radius);
  });

  it("leaves room for a name between neighbours, and out those furthest away where there are too many", () => {
    const many = packagesOf(
      manifests,
      Array.from({ length: maxPlaces + 50 }, (_, at) => asked("package.json", `p${at}`)),
    );
    const { places, left } = layOut(treeOf("ada/x", { manifests, packages: many }, everything));
    expect(places.length).toBe(maxPlaces);
    expect(left).toBe(51);
    const packagesPlaced = places.filter(({ item }) => item.is === "package");
    expect(Math.min(...packagesPlaced.map(({ room }) => room))).toBeGreaterThan(12);
  });
});
