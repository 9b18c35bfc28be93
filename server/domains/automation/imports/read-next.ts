/** Reads what comes next in an import, and writes it together with the place after it. */
import { isDeepStrictEqual } from "node:util";
import { AppError } from "../../../platform/app-error.ts";
import type { Database, Transaction } from "../../../platform/db/database.ts";
import { missingObjects } from "../../../platform/git/refs/refs.ts";
import type { Encryption } from "../../../platform/keys/encryption.ts";
import type { ImportWriter } from "../../collaboration/domain.ts";
import type { RepositoryRef } from "../../policy/domain.ts";
import { createArchiveClient } from "./archives/archive-client.ts";
import { unpack } from "./archives/read-archive.ts";
import { createImportContext, namedIn, type ImportContext } from "./import-context.ts";
import * as store from "./imports.store.ts";
import { factsOf, type GitFactsDeps } from "./merge-request-facts.ts";
import { placeAfter, placeNow, type NextPlace } from "./next-place.ts";
import { bringGit, type GitReading, type ReadGitDeps } from "./read-git.ts";
import { readerOf } from "./readers.ts";
import { createSourceClient, type SourceAnswer, type SourceClient } from "./source-client.ts";
import type { SourceItem } from "./source-item.ts";
import { lastPage, placeBeyond, recordsOf, type Asked } from "./read-answer.ts";
import { mayGoOn, type RequesterDeps } from "./requester.ts";
import { highestNumber } from "./highest-number.ts";
import { SourceProblem, SourceUnavailable } from "./source-problem.ts";
import { type ReadPlace, type ReadStep, type Unreadable } from "./source-reader.ts";
import { writePage, type PageToWrite } from "./write-page.ts";

export interface ReadNextDeps extends ReadGitDeps, GitFactsDeps, RequesterDeps {
  db: Database;
  encryption: Encryption;
  importWriter: ImportWriter;
}

interface Reading extends GitReading {
  client: SourceClient;
}

export type NextRead = { kind: "again" } | { kind: "done" } | { kind: "wait"; ms: number };

const again: NextRead = { kind: "again" };

/** Throws `SourceProblem`, `SourceUnavailable`, and whatever is no problem of the source. */
export async function readNext(
  deps: ReadNextDeps,
  row: store.BegunImport,
  signal: AbortSignal,
): Promise<NextRead> {
  const repository = row.repository_id === null ? undefined : await deps.mirroring.find(row.repository_id);
  if (!repository) throw new SourceProblem("The repository was deleted or archived, or is a mirror now.");
  if (!(await mayGoOn(deps, row)))
    throw new SourceProblem("Who began it may not administer the repository any more.");
  const token = row.sealed_token && deps.encryption.decrypt(row.id, row.sealed_token);
  const access = { apiUrl: row.api_url, host: row.host, token };
  const client = row.from_archive
    ? createArchiveClient(deps.db, row.id)
    : createSourceClient(deps.outbound, access);
  const reading: Reading = { row, repository, reader: readerOf(row), client, token, signal };
  if (row.step === "unpack") return unpackRecords(deps, reading);
  if (row.step === "numbers") return readNumbers(deps, reading);
  if (row.step === "git") return readGit(deps, reading);
  return readRecords(deps, reading, row.step);
}

/** The highest numbers there are, so that what is opened here in the meantime gets higher ones. */
async function readNumbers(
  deps: ReadNextDeps,
  { row, repository, reader, client, signal }: Reading,
): Promise<NextRead> {
  const highest: number[] = [];
  let absent = 0;
  for (const kind of ["issues", "merge_requests"] as const) {
    const found = await highestNumber({ row, reader, client, signal }, kind);
    if (typeof found === "object") return found;
    if (found === undefined) absent += 1;
    highest.push(found ?? 0);
  }
  if (absent === highest.length)
    throw new SourceProblem(
      `There is no repository ${row.source_path} at ${row.host}, or the token may not read it.`,
    );
  const [issues = 0, mergeRequests = 0] = highest;
  const offset = reader.sharesNumbers ? 0 : issues;
  const last = reader.sharesNumbers ? Math.max(issues, mergeRequests) : issues + mergeRequests;
  return moveOn(deps, row, async (tx) => {
    await tx.query(store.statements.setNumbers, [row.id, offset, last]);
    await deps.importWriter.reserveNumbers(tx, repository.id, last);
    return { to: placeAfter(row, "numbers"), notes: [] };
  });
}

async function unpackRecords(deps: ReadNextDeps, { row, signal }: Reading): Promise<NextRead> {
  await unpack(deps, { row, signal });
  return nextStep(deps, row);
}

