/**
 * Answers protocol 2's question for refs as `git upload-pack` does, from the refs' files and without starting it: each clone
 * and each fetch begins with one, and most fetches end there.
 */
import type { CatFilePool } from "./cat-file.ts";
import { readRefFiles, type RefFile } from "./ref-files.ts";

/** The whole answer; undefined for another question, or where Git itself should answer. */
export type ListRefs = (directory: string, request: Buffer) => Promise<Buffer | undefined>;

interface Question {
  peel: boolean;
  symrefs: boolean;
  unborn: boolean;
  /** Names begin with one of these; none: all names. */
  prefixes: string[];
}

const mostRemembered = 10_000;
const mostTagBytes = 64 * 1024;

export function createRefListing(catFiles: CatFilePool): ListRefs {
  /** What tags lead to can never change: an object's id is its content. */
  const peeled = new Map<string, string | null>();

  /** Null: no tag. Undefined: it is not there, or odd. */
  async function peelOf(directory: string, oid: string): Promise<string | null | undefined> {
    const known = peeled.get(oid);
    if (known !== undefined) return known;
    const found = await peel(catFiles, directory, oid);
    if (found === undefined) return undefined;
    if (peeled.size >= mostRemembered) peeled.clear();
    peeled.set(oid, found);
    return found;
  }

  async function withPeeled(directory: string, refs: readonly RefFile[]): Promise<RefFile[] | undefined> {
    const all = await Promise.all(
      refs.map(async (ref) => ({
        ...ref,
        peeled: ref.peeled === undefined ? await peelOf(directory, ref.oid) : ref.peeled,
      })),
    );
    return all.some(({ peeled: found }) => found === undefined) ? undefined : all;
  }

  return async (directory, request) => {
    const question = parseQuestion(request);
    const files = question && (await readRefFiles(directory));
    if (!files) return undefined;
    const asked = files.refs.filter(({ name }) => name === files.head || isAskedFor(question, name));
    const refs = question.peel ? await withPeeled(directory, asked) : asked;
    if (!refs) return undefined;
    const lines = refs.filter(({ name }) => isAskedFor(question, name)).map((ref) => line(ref, "", question));
    return Buffer.concat([headLine(question, { head: files.head, refs }), ...lines, flush]);
  };
}

async function peel(
  catFiles: CatFilePool,
  directory: string,
  oid: string,
): Promise<string | null | undefined> {
  const object = await catFiles.read(directory, oid, 0);
  if (!object || object.type !== "tag") return object && null;
  const tag = await catFiles.read(directory, oid, mostTagBytes);
  const head = /^object ([0-9a-f]{40})\ntype ([a-z]+)\n/.exec(tag?.bytes?.toString("latin1", 0, 64) ?? "");
  if (!head) return undefined;
  return head[2] === "tag" ? peel(catFiles, directory, head[1]!) : head[1];
}

const flush = Buffer.from("0000");

function headLine(question: Question, { head, refs }: { head: string; refs: readonly RefFile[] }): Buffer {
  if (!isAskedFor(question, "HEAD")) return Buffer.alloc(0);
  const target = question.symrefs ? ` symref-target:${head}` : "";
  const ref = refs.find(({ name }) => name === head);
  if (ref) return line({ ...ref, name: "HEAD" }, target, question);
  return question.unborn && question.symrefs ? packet(`unborn HEAD${target}\n`) : Buffer.alloc(0);
}

function line({ name, oid, peeled }: RefFile, target: string, { peel: isPeeled }: Question): Buffer {
  return packet(`${oid} ${name}${target}${isPeeled && peeled ? ` peeled:${peeled}` : ""}\n`);
}

function packet(text: string): Buffer {
  return Buffer.from(`${(text.length + 4).toString(16).padStart(4, "0")}${text}`, "latin1");
}

function isAskedFor({ prefixes }: Question, name: string): boolean {
  return prefixes.length === 0 || prefixes.some((prefix) => name.startsWith(prefix));
}

/** Undefined for any other request, and for one that says what we do not know. */
function parseQuestion(request: Buffer): Question | undefined {
  const [lines, rest] = readLines(request, 0);
  if (lines[0] !== "command=ls-refs") return undefined;
  if (!lines.slice(1).every((each) => /^(?:agent=|object-format=sha1$)/.test(each))) return undefined;
  const hasArguments = request.toString("latin1", rest, rest + 4) === "0001";
  const [words, end] = hasArguments ? readLines(request, rest + 4) : [[], rest];
  if (request.toString("latin1", end) !== "0000") return undefined;
  const question: Question = { peel: false, symrefs: false, unborn: false, prefixes: [] };
  for (const word of words) {
    if (word === "peel" || word === "symrefs" || word === "unborn") question[word] = true;
    else if (word.startsWith("ref-prefix ")) question.prefixes.push(word.slice("ref-prefix ".length));
    else return undefined;
  }
  return question;
}

/** Packets up to the next separator, without their line breaks, and where that is. */
function readLines(request: Buffer, start: number): [lines: string[], end: number] {
  const lines: string[] = [];
  let at = start;
  for (;;) {
    const digits = request.toString("latin1", at, at + 4);
    const length = /^[0-9a-f]{4}$/i.test(digits) ? Number.parseInt(digits, 16) : 0;
    if (length < 4 || at + length > request.length) return [lines, at];
    lines.push(request.toString("latin1", at + 4, at + length).replace(/\n$/, ""));
    at += length;
  }
}
