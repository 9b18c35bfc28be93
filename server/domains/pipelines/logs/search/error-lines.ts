/**
 * Which lines look like the error that made a step fail. The rule is in `docs/pipelines/logs.md`, in the same order. Pure; each
 * expression takes one way through a line, so a hostile line costs no more than another.
 */

/** What every line has that `looksLikeError` accepts; in lower case. */
const hints =
  /error|err!|fatal|fail|panic|exception|traceback|assert|not ok|abort|segmentation fault|cannot |not found|denied|no such file|undefined reference|killed|exit status|exit code|exited with|✗|✖|✕/g;

/** Longer lines are judged by their beginning. */
const judgedLength = 2_000;

/** At the beginning of a line, after a time, a tag such as `[build]` or `|`, and blanks. */
const beginnings = [
  /^(?:error|fatal|fatal error|panic|exception|uncaught exception|assertionerror|critical|severe)\b(?!-)/i,
  /^(?:\[|##\[|::|<)(?:error|fatal|critical|severe)\b/i,
  /^(?:npm|pnpm|yarn|go|cargo|make|gmake|bash|sh|cmake)(?:\[\d+\])?:? (?:err!|error\b|\*\*\*)/i,
  /^traceback \(most recent call last\)/i,
  /^(?:---? )?fail(?:ed|ure)?(?::|\b(?= )|$)/i,
  /^not ok \d/i,
  /^e {2,}\S/i,
  /^(?:✗|✖|✕) /i,
  /^thread '.{0,100}' panicked/i,
  /^(?:unhandled|uncaught) /i,
  /^killed\s*$/i,
  // Of dash, BusyBox and others for a program that is not there; Bash says `command not found`.
  /^(?:\S{1,200}: (?:line )?\d{1,6}|(?:\S{0,200}\/)?(?:ba|da|a|k|mk|z)?sh): .{1,200}: not found\s*$/i,
];

/** Anywhere in a line. */
const anywhere = [
  /\b(?:error|fatal|exception|failure)(?: ?\[[\w-]{1,40}\]| [a-z]{1,4}\d{2,6})?:/i,
  /\b[A-Za-z]{2,60}(?:Error|Exception)\b(?::|$)/,
  /\b(?:ERROR|FATAL|FAILED|CRITICAL)\b/,
  /\b(?:command not found|no such file or directory|permission denied|segmentation fault|undefined reference to|core dumped)/i,
  /\bassertion (?:.{0,80} )?failed/i,
  // A program that is not there, or that cannot be run.
  /\bexit(?:ed)?(?: with)?(?: (?:exit )?(?:status|code):?)? 12[67]\b/i,
  /: cannot /i,
];

/** Says that there is none, or that one is expected. */
const harmless =
  /\b(?:0|no) (?:errors|failures|failed)\b|\bwithout (?:errors?|failures?)\b|\b(?:errors?|failures?|failed)\s*[:=]\s*0\b|^[+$>] /i;

const prefix =
  /^(?:\s|\[[\w :.-]{1,40}\]|\(?\d{4}-\d\d-\d\d[T ][\d:.,]{1,20}(?:Z|[+-]\d\d:?\d\d)?\)?|\d\d:\d\d:\d\d[\d.,]{0,10}|[\w.-]{1,30} *\|(?= ))*/;

/** Where the next line may be an error at or after `from`; -1 for nowhere. `folded` is in lower case. */
export function mayBeError(folded: string, from: number): number {
  hints.lastIndex = from;
  const found = hints.exec(folded);
  return found ? found.index : -1;
}

/** Of a line without escape sequences. */
export function looksLikeError(line: string): boolean {
  const judged = line.slice(0, judgedLength);
  if (harmless.test(judged.trimStart())) return false;
  // What stands before may itself be in brackets as `[error]` is, so both are looked at.
  const trimmed = judged.trimStart();
  const bare = judged.replace(prefix, "");
  return (
    beginnings.some((begins) => begins.test(trimmed) || begins.test(bare)) ||
    anywhere.some((says) => says.test(judged))
  );
}
