import { expect, test } from "vitest";
import { manifestsOf } from "@forgeline/server/domains/hosting/statistics/manifests/collect.ts";
import { formatOf } from "@forgeline/server/domains/hosting/statistics/manifests/formats.ts";
import { linkLocks } from "@forgeline/server/domains/hosting/statistics/manifests/link-locks.ts";
import { createManifestReader } from "@forgeline/server/domains/hosting/statistics/manifests/manifest-reader.ts";
import { readManifest } from "@forgeline/server/domains/hosting/statistics/manifests/read-manifest.ts";

/** One line for each: `name requirement version`, `*` for direct ones, scope unless `runtime`, then what it requires. */
function told(format: string, text: string): string[] {
  const { dependencies, problem } = readManifest(format, text);
  expect(problem).toBeNull();
  return dependencies.map((one) =>
    [
      `${one.direct ? "*" : ""}${one.name}`,
      one.requirement ?? "-",
      one.version ?? "-",
      ...(one.scope === "runtime" ? [] : [one.scope]),
      ...one.requires.map((at) => `>${dependencies[at]?.name}`),
    ].join(" "),
  );
}

const lock3 = {
  lockfileVersion: 3,
  packages: {
    "": { dependencies: { a: "^1.0.0" }, devDependencies: { "@s/d": "2" }, workspaces: ["w"] },
    w: { dependencies: { b: "~2" } },
    "node_modules/w": { link: true, resolved: "w" },
    "node_modules/a": { version: "1.2.0", dependencies: { b: "^1" } },
    "node_modules/a/node_modules/b": { version: "1.9.0", dependencies: { c: "*" } },
    "node_modules/b": { version: "2.0.1" },
    "node_modules/c": { version: "3.0.0" },
    "node_modules/@s/d": { version: "2.5.0", dev: true, devDependencies: { c: "1" } },
  },
};
const lock1 = {
  dependencies: {
    a: {
      version: "1.2.0",
      requires: { b: "^1" },
      dependencies: { b: { version: "1.9.0", requires: { c: "*" } } },
    },
    b: { version: "2.0.1" },
    c: { version: "3.0.0", dev: true },
  },
};

