/** What is wrong with a field, in words for whoever filled it in. A schema that has words of its own keeps them. */
import type { z } from "zod";

type Issue = z.core.$ZodIssue;

export function messageOf(issue: Issue): string {
  if (!isZodsOwn(issue.message)) return issue.message;
  switch (issue.code) {
    case "invalid_type":
      return issue.message.endsWith("received undefined")
        ? "This is required."
        : `This must be ${typeWords(issue)}.`;
    case "too_small":
      return tooSmall(issue);
    case "too_big":
      return `At most ${issue.maximum}${unitOf(issue.origin, Number(issue.maximum))}.`;
    case "invalid_value":
      return `One of: ${issue.values.map(String).join(", ")}.`;
    case "invalid_format":
      return formatWords(issue.format);
    default:
      return issue.message;
  }
}

function isZodsOwn(message: string): boolean {
  return /^(?:Invalid |Too (?:small|big): )/.test(message);
}

function tooSmall({ origin, minimum }: Extract<Issue, { code: "too_small" }>): string {
  if (Number(minimum) === 1 && origin === "string") return "This must not be empty.";
  if (Number(minimum) === 1 && origin === "array") return "At least one entry is required.";
  return `At least ${minimum}${unitOf(origin, Number(minimum))}.`;
}

function unitOf(origin: string, count: number): string {
  if (origin === "string") return count === 1 ? " character" : " characters";
  return origin === "array" || origin === "set" ? (count === 1 ? " entry" : " entries") : "";
}

function typeWords({ expected }: Extract<Issue, { code: "invalid_type" }>): string {
  const words: Record<string, string> = {
    string: "text",
    int: "a whole number",
    number: "a number",
    boolean: "true or false",
    array: "a list",
    object: "an object",
    record: "an object",
  };
  return words[expected] ?? expected;
}

function formatWords(format: string): string {
  const words: Record<string, string> = {
    email: "This is not an e-mail address.",
    url: "This is not a URL.",
    datetime: "This is not a time such as 2026-01-31T12:00:00Z.",
  };
  return words[format] ?? "This does not have the required format.";
}
