/** What a domain may know of the form of requests (`docs/decisions/0042-domains-name-the-field.md`). */
import { Visitor } from "vite";
import { parseModule } from "../parse-module.ts";

/** Values that a source imports from the contracts of routes: whoever has those can parse a request. */
export function contractValuesIn(file: string, source: string): string[] {
  const found: string[] = [];
  const { program } = parseModule(file, source);
  new Visitor({
    ImportDeclaration: ({ source: { value }, importKind, specifiers }) => {
      if (!/^@forgeline\/schemas\/.*routes\.ts$/.test(value) || importKind === "type") return;
      for (const one of specifiers)
        if (one.type !== "ImportSpecifier" || one.importKind !== "type") found.push(one.local.name);
    },
  }).visit(program);
  return found;
}

/** How often a source makes the error of wrong input by itself, not by `invalidField` or `invalidFields`. */
export function ownValidationErrorsIn(file: string, source: string): number {
  let count = 0;
  new Visitor({
    NewExpression: ({ callee, arguments: [code] }) => {
      if (callee.type !== "Identifier" || callee.name !== "AppError") return;
      if (code?.type === "Literal" && code.value === "validation_failed") count += 1;
    },
  }).visit(parseModule(file, source).program);
  return count;
}
