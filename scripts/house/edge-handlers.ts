/** What edges leave to domains (`docs/architecture/house.md`): putting answers together, and presenting records. */
import { Visitor } from "vite";
import { parseModule } from "../parse-module.ts";

type VisitorObject = ConstructorParameters<typeof Visitor>[0];

const streams = "reads a stream piece by piece while it sends it";

/** Files of `edges/rest/` in which a function awaits more than once, and why. */
export const longerHandlers: Readonly<Record<string, string>> = {
  "server/edges/rest/contents/send-raw.ts": streams,
  "server/edges/rest/contents/send-stream.ts": streams,
  "server/edges/rest/logs/routes.ts":
    "how a log is read depends on what it is and on what the client accepts",
  "server/edges/rest/logs/send-in-turns.ts": streams,
};

const joins = new Set(["Promise.all", "Promise.allSettled", "Promise.any", "Promise.race"]);

/** Lines of the functions in `source` that await more than once. `Promise.all` and its like count as several. */
export function chainingFunctionsIn(file: string, source: string): number[] {
  const found: number[] = [];
  const open: { start: number; awaits: number }[] = [];
  const enter = ({ start }: { start: number }) => void open.push({ start, awaits: 0 });
  const leave = () => {
    const last = open.pop();
    if (last && last.awaits > 1) found.push(source.slice(0, last.start).split("\n").length);
  };
  const count = (awaits: number) => {
    const last = open.at(-1);
    if (last) last.awaits += awaits;
  };
  visit(file, source, {
    FunctionDeclaration: enter,
    "FunctionDeclaration:exit": leave,
    FunctionExpression: enter,
    "FunctionExpression:exit": leave,
    ArrowFunctionExpression: enter,
    "ArrowFunctionExpression:exit": leave,
    AwaitExpression: () => count(1),
    ForOfStatement: (node) => count(node.await ? 1 : 0),
    MemberExpression: ({ start, end }) => count(joins.has(source.slice(start, end)) ? 2 : 0),
  });
  return found;
}

/** Names of presenters that `source` defines: functions called `present` or `present…`. */
export function presentersIn(file: string, source: string): string[] {
  const found: string[] = [];
  const note = (name: string | undefined) => {
    if (name !== undefined && /^present(?![a-z])/.test(name)) found.push(name);
  };
  visit(file, source, {
    FunctionDeclaration: ({ id }) => note(id?.name),
    VariableDeclarator: ({ id, init }) => {
      const isFunction = init?.type === "ArrowFunctionExpression" || init?.type === "FunctionExpression";
      if (id.type === "Identifier" && isFunction) note(id.name);
    },
  });
  return found;
}

/** Names of rows that `source` imports: those that end in `Row`. */
export function rowsImportedIn(file: string, source: string): string[] {
  const { module } = parseModule(file, source);
  return module.staticImports
    .flatMap(({ entries }) => entries.map(({ importName }) => importName.name ?? ""))
    .filter((name) => name.endsWith("Row"));
}

function visit(file: string, source: string, visitor: VisitorObject): void {
  new Visitor(visitor).visit(parseModule(file, source).program);
}
