/** Where stores narrow the types of their rows by hand (`server/platform/db/statement.ts`), and whether they say why. */
import { Visitor, type ESTree } from "vite";
import { parseModule } from "../parse-module.ts";

/**
 * Statements of `Known` without a reason: a comment above them, or above each of their columns. Those that follow with the
 * same type share it.
 */
export function unexplainedIn(file: string, source: string): string[] {
  const { program, comments } = parseModule(file, source);
  const found: string[] = [];
  new Visitor({
    TSInterfaceDeclaration: ({ id, body }) => {
      if (id.name === "Known") found.push(...withoutReason(body.body));
    },
    CallExpression: ({ callee, typeArguments }) => {
      const known = typeArguments?.params[1];
      if (callee.type !== "Identifier" || callee.name !== "defineStatements" || !known) return;
      if (textOf(known) !== "Known") found.push(textOf(known));
    },
    TSTypeAliasDeclaration: ({ id }) => {
      if (id.name === "Known") found.push("Known");
    },
  }).visit(program);
  return found;

  function withoutReason(statements: readonly ESTree.TSSignature[]): string[] {
    let explained = "";
    return statements.flatMap((statement) => {
      if (statement.type !== "TSPropertySignature") return [textOf(statement)];
      const type = statement.typeAnnotation?.typeAnnotation;
      const columns = type?.type === "TSTypeLiteral" ? type.members : [];
      const hasReason = isBelowComment(statement) || (columns.length > 0 && columns.every(isBelowComment));
      if (hasReason && type) explained = textOf(type);
      return hasReason || (type && textOf(type) === explained) ? [] : [textOf(statement.key)];
    });
  }

  function isBelowComment({ start }: ESTree.Node): boolean {
    return comments.some(({ end }) => end <= start && source.slice(end, start).trim() === "");
  }

  function textOf({ start, end }: ESTree.Node): string {
    return source.slice(start, end);
  }
}
