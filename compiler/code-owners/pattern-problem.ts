/** What is wrong with a pattern of a CODEOWNERS file. */

export interface PatternProblem {
  /** Where in the pattern, from 0. */
  at: number;
  message: string;
  suggestion?: string;
}

/** Nearly all patterns have nothing of what can be wrong. */
const suspect = /^!|^\/$|[\\[\]]|\*{3}|\/\/|(?:^|\/)\.{1,2}(?:\/|$)/;

/** As long as a path can be. */
const maxLength = 4096;

export function problemOfPattern(text: string): PatternProblem | undefined {
  if (text.length > maxLength)
    return { at: maxLength, message: `a pattern has at most ${maxLength} characters` };
  return suspect.test(text) ? problemOf(text) : undefined;
}

function problemOf(text: string): PatternProblem | undefined {
  if (text.startsWith("!")) return negated(text);
  const bracket = unescapedAt(text, "[]");
  if (bracket >= 0)
    return {
      at: bracket,
      message: "[ ] cannot stand for a range of characters here",
      suggestion: text.replaceAll(/\\.|[[\]]/gs, (found) => (found.length > 1 ? found : `\\${found}`)),
    };
  if (endsInBackslash(text))
    return { at: text.length - 1, message: "nothing follows the backslash", suggestion: text.slice(0, -1) };
  const stars = /\*{3,}/.exec(text.replaceAll(/\\./gs, "  "));
  if (stars)
    return {
      at: stars.index,
      message: "more than two stars in a row mean nothing",
      suggestion: text.replaceAll(/\*{3,}/g, "**"),
    };
  return problemOfSegments(text);
}

function negated(text: string): PatternProblem {
  return {
    at: 0,
    message: "! cannot exclude files here; a later line with a pattern and no owners takes owners away",
    suggestion: text.slice(1),
  };
}

function problemOfSegments(text: string): PatternProblem | undefined {
  if (text === "/") return { at: 0, message: "/ alone matches no file", suggestion: "*" };
  const double = text.indexOf("//");
  if (double >= 0)
    return {
      at: double,
      message: "a path has no empty part between slashes",
      suggestion: text.replaceAll(/\/{2,}/g, "/"),
    };
  if (!splitSegments(text).some((segment) => segment === "." || segment === "..")) return undefined;
  const message = "a path has no part . or ..; patterns begin at the top of the repository";
  return text.startsWith("./") && text.length > 2
    ? { at: 0, message, suggestion: text.slice(1) }
    : { at: 0, message };
}

function unescapedAt(text: string, characters: string): number {
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === "\\") at += 1;
    else if (characters.includes(text.charAt(at))) return at;
  }
  return -1;
}

function endsInBackslash(text: string): boolean {
  let count = 0;
  while (text[text.length - 1 - count] === "\\") count += 1;
  return count % 2 === 1;
}

/** An escaped slash is a slash. */
export function splitSegments(text: string): string[] {
  const plain = text.includes("\\")
    ? text.replaceAll(/\\./gs, (escaped) => (escaped === "\\/" ? "/" : escaped))
    : text;
  return plain.split("/");
}
