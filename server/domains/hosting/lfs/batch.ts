/** The batch operation: tells a client for each object what to do, or why it cannot. */
import {
  maxBatchObjects,
  type LfsBatchAnswer,
  type LfsBatchRequest,
  type LfsObjectAnswer,
} from "@forgeline/schemas/lfs/messages.ts";
import { errorCatalogue } from "@forgeline/schemas/core/errors.ts";
import type { Database } from "../../../platform/db/database.ts";
import { AppError } from "../../../platform/app-error.ts";
import type { LfsLimits } from "../../../config/lfs.ts";
import type { RepositoryRef } from "../../policy/domain.ts";
import type { LfsActions } from "./actions.ts";
import type { LfsQuota } from "./quota.ts";
import { findObjects, type ObjectRow, type WantedObject } from "./lfs.store.ts";
import type { LfsTransfers } from "./transfers.ts";

const oidPattern = /^[0-9a-f]{64}$/;

export interface LfsBatchInput {
  repository: RepositoryRef;
  /** As `credentialOf` names it: whoever uses the addresses is looked up again by it. */
  credential: string;
  userId: string | null;
}

export interface LfsBatch {
  /** Throws `conflict` for another hash, `validation_failed` for other ways of transfer, `payload_too_large`. */
  answer(input: LfsBatchInput, request: LfsBatchRequest): Promise<LfsBatchAnswer>;
}

export interface LfsBatchDeps {
  db: Database;
  limits: LfsLimits;
  quota: LfsQuota;
  transfers: LfsTransfers;
  actions: LfsActions;
}

export function createLfsBatch({ db, limits, quota, transfers, actions }: LfsBatchDeps): LfsBatch {
  /** Undefined if the description of the object is valid. */
  function problemOf({ oid, sizeBytes }: WantedObject): AppError | undefined {
    if (!oidPattern.test(oid)) return invalid("An object id must be 64 lower-case hexadecimal digits.");
    if (!Number.isSafeInteger(sizeBytes) || sizeBytes < 0)
      return invalid("A size must be a number of bytes.");
    if (sizeBytes <= limits.maxObjectBytes) return undefined;
    return new AppError("payload_too_large", {
      message: `An object can have at most ${limits.maxObjectBytes} bytes.`,
    });
  }

  /** An object that was already uploaded, stored or waiting to be confirmed, needs no second upload. */
  async function isDone(input: LfsBatchInput, row: ObjectRow, object: WantedObject): Promise<boolean> {
    const repositoryId = input.repository.id;
    if (row.stored) return transfers.isThere(repositoryId, object);
    return transfers.confirm({ repositoryId, userId: input.userId }, object).then(
      () => true,
      (error: unknown) => {
        if (error instanceof AppError) return false;
        throw error;
      },
    );
  }

  async function upload(input: LfsBatchInput, wanted: readonly WantedObject[], rows: Map<string, ObjectRow>) {
    const answers = new Map<string, LfsObjectAnswer>();
    const missing: WantedObject[] = [];
    for (const object of wanted) {
      const row = rows.get(object.oid);
      const plain = { oid: object.oid, size: object.sizeBytes };
      if (row?.stored && row.size_bytes !== object.sizeBytes)
        answers.set(object.oid, refusal(plain, invalid(`This object has ${row.size_bytes} bytes.`)));
      else if (row && (await isDone(input, row, object))) answers.set(object.oid, plain);
      else missing.push(object);
    }
    if (missing.length === 0) return answers;
    const who = { repositoryId: input.repository.id, userId: input.userId };
    const refused = await db.transaction((tx) => quota.reserve(tx, who, missing));
    for (const object of missing) {
      const plain = { oid: object.oid, size: object.sizeBytes };
      const problem = refused.get(object.oid);
      const made = problem ? undefined : await actions.forUpload(input, object);
      answers.set(
        object.oid,
        problem ? refusal(plain, problem) : { ...plain, authenticated: true, actions: made! },
      );
    }
    return answers;
  }

  async function download(
    input: LfsBatchInput,
    wanted: readonly WantedObject[],
    rows: Map<string, ObjectRow>,
  ) {
    const answers = new Map<string, LfsObjectAnswer>();
    for (const object of wanted) {
      const row = rows.get(object.oid);
      const plain = { oid: object.oid, size: object.sizeBytes };
      if (!row?.stored)
        answers.set(
          object.oid,
          refusal(plain, new AppError("not_found", { message: "The repository does not have this object." })),
        );
      else if (row.size_bytes !== object.sizeBytes)
        answers.set(object.oid, refusal(plain, invalid(`This object has ${row.size_bytes} bytes.`)));
      else
        answers.set(object.oid, {
          ...plain,
          authenticated: true,
          actions: await actions.forDownload(input, object),
        });
    }
    return answers;
  }

  return {
    async answer(input, request) {
      requireKnown(request);
      const asked = request.objects.map(({ oid, size }) => ({ oid, sizeBytes: size }));
      const wanted = [
        ...new Map(
          asked.filter((object) => !problemOf(object)).map((object) => [object.oid, object]),
        ).values(),
      ];
      const found = await findObjects(
        db,
        input.repository.id,
        wanted.map(({ oid }) => oid),
      );
      const rows = new Map(found.map((row) => [row.oid, row]));
      const answers = await (request.operation === "upload" ? upload : download)(input, wanted, rows);
      const objects = asked.map((object) => {
        const problem = problemOf(object);
        const plain = { oid: object.oid, size: object.sizeBytes };
        return problem ? refusal(plain, problem) : (answers.get(object.oid) ?? plain);
      });
      return { transfer: "basic", objects, hash_algo: "sha256" };
    },
  };
}

function requireKnown({ transfers, hash_algo: hash, objects }: LfsBatchRequest): void {
  if (objects.length > maxBatchObjects)
    throw new AppError("payload_too_large", {
      message: `A batch can have at most ${maxBatchObjects} objects.`,
    });
  if (hash && hash !== "sha256")
    throw new AppError("conflict", { message: "Objects must be identified by their SHA-256." });
  if (transfers && transfers.length > 0 && !transfers.includes("basic"))
    throw invalid("Only the basic transfer is supported.");
}

function invalid(message: string): AppError {
  return new AppError("validation_failed", { message });
}

function refusal(plain: { oid: string; size: number }, problem: AppError): LfsObjectAnswer {
  return { ...plain, error: { code: errorCatalogue[problem.code].status, message: problem.message } };
}