async function readGit(deps: ReadNextDeps, reading: Reading): Promise<NextRead> {
  const { row, signal } = reading;
  try {
    const notes = await bringGit(deps, reading);
    return await moveOn(deps, row, async (tx) => {
      await store.insertNotes(tx, row.id, notes);
      return { to: placeAfter(row, "git"), notes };
    });
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof AppError && error.code === "unavailable") throw new SourceUnavailable(error.message);
    throw error;
  }
}

async function readRecords(deps: ReadNextDeps, reading: Reading, step: ReadStep): Promise<NextRead> {
  const { row, repository, reader, client, signal } = reading;
  const place = await placeNow(deps.importWriter, { row, repositoryId: repository.id, reader, step });
  if (!place) return nextStep(deps, row);
  const at: ReadPlace = { ...place, offset: row.number_offset };
  const asked = { row, reader, step, at };
  const answer = await client.get(reader.path(step, at), signal);
  if (answer.kind === "wait") return answer;
  if (answer.kind === "refused") return goBeyond(deps, asked, await lastPage(asked, { client, signal }));
  const read = recordsOf(answer, asked);
  if ("ms" in read) return read;
  const page = await preparePage(deps, repository, read.items);
  const known = new Set(
    (await deps.db.query(store.statements.knownUsers, [Object.values(namedIn(row))])).map(({ id }) => id),
  );
  const context = createImportContext(row, { repositoryId: repository.id, known });
  return moveOn(deps, row, (tx) => writeAll(deps, tx, { context, page, to: read.to }));
}

/** Where the host lists no further pages. */
async function goBeyond(deps: ReadNextDeps, asked: Asked, last: SourceAnswer): Promise<NextRead> {
  if (last.kind === "wait") return last;
  const to = placeBeyond(asked, last);
  return moveOn(deps, asked.row, () => Promise.resolve({ to, notes: [] }));
}

async function nextStep(deps: ReadNextDeps, row: store.BegunImport): Promise<NextRead> {
  const to = placeAfter(row, row.step);
  return moveOn(deps, row, () => Promise.resolve({ to, notes: [] }));
}

async function preparePage(
  deps: ReadNextDeps,
  repository: RepositoryRef,
  items: readonly (SourceItem | Unreadable)[],
): Promise<PageToWrite> {
  const mergeRequests = items.filter((item) => item.kind === "merge_request");
  const facts = await factsOf(deps, repository, mergeRequests);
  const named = items.flatMap((item) => {
    const sha = item.kind === "review" ? item.head : item.kind === "line_comment" ? item.commit : null;
    return sha === null ? [] : [sha];
  });
  const directory = deps.storage.directory(repository.id);
  const missing = new Set(await missingObjects(deps.git.run, directory, [...new Set(named)]));
  return { items, facts, missing };
}

async function writeAll(
  { importWriter: writer }: ReadNextDeps,
  tx: Transaction,
  { context, page, to }: { context: ImportContext; page: PageToWrite; to: NextPlace },
): Promise<Moved> {
  const { counts, notes } = await writePage(tx, { writer, context, page });
  return { to, notes, counts, read: 1 + page.items.length };
}

interface Moved {
  to: NextPlace;
  notes: readonly store.Note[];
  counts?: store.BegunImport["progress"];
  /** Records and pages; default: one. */
  read?: number;
}

/** Does nothing where somebody has stopped it, or another process has gone on. */
async function moveOn(
  { db }: ReadNextDeps,
  row: store.BegunImport,
  write: (tx: Transaction) => Promise<Moved>,
): Promise<NextRead> {
  const moved = await db.transaction(async (tx) => {
    const now = await store.lockImport(tx, row.id);
    const isHere =
      now?.status === "running" &&
      now.attempt === row.attempt &&
      now.step === row.step &&
      now.page === row.page &&
      now.cursor === row.cursor &&
      // Somebody who was named meanwhile: the page is read again.
      isDeepStrictEqual(namedIn(now), namedIn(row)) &&
      now.item_number === row.item_number;
    if (!isHere) return undefined;
    const { to, notes, counts = {}, read = 1 } = await write(tx);
    const progress = { ...now.progress };
    for (const [kind, count] of Object.entries(counts))
      progress[kind as keyof typeof progress] = (progress[kind as keyof typeof progress] ?? 0) + count;
    await store.moveOn(tx, row.id, {
      to: to === "done" ? placeOf(row) : to,
      progress,
      leftOut: notes.length,
      read,
    });
    return to;
  });
  return moved === "done" ? { kind: "done" } : again;
}

const placeOf = ({ step, page, cursor, item_number: itemNumber }: store.BegunImport): store.Cursor => ({
  step,
  page,
  cursor,
  itemNumber,
});
