/**
 * Answers `ls-refs` of protocol 2 like `git upload-pack`, from the refs' files and without starting it: each clone and each
 * fetch begins with one, and most fetches end there.
 */
import type { CatFilePool } from "../processes/cat-file.ts";
import { readRefFiles, type RefFile } from "./ref-files.ts";
import { matchPrefixes } from "./ref-prefixes.ts";
import { readLsRefsRequest, type LsRefsRequest } from "./ls-refs-request.ts";

/** The whole answer; undefined for another request, or if Git itself should answer. Throws `payload_too_large`. */
export type ListRefs = (directory: string, request: Buffer) => Promise<Buffer | undefined>;

const maxRemembered = 10_000;
const maxTagBytes = 64 * 1024;

export function createRefListing(catFiles: CatFilePool): ListRefs {
  /** What tags lead to can never change: an object's id is its content. */
  const peeled = new Map<string, string | null>();

  /** Null: no tag. Undefined: it is not there, or odd. */
  async function peelOf(directory: string, oid: string): Promise<string | null | undefined> {
    const known = peeled.get(oid);
    if (known !== undefined) return known;
    const found = await peel(catFiles, directory, oid);
    if (found === undefined) return undefined;
    if (peeled.size >= maxRemembered) peeled.clear();
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
    const question = await readLsRefsRequest(request);
    const files = question && (await readRefFiles(directory));
    if (!files) return undefined;
    const isAskedFor = await askedFor(question, files.refs);
    const asked = files.refs.filter(({ name }) => name === files.head || isAskedFor(name));
    const refs = question.peel ? await withPeeled(directory, asked) : asked;
    if (!refs) return undefined;
    const lines = refs.filter(({ name }) => isAskedFor(name)).map((ref) => line(ref, "", question));
    const first = isAskedFor("HEAD") ? [headLine(question, { head: files.head, refs })] : [];
    return Buffer.concat([...first, ...lines, flush]);
  };
}

async function peel(
  catFiles: CatFilePool,
  directory: string,
  oid: string,
): Promise<string | null | undefined> {
  const object = await catFiles.read(directory, oid, 0);
  if (!object || object.type !== "tag") return object && null;
  const tag = await catFiles.read(directory, oid, maxTagBytes);
  const head = /^object ([0-9a-f]{40})\ntype ([a-z]+)\n/.exec(tag?.bytes?.toString("latin1", 0, 64) ?? "");
  if (!head) return undefined;
  return head[2] === "tag" ? peel(catFiles, directory, head[1]!) : head[1];
}

async function askedFor(
  { prefixes }: LsRefsRequest,
  refs: readonly RefFile[],
): Promise<(name: string) => boolean> {
  if (prefixes.length === 0) return () => true;
  const names = refs.map(({ name }) => name);
  const isMeant = await matchPrefixes(names, prefixes);
  const meant = new Set(names.filter((_, index) => isMeant(index)));
  if (prefixes.some((prefix) => "HEAD".startsWith(prefix))) meant.add("HEAD");
  return (name) => meant.has(name);
}

const flush = Buffer.from("0000");

function headLine(
  question: LsRefsRequest,
  { head, refs }: { head: string; refs: readonly RefFile[] },
): Buffer {
  const target = question.symrefs ? ` symref-target:${head}` : "";
  const ref = refs.find(({ name }) => name === head);
  if (ref) return line({ ...ref, name: "HEAD" }, target, question);
  return question.unborn && question.symrefs ? packet(`unborn HEAD${target}\n`) : Buffer.alloc(0);
}

function line({ name, oid, peeled }: RefFile, target: string, { peel: isPeeled }: LsRefsRequest): Buffer {
  return packet(`${oid} ${name}${target}${isPeeled && peeled ? ` peeled:${peeled}` : ""}\n`);
}

function packet(text: string): Buffer {
  return Buffer.from(`${(text.length + 4).toString(16).padStart(4, "0")}${text}`, "latin1");
}
