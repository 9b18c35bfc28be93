/** Files of Python's tools: pip, Poetry, uv, Pipenv. */
import { parse as parseToml } from "smol-toml";
import type { DependencyScope } from "@forgeline/schemas/statistics/dependencies.ts";
import { listOf, locked, tableOf, textOf, wanted, type Dependency, type Json } from "./dependency.ts";

/** As PyPI compares names. */
export function pythonName(name: string): string {
  return name.toLowerCase().replaceAll(/[-_.]+/g, "-");
}

/** `Requests[socks] (>=2.0); python_version < "3"`; undefined if it is not a requirement. */
function requirementOf(text: string, scope: DependencyScope): Dependency | undefined {
  const match = /^\s*(?<name>[A-Za-z0-9][\w.-]*)\s*(?:\[[^\]]*\])?\s*(?<rest>[^;]*)/.exec(text);
  if (!match?.groups) return undefined;
  const rest = match.groups["rest"]!.trim().replace(/^\((.*)\)$/, "$1");
  const exact = /^===?\s*(?<version>[^\s,*]+)$/.exec(rest)?.groups?.["version"];
  const one = wanted(pythonName(match.groups["name"]!), rest === "" ? null : rest, scope);
  return { ...one, version: exact ?? null };
}

const requirementsOf = (list: unknown, what: string, scope: DependencyScope) =>
  listOf(list, what).flatMap((each) => requirementOf(textOf(each) ?? "", scope) ?? []);

export function readRequirements(text: string): Dependency[] {
  return text
    .replaceAll(/\\\r?\n/g, " ")
    .split(/\r?\n/)
    .map((line) => line.replace(/(?:^|\s)#.*$/, "").replace(/\s--\S.*$/, ""))
    .filter((line) => !/^\s*(?:-|$)/.test(line) && !/^\s*\w+:\/\//.test(line))
    .flatMap((line) => requirementOf(line, "runtime") ?? []);
}

export function readPyproject(text: string): Dependency[] {
  const file = parseToml(text) as Json;
  const project = tableOf(file["project"], "project");
  const optional = Object.values(tableOf(project["optional-dependencies"], "optional-dependencies"));
  const groups = Object.values(tableOf(file["dependency-groups"], "dependency-groups"));
  const poetry = tableOf(tableOf(file["tool"], "tool")["poetry"], "tool.poetry");
  const poetryGroups = Object.values(tableOf(poetry["group"], "tool.poetry.group")).map(
    (group) => tableOf(group, "tool.poetry.group")["dependencies"],
  );
  return [
    ...requirementsOf(project["dependencies"], "project.dependencies", "runtime"),
    ...optional.flatMap((list) => requirementsOf(list, "optional-dependencies", "optional")),
    ...groups.flatMap((list) => requirementsOf(list, "dependency-groups", "development")),
    ...requirementsOf(
      tableOf(file["build-system"], "build-system")["requires"],
      "build-system.requires",
      "build",
    ),
    ...poetryTable(poetry["dependencies"], "runtime"),
    ...[poetry["dev-dependencies"], ...poetryGroups].flatMap((table) => poetryTable(table, "development")),
  ];
}

function poetryTable(table: unknown, scope: DependencyScope): Dependency[] {
  return Object.entries(tableOf(table, "tool.poetry.dependencies"))
    .filter(([name]) => name !== "python")
    .map(([name, value]) => {
      const detail = typeof value === "string" ? { version: value } : tableOf([value].flat()[0], name);
      const isOptional = "optional" in detail && detail["optional"] === true;
      return wanted(pythonName(name), textOf(detail["version"]), isOptional ? "optional" : scope);
    });
}

/** `poetry.lock` and `uv.lock`, which are much alike. */
export function readPythonLock(text: string): Dependency[] {
  const packages = listOf((parseToml(text) as Json)["package"], "package").map((each) =>
    tableOf(each, "package"),
  );
  const nameOf = (each: Json) => pythonName(textOf(each["name"]) ?? "");
  const own = packages.filter(isProject);
  const others = packages.filter((each) => !isProject(each));
  const list = others.map((each) => locked(nameOf(each), textOf(each["version"]), lockedScope(each)));
  const find = ({ name, version }: Needed) =>
    list.findIndex((one) => one.name === name && (version === null || one.version === version));
  others.forEach((each, position) => {
    const found = neededBy(each, ["dependencies"]).map(find);
    list[position]!.requires = [...new Set(found.filter((at) => at >= 0))];
  });
  for (const project of own) {
    for (const needed of neededBy(project, ["dependencies", "optional-dependencies", "dev-dependencies"])) {
      const found = list[find(needed)];
      if (found) found.direct = true;
    }
    for (const each of listOf(tableOf(project["metadata"], "metadata")["requires-dist"], "requires-dist")) {
      const { name, specifier } = tableOf(each, "requires-dist");
      const found = list.find((one) => one.direct && one.name === pythonName(textOf(name) ?? ""));
      if (found) found.requirement = textOf(specifier);
    }
  }
  return list;
}

function isProject(each: Json): boolean {
  const source = tableOf(each["source"], "source");
  return source["virtual"] !== undefined || source["editable"] !== undefined;
}

function lockedScope(each: Json): DependencyScope {
  if (each["category"] === "dev") return "development";
  return each["optional"] === true ? "optional" : "runtime";
}

interface Needed {
  name: string;
  version: string | null;
}

/** A table by name (Poetry), a list of tables (uv), or a table of such lists. */
function neededBy(each: Json, keys: readonly string[]): Needed[] {
  const ofList = (list: unknown[]) =>
    list.map((one) => {
      const { name, version } = tableOf(one, "dependencies");
      return { name: pythonName(textOf(name) ?? ""), version: textOf(version) };
    });
  return keys.flatMap((key) => {
    const value = each[key];
    if (Array.isArray(value)) return ofList(value);
    return Object.entries(tableOf(value, key)).flatMap(([name, inner]) =>
      key !== "dependencies" && Array.isArray(inner)
        ? ofList(inner)
        : [{ name: pythonName(name), version: null }],
    );
  });
}

export function readPipfileLock(text: string): Dependency[] {
  const file = tableOf(JSON.parse(text), "The file");
  const group = (key: string, scope: DependencyScope) =>
    Object.entries(tableOf(file[key], key)).map(([name, value]) => {
      const version = textOf(tableOf(value, name)["version"])?.replace(/^===?/, "") ?? null;
      return locked(pythonName(name), version, scope);
    });
  return [...group("default", "runtime"), ...group("develop", "development")];
}
