/** Reads a CODEOWNERS file (`docs/code-owners.md`): in linear time, whatever it says. A line with an error is left out as a whole. */
import {
  codeOwnersLimits as limits,
  type CodeOwner,
  type CodeOwnersError,
  type CodeOwnersFile,
  type CodeOwnersRule,
  type CodeOwnersSection,
  type OwnerMention,
} from "./file.ts";
import { isHeading, readHeading } from "./heading.ts";
import { readOwner } from "./owner.ts";
import { readPattern } from "./path-pattern.ts";
import { wordsOf } from "./words.ts";

/** A file with more than the limits says nothing but that it is too large. */
export function parseCodeOwners(text: string): CodeOwnersFile {
  if (new TextEncoder().encode(text).length > limits.bytes) return tooLargeFile();
  const lines = text.replace(/^\uFEFF/, "").split("\n");
  // What ends the last line begins no other one.
  if (lines.at(-1) === "") lines.pop();
  if (lines.length > limits.lines) return refused("too_many_lines", tooManyLines);
  const reading = createReading();
  for (const [index, line] of lines.entries()) {
    reading.take(line.replace(/\r$/, ""), index + 1);
    if (reading.hasTooManyOwners()) return refused("too_many_owners", tooManyOwners);
  }
  return reading.file();
}

/** What is said of a file that is not even read, as of `codeOwnersLimits.bytes`. */
export function tooLargeFile(): CodeOwnersFile {
  const message = `the file is larger than ${limits.bytes / 1024 / 1024} MiB and is not used; wider patterns make it smaller`;
  return refused("file_too_large", message);
}

const tooManyLines = `the file has more than ${limits.lines} lines and is not used; wider patterns make it smaller`;
const tooManyOwners = `the file names more than ${limits.owners} different owners, or owners at more than ${limits.mentions} places, and is not used; name teams instead of people`;

function refused(kind: CodeOwnersError["kind"], message: string): CodeOwnersFile {
  return { sections: [], mentions: [], errors: [{ line: 1, column: 1, kind, message }], errorCount: 1 };
}

interface OpenSection {
  section: CodeOwnersSection;
  rules: CodeOwnersRule[];
}

function createReading() {
  const sections = new Map<string, OpenSection>();
  const mentions: OwnerMention[] = [];
  /** By text: one that owns much is kept once. */
  const known = new Map<string, CodeOwner>();
  const errors: CodeOwnersError[] = [];
  let errorCount = 0;
  let current = open("", { name: null, optional: false, approvals: 1 });
  let defaults: readonly CodeOwner[] = [];

  /** Sections of one name are one, whatever the case. The strictest heading counts. */
  function open(key: string, section: CodeOwnersSection): OpenSection {
    const before = sections.get(key);
    const opened = before ?? { section: { ...section }, rules: [] };
    if (before) {
      before.section.optional &&= section.optional;
      before.section.approvals = Math.max(before.section.approvals, section.approvals);
    }
    sections.set(key, opened);
    return opened;
  }

  function fail(error: CodeOwnersError): undefined {
    errorCount += 1;
    if (errors.length < limits.errors) errors.push(error);
  }

  /** undefined if one is wrong. */
  function readOwners(text: string, { line, from }: { line: number; from: number }) {
    const found = wordsOf(text, { from, max: limits.ownersOfLine + 1 });
    const last = found[limits.ownersOfLine];
    if (last) {
      const message = `a line names at most ${limits.ownersOfLine} owners; name teams instead of people`;
      return fail({ line, column: last.at + 1, kind: "invalid_owner", message });
    }
    const owners: CodeOwner[] = [];
    for (const { text: written, at } of found) {
      const read = known.get(written) ?? readOwner(written);
      const place = { line, column: at + 1 };
      if ("message" in read) fail({ ...place, kind: "invalid_owner", ...read });
      else {
        known.set(written, read);
        mentions.push({ owner: read, ...place });
        owners.push(read);
      }
    }
    return owners.length === found.length ? owners : undefined;
  }

  function takeHeading(text: string, line: number, indent: number): void {
    const heading = readHeading(text.slice(indent));
    if ("message" in heading) {
      const { at, ...problem } = heading;
      return fail({ line, column: indent + at + 1, ...problem });
    }
    const { section } = heading;
    current = open(section.name.toLowerCase(), section);
    defaults = readOwners(text, { line, from: indent + heading.restAt }) ?? [];
  }

  function take(text: string, line: number): void {
    const [first] = wordsOf(text, { from: 0, max: 1 });
    if (!first) return;
    if (isHeading(first.text)) return takeHeading(text, line, first.at);
    const matches = readPattern(first.text);
    if ("message" in matches) {
      const { at, ...problem } = matches;
      return fail({ line, column: first.at + at + 1, kind: "invalid_pattern", ...problem });
    }
    const owners = readOwners(text, { line, from: first.at + first.text.length });
    if (owners)
      current.rules.push({
        line,
        pattern: first.text,
        matches,
        owners: owners.length > 0 ? owners : defaults,
      });
  }

  const file = (): CodeOwnersFile => ({
    sections: [...sections.values()].filter(({ rules }) => rules.length > 0),
    mentions,
    errors,
    errorCount,
  });
  const hasTooManyOwners = () => known.size > limits.owners || mentions.length > limits.mentions;
  return { take, file, hasTooManyOwners };
}