test.each<[string, string, string[]]>([
  [
    "package.json",
    '{"dependencies":{"a":"^1"},"devDependencies":{"@s/d":"2"},"peerDependencies":{"p":"*"}}',
    ["*a ^1 -", "*@s/d 2 - development", "*p * - peer"],
  ],
  [
    "package-lock.json",
    JSON.stringify(lock3),
    ["*a ^1.0.0 1.2.0 >b", "b - 1.9.0 >c", "*b ~2 2.0.1", "c - 3.0.0", "*@s/d 2 2.5.0 development"],
  ],
  [
    "npm-shrinkwrap.json",
    JSON.stringify(lock1),
    ["a - 1.2.0 >b", "b - 1.9.0 >c", "b - 2.0.1", "c - 3.0.0 development"],
  ],
  [
    "pnpm-lock.yaml",
    "lockfileVersion: '9.0'\nimporters:\n  .:\n    dependencies:\n      a:\n        specifier: ^1\n        version: 1.0.0(p@2.0.0)\npackages:\n  a@1.0.0: {}\nsnapshots:\n  a@1.0.0(p@2.0.0):\n    dependencies:\n      '@s/b': 3.0.0\n      p: 2.0.0\n  '@s/b@3.0.0': {}\n  p@2.0.0: {}\n",
    ["*a ^1 1.0.0 >@s/b >p", "@s/b - 3.0.0", "p - 2.0.0"],
  ],
  [
    "pnpm-lock.yaml",
    "lockfileVersion: '6.0'\ndevDependencies:\n  a:\n    specifier: ^1\n    version: 1.0.0\npackages:\n  /a@1.0.0:\n    dependencies:\n      b: 2.0.0\n  /b@2.0.0: {}\n",
    ["*a ^1 1.0.0 development >b", "b - 2.0.0"],
  ],
  [
    "yarn.lock",
    '# yarn lockfile v1\n\n"@s/a@^1.0.0", "@s/a@^1.1.0":\n  version "1.2.0"\n  dependencies:\n    b "~2.0.0"\n\nb@~2.0.0:\n  version "2.0.3"\n',
    ["@s/a - 1.2.0 >b", "b - 2.0.3"],
  ],
  [
    "yarn.lock",
    '__metadata:\n  version: 8\n\n"a@npm:^1.0.0":\n  version: 1.2.0\n  resolution: "a@npm:1.2.0"\n  dependencies:\n    b: "npm:~2.0.0"\n\n"b@npm:~2.0.0":\n  version: 2.0.3\n  resolution: "b@npm:2.0.3"\n\n"me@workspace:.":\n  version: 0.0.0-use.local\n  resolution: "me@workspace:."\n  dependencies:\n    a: "npm:^1.0.0"\n',
    ["*a ^1.0.0 1.2.0 >b", "b - 2.0.3"],
  ],
  [
    "requirements.txt",
    "# all\n-r other.txt\nDjango==4.2 # web\nrequests[socks] >=2.0,<3 ; python_version > '3'\nzope_x\nurl @ https://x/y.whl\nhttps://x/z.whl\nh==1 \\\n  --hash=sha256:00\n",
    ["*django ==4.2 4.2", "*requests >=2.0,<3 -", "*zope-x - -", "*url @ https://x/y.whl -", "*h ==1 1"],
  ],
  [
    "pyproject.toml",
    '[project]\ndependencies = ["A_b>=1"]\n[project.optional-dependencies]\nx = ["c"]\n[dependency-groups]\ndev = ["d", {include-group = "e"}]\n[build-system]\nrequires = ["hatchling"]\n[tool.poetry.dependencies]\npython = "^3"\np = "^1"\nq = {version = "2", optional = true}\n[tool.poetry.group.test.dependencies]\nt = "*"\n',
    [
      "*a-b >=1 -",
      "*c - - optional",
      "*d - - development",
      "*hatchling - - build",
      "*p ^1 -",
      "*q 2 - optional",
      "*t * - development",
    ],
  ],
  [
    "poetry.lock",
    '[[package]]\nname = "A"\nversion = "1"\n[package.dependencies]\nB = ">=2"\n[[package]]\nname = "b"\nversion = "2"\noptional = true\n',
    ["a - 1 >b", "b - 2 optional"],
  ],
  [
    "uv.lock",
    'version = 1\n[[package]]\nname = "me"\nversion = "0"\nsource = { virtual = "." }\ndependencies = [{ name = "a" }]\n[package.metadata]\nrequires-dist = [{ name = "a", specifier = ">=1" }]\n[[package]]\nname = "a"\nversion = "1.5"\nsource = { registry = "x" }\ndependencies = [{ name = "b" }]\n[[package]]\nname = "b"\nversion = "2"\nsource = { registry = "x" }\n',
    ["*a >=1 1.5 >b", "b - 2"],
  ],
  [
    "Pipfile.lock",
    '{"default":{"a":{"version":"==1.0"}},"develop":{"b":{"version":"==2.0"}}}',
    ["a - 1.0", "b - 2.0 development"],
  ],
  [
    "Cargo.toml",
    '[dependencies]\na = "1"\nreal = { package = "b", version = "2", optional = true }\n[dev-dependencies]\nc = { path = "../c" }\n[target."cfg(unix)".build-dependencies]\nd = "4"\n',
    ["*a 1 -", "*b 2 - optional", "*c - - development", "*d 4 - build"],
  ],
  [
    "Cargo.lock",
    'version = 4\n[[package]]\nname = "me"\nversion = "0.1.0"\ndependencies = ["a 2.0.0"]\n[[package]]\nname = "a"\nversion = "1.0.0"\nsource = "r"\n[[package]]\nname = "a"\nversion = "2.0.0"\nsource = "r"\ndependencies = ["b"]\n[[package]]\nname = "b"\nversion = "3.0.0"\nsource = "r"\n',
    ["a - 1.0.0", "*a - 2.0.0 >b", "b - 3.0.0"],
  ],
  [
    "go.mod",
    'module x\n\ngo 1.22\n\nrequire github.com/a/b v1.2.3\n\nrequire (\n\tgolang.org/x/c v0.1.0 // indirect\n\t"d.org/e" v2.0.0+incompatible\n)\nreplace (\n\ta => b v1\n)\n',
    [
      "*github.com/a/b v1.2.3 v1.2.3",
      "golang.org/x/c v0.1.0 v0.1.0",
      "*d.org/e v2.0.0+incompatible v2.0.0+incompatible",
    ],
  ],
  [
    "pom.xml",
    "<project><version>9</version><properties><j.v>4.13</j.v></properties><dependencyManagement><dependencies><dependency><groupId>g</groupId><artifactId>m</artifactId><version>1.10</version></dependency></dependencies></dependencyManagement><dependencies><dependency><groupId>junit</groupId><artifactId>junit</artifactId><version>${j.v}</version><scope>test</scope></dependency><dependency><groupId>g</groupId><artifactId>m</artifactId></dependency><dependency><groupId>g</groupId><artifactId>r</artifactId><version>[1,2)</version></dependency><dependency><groupId>g</groupId><artifactId>own</artifactId><version>${project.version}</version></dependency></dependencies></project>",
    ["*junit:junit 4.13 4.13 development", "*g:m 1.10 1.10", "*g:r [1,2) -", "*g:own 9 9"],
  ],
])("%s is read (%#)", (format, text, expected) => {
  expect(told(format, text)).toEqual(expected);
});

