/** Identity tokens of jobs: made when a runner takes the attempt, from what the database says of the run then. */
import type { PlanJob } from "@forgeline/schemas/pipeline-file/plan.ts";
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import { newId } from "../../../platform/ids.ts";
import type { JobSecrets } from "../secrets/job-secrets.ts";
import { claimsOf } from "./claims.ts";
import * as store from "./id-tokens.store.ts";
import type { SigningKeys } from "./signing-keys.ts";

export interface IdTokenDeps {
  keys: Pick<SigningKeys, "currentId" | "sign">;
  /** Address of this instance, as services know it. */
  issuer: string;
  /** Everything is asked within the transaction of the lease: one that waits for a second connection could wait for itself. */
  isProtected: (tx: Transaction, repositoryId: string, ref: string) => Promise<boolean>;
}

type Values = Record<string, string>;

export interface JobIdTokens {
  /** By variable; each is recorded. The run may have secrets: whoever calls this has judged that. */
  give(tx: Transaction, attempt: { attemptId: string; job: PlanJob }): Promise<Values>;
  /** Again for a runner that was restarted: the same, as far as their key is kept. */
  giveAgain(db: Queryable, attempt: { attemptId: string; job: PlanJob }): Promise<Values>;
}

export function createJobIdTokens({ keys, issuer, isProtected }: IdTokenDeps): JobIdTokens {
  /** All of one attempt, which one key has signed. */
  async function signed(within: Queryable, given: readonly store.GivenToken[]): Promise<Values> {
    const [first] = given;
    if (!first) return {};
    const claims = given.map((token) => token.claims);
    const tokens = (await keys.sign(within, first.key_id, claims)) ?? [];
    return Object.fromEntries(tokens.map((token, i) => [given[i]?.name ?? "", token]));
  }

  return {
    async give(tx, { attemptId, job }) {
      if (!job.idTokens) return {};
      const facts = await store.findFacts(tx, attemptId);
      if (!facts) return {};
      const keyId = await keys.currentId(tx);
      const isProtectedRef = await isProtected(tx, facts.repositoryId, facts.ref);
      const request = { issuer, now: new Date(), timeoutMs: job.timeoutMs, isProtected: isProtectedRef };
      const tokens = job.idTokens.map(({ name, audience }) => {
        const claims = claimsOf(facts, { ...request, audience, id: newId("idt") });
        return { name, key_id: keyId, claims: JSON.stringify(claims) };
      });
      await store.insert(tx, { attemptId, keyId }, tokens);
      tx.count("forgeline_id_tokens_issued_total", {}, tokens.length);
      return signed(tx, tokens);
    },
    async giveAgain(db, { attemptId, job }) {
      return job.idTokens ? signed(db, await store.listGiven(db, attemptId)) : {};
    },
  };
}

/** Both come with the lease, and neither without the other's judgement. */
export function withIdTokens(secrets: JobSecrets, tokens: JobIdTokens): JobSecrets {
  return {
    async give(tx, owner) {
      const given = await secrets.give(tx, owner);
      if (given.refusal) return given;
      const idTokens = await tokens.give(tx, owner);
      return Object.keys(idTokens).length > 0 ? { ...given, idTokens } : given;
    },
    async giveAgain(db, owner) {
      const given = await secrets.giveAgain(db, owner);
      const idTokens = await tokens.giveAgain(db, owner);
      return Object.keys(idTokens).length > 0 ? { ...given, idTokens } : given;
    },
  };
}
