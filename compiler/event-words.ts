/** W910: conditions that compare the event with a word that is no event, and so never or always hold. */
import { pipelineEventNames } from "@forgeline/schemas/pipeline-file/event.ts";
import type { Expression } from "./expression/parse.ts";
import { valueHint } from "./other-words.ts";
import type { Report } from "./report.ts";
import type { Span } from "./source.ts";
import { quote, suggestion } from "./suggest.ts";

export interface ComparedEvent {
  name: string;
  span: Span;
}

/** Words that an expression compares with `event`, with their place in it. */
export function eventsIn(node: Expression): { name: string; start: number; end: number }[] {
  if (node.kind === "not") return eventsIn(node.operand);
  if (node.kind === "call") return node.args.flatMap(eventsIn);
  if (node.kind !== "binary") return [];
  const { operator, left, right } = node;
  if (operator !== "==" && operator !== "!=") return [...eventsIn(left), ...eventsIn(right)];
  const [name, word] = left.kind === "literal" ? [right, left] : [left, right];
  if (name.kind !== "name" || name.name !== "event" || word.kind !== "literal") return [];
  if (typeof word.value !== "string") return [];
  return [{ name: word.value, start: word.start, end: word.end }];
}

export function warnUnknownEvents(events: readonly ComparedEvent[], report: Report): void {
  for (const { name, span } of events) {
    if ((pipelineEventNames as readonly string[]).includes(name)) continue;
    report.add("W910", span, {
      message: `no run has the event ${quote(name)}`,
      hint: valueHint("event", name) ?? suggestion(name, pipelineEventNames, "Events"),
    });
  }
}
