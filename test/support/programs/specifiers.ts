/** What a source file asks for: by `import` of any kind, for types alone too, by `require`, and where it only wants to know the path. */
import { Visitor, type ESTree } from "vite";
import { parseModule } from "../../../scripts/parse-module.ts";

/** Reading the whole tree costs five times as much as the list of imports: only for a file that may have more than those. */
const calls = /\b(?:import|require|resolve)\s*\(|createRequire/;

export function specifiersIn(file: string, text: string): Set<string> {
  const parsed = parseModule(file, text);
  const { staticImports, staticExports } = parsed.module;
  const requests = [...staticImports, ...staticExports.flatMap(({ entries }) => entries)];
  const specifiers = new Set(requests.flatMap(({ moduleRequest }) => moduleRequest?.value ?? []));
  if (calls.test(text)) noteCalls(parsed.program, specifiers);
  return specifiers;
}

function noteCalls(program: ESTree.Program, specifiers: Set<string>): void {
  const note = (node: ESTree.Node | undefined) => {
    if (node?.type === "Literal" && typeof node.value === "string") specifiers.add(node.value);
  };
  new Visitor({
    ImportExpression: ({ source }) => note(source),
    TSImportType: ({ source }) => note(source),
    CallExpression: ({ callee, arguments: [first] }) => {
      if (isRequire(callee) || isResolve(callee)) note(first);
    },
  }).visit(program);
}

/** `require`, or `createRequire(…)` on the spot. */
function isRequire(callee: ESTree.Expression): boolean {
  if (callee.type === "CallExpression")
    return callee.callee.type === "Identifier" && callee.callee.name === "createRequire";
  return callee.type === "Identifier" && callee.name === "require";
}

/** `require.resolve`, `createRequire(…).resolve` or `import.meta.resolve`; not that of paths or promises. */
function isResolve(callee: ESTree.Expression): boolean {
  if (callee.type !== "MemberExpression" || callee.property.type !== "Identifier") return false;
  if (callee.property.name !== "resolve" || callee.object.type === "Super") return false;
  return callee.object.type === "MetaProperty" || isRequire(callee.object);
}