test.each([
  ["package.json", "{", /JSON/],
  ["package.json", "[]", /table/],
  ["package.json", '{"dependencies":["a"]}', /dependencies is not a table/],
  ["package-lock.json", '{"packages":{"node_modules/a":3}}', /not a table/],
  ["pnpm-lock.yaml", "lockfileVersion: 5.4\n", /version 6/],
  ["pnpm-lock.yaml", "a: &a [x]\nb: *a\n", /alias/i],
  ["yarn.lock", "{{{", /./],
  ["Cargo.toml", "[dependencies\n", /TOML/],
  ["pyproject.toml", "project = 3\n", /table/],
  ["go.mod", "nothing\n", /module/],
  ["pom.xml", "<project><a></project>", /line 1/],
  ["pom.xml", '<!DOCTYPE p [<!ENTITY a "b">]><project>&a;</project>', /document type/],
])("%s with %j has a problem that says why", (format, text, problem) => {
  expect(readManifest(format, text)).toEqual({ dependencies: [], problem: expect.stringMatching(problem) });
});

test("files beside each other learn from each other", () => {
  const of = (path: string, text: string) => {
    const format = formatOf(path)!;
    return { format, dependencies: readManifest(format.format, text).dependencies };
  };
  const manifest = of("package.json", '{"dependencies":{"a":"^1"},"devDependencies":{"b":"2"}}');
  const lock = of(
    "yarn.lock",
    '# yarn lockfile v1\n\na@^1:\n  version "1.5"\n\nb@2:\n  version "2.1"\n\nc@*:\n  version "3.0"\n',
  );
  linkLocks([manifest, lock]);
  expect(manifest.dependencies.map(({ version }) => version)).toEqual(["1.5", "2.1"]);
  expect(lock.dependencies).toMatchObject([
    { name: "a", direct: true, requirement: "^1" },
    { name: "b", direct: true, scope: "development" },
    { name: "c", direct: false, requirement: null },
  ]);
});

test("names and places tell what is a manifest", () => {
  expect(formatOf("a/requirements-dev.txt")).toMatchObject({ format: "requirements.txt" });
  for (const path of ["node_modules/a/package.json", "vendor/x/go.mod", "package.json.bak", "constructor"])
    expect(formatOf(path)).toBeUndefined();
});

test("what takes too much memory has a problem, and the next file is read", async () => {
  const reader = createManifestReader();
  try {
    const deep = `${"[".repeat(4_000_000)}`;
    expect((await reader.read("package.json", deep)).problem).not.toBeNull();
    const wide = `{"dependencies":{${Array.from({ length: 30_000 }, (_, i) => `"a${i}":"1"`).join(",")}}}`;
    expect((await reader.read("package.json", wide)).problem).toMatch(/more than 20000/);
    expect((await reader.read("package.json", '{"dependencies":{"a":"1"}}')).dependencies.length).toBe(1);
  } finally {
    await reader.close();
  }
});

test("manifests whose path is longer than the database's key takes are left out", () => {
  const file = (path: string) => ({ path, before: null, after: "a".repeat(40) });
  const of = (length: number) => `${"ä/".repeat(length)}package.json`;
  expect(manifestsOf([file(of(337)), file(of(338))]).map(({ path }) => path)).toEqual([of(337)]);
});
