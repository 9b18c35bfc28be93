/** Which programs our sources start: read from the calls of `node:child_process` and execa, and of functions that pass a name on to them. */
import { globSync, readFileSync } from "node:fs";
import { basename, dirname, join, normalize } from "node:path";
import { Visitor, type ESTree } from "vite";
import { parseModule } from "../../../scripts/parse-module.ts";

export interface Spawned {
  /** Files that start a program, by its name. */
  byName: Map<string, Set<string>>;
  /** Files with a call whose program is no literal. */
  unnamed: Set<string>;
}

/** Path and text of a source. */
export type Sources = ReadonlyMap<string, string>;

const rooms = "{bench,cli,clients,compiler,launcher,runner,schemas,scripts,server,test,web,workflows}";
const leftOut = new Set(["node_modules", "dist", "generated"]);
/** A function that starts what it is given calls its first parameter so. */
const parameterNames = new Set(["program", "command"]);
const startingModules = new Set(["node:child_process", "execa"]);

export function readSources(root: string): Sources {
  const exclude = (path: string) => leftOut.has(basename(path));
  const files = globSync(`${rooms}/**/*.{ts,tsx,mjs}`, { cwd: root, exclude });
  return new Map(files.map((file) => [file, readFileSync(join(root, file), "utf8")]));
}

export function findSpawned(sources: Sources): Spawned {
  const spawned: Spawned = { byName: new Map(), unnamed: new Set() };
  const starting = [...sources].filter(([, text]) => /child_process|"execa"/.test(text));
  const exported = new Map(
    starting.map(([file, text]) => [file, startersIn(parseModule(file, text).program)]),
  );
  const modules = [...exported].flatMap(([file, names]) => (names.size > 0 ? [`${basename(file)}"`] : []));
  for (const [file, text] of sources) {
    if (!exported.has(file) && !modules.some((name) => text.includes(name))) continue;
    readCalls({ file, program: parseModule(file, text).program, exported, spawned });
  }
  return spawned;
}

/** Functions declared here that start what their first parameter names. */
function startersIn(program: ESTree.Program): Set<string> {
  const names = new Set<string>();
  new Visitor({
    FunctionDeclaration: ({ id, params }) => void (id && isStarter(params) && names.add(id.name)),
    VariableDeclarator: ({ id, init }) => {
      const isFunction = init?.type === "ArrowFunctionExpression" || init?.type === "FunctionExpression";
      if (id.type === "Identifier" && isFunction && isStarter(init.params)) names.add(id.name);
    },
  }).visit(program);
  return names;
}

function isStarter([first]: readonly ESTree.ParamPattern[]): boolean {
  if (first?.type !== "Identifier" || !parameterNames.has(first.name)) return false;
  return first.typeAnnotation?.typeAnnotation.type === "TSStringKeyword";
}

interface Reading {
  file: string;
  program: ESTree.Program;
  exported: ReadonlyMap<string, ReadonlySet<string>>;
  spawned: Spawned;
}

function readCalls({ file, program, exported, spawned }: Reading): void {
  const starters = new Set([...(exported.get(file) ?? []), ...importedStarters(file, program, exported)]);
  const passesOn = (exported.get(file)?.size ?? 0) > 0;
  const note = (argument: ESTree.Node | undefined) => {
    const names = namesIn(argument, passesOn);
    if (names === undefined) spawned.unnamed.add(file);
    for (const name of names ?? []) {
      const files = spawned.byName.get(name) ?? new Set();
      spawned.byName.set(name, files.add(file));
    }
  };
  new Visitor({
    VariableDeclarator: ({ id, init }) => {
      if (id.type === "Identifier" && isPromisified(init, starters)) starters.add(id.name);
    },
    CallExpression: ({ callee, arguments: [first] }) => {
      const isCall = callee.type === "Identifier" && starters.has(callee.name);
      if (isCall || isPromisified(callee, starters)) note(first);
    },
  }).visit(program);
}

/** Of the modules that start programs, and of our own that pass on; also where they are imported only when they are needed. */
function importedStarters(file: string, program: ESTree.Program, exported: Reading["exported"]): string[] {
  const names: string[] = [];
  new Visitor({
    ImportDeclaration: ({ source, specifiers }) => {
      const from = exported.get(resolve(file, source.value));
      for (const one of specifiers) {
        const name =
          one.type === "ImportSpecifier" && one.imported.type === "Identifier" && one.imported.name;
        if (startingModules.has(source.value) || (name && from?.has(name))) names.push(one.local.name);
      }
    },
    VariableDeclarator: ({ id, init }) => {
      const imported = init?.type === "AwaitExpression" && init.argument.type === "ImportExpression";
      if (!imported || id.type !== "ObjectPattern") return;
      for (const one of id.properties)
        if (one.type === "Property" && one.value.type === "Identifier" && isOfStarting(init.argument))
          names.push(one.value.name);
    },
  }).visit(program);
  return names;
}

function isOfStarting(expression: ESTree.Expression): boolean {
  const source = expression.type === "ImportExpression" ? expression.source : undefined;
  return source?.type === "Literal" && startingModules.has(String(source.value));
}

function resolve(file: string, source: string): string {
  if (source.startsWith("@forgeline/")) return source.slice("@forgeline/".length);
  return normalize(join(dirname(file), source));
}

function isPromisified(node: ESTree.Node | null | undefined, starters: ReadonlySet<string>): boolean {
  if (node?.type !== "CallExpression" || node.callee.type !== "Identifier") return false;
  const [first] = node.arguments;
  return node.callee.name === "promisify" && first?.type === "Identifier" && starters.has(first.name);
}

/** Undefined where it is not to be read from the call; none for Node itself, and for what a starter passes on. */
function namesIn(node: ESTree.Node | undefined, passesOn: boolean): string[] | undefined {
  if (node?.type === "Literal" && typeof node.value === "string") return [basename(node.value)];
  if (node?.type === "Identifier" && passesOn && parameterNames.has(node.name)) return [];
  if (node?.type === "MemberExpression" && node.property.type === "Identifier")
    return node.property.name === "execPath" ? [] : undefined;
  return undefined;
}
