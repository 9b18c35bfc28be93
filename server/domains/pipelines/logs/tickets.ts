/**
 * One-use tickets by which a browser, which cannot send a header, opens a watch socket; and the check whether its holder may
 * still act. A ticket is 128 random bits with a signature, and is valid for a minute. The signature shows without a query
 * whether a ticket is ours, so that a flood of invented ones costs nothing.
 */
import { createHash, randomBytes } from "node:crypto";
import { z } from "zod";
import { Scope } from "@forgeline/schemas/core/scopes.ts";
import type { Database } from "../../../platform/db/database.ts";
import type { Signer } from "../../../platform/keys/signer.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import { findRun } from "./selection.ts";
import { insertTicket, isCredentialValid, isLeased, takeTicket } from "./tickets.store.ts";

const lifetimeSeconds = 60;
const randomPart = 16;

/** What is kept of whoever asked for a ticket. */
export const TicketActor = z.object({
  kind: z.enum(["anonymous", "user", "bot", "job"]),
  userId: z.string().nullable(),
  username: z.string(),
  isAdmin: z.boolean(),
  scopes: z.array(Scope),
  tokenId: z.string().nullable(),
  sessionId: z.string().nullable().default(null),
  repositoryIds: z.array(z.string()).nullable(),
  // A ticket only watches; those of an earlier release lack the rest.
  job: z
    .object({
      attemptId: z.string(),
      repositoryId: z.string(),
      id: z.string().default(""),
      pipelineId: z.string().default(""),
      name: z.string().default(""),
      mayWrite: z.boolean().default(false),
      isOfAdmin: z.boolean().default(false),
      limit: z.string().nullable().default(null),
    })
    .nullable(),
});

export interface IssuedTicket {
  pipelineId: string;
  ticket: string;
  expiresAt: Date;
}

export interface TicketService {
  /** For a run by id or number. Throws `not_found`. */
  issue(actor: Actor, repositoryId: string, idOrNumber: string): Promise<IssuedTicket>;
  /** Uses the ticket up; undefined when it is unknown, used, expired, or for another run. */
  redeem(ticket: string, pipelineId: string): Promise<Actor | undefined>;
  /** Whether the actor's credential still works; says nothing about permissions. */
  stillValid(actor: Actor): Promise<boolean>;
}

const hashOf = (ticket: string) => createHash("sha256").update(ticket).digest();

export function createTicketService(db: Database, signer: Signer): TicketService {
  const sealOf = (random: Buffer, pipelineId: string) =>
    signer.sign(random, pipelineId).subarray(0, randomPart);
  const isOurs = (ticket: string, pipelineId: string) => {
    const bytes = Buffer.from(ticket, "base64url");
    const [random, seal] = [bytes.subarray(0, randomPart), bytes.subarray(randomPart)];
    return signer.proves(seal, randomPart, random, pipelineId);
  };
  return {
    async issue(actor, repositoryId, idOrNumber) {
      const { id: pipelineId } = await findRun(db, repositoryId, idOrNumber);
      const random = randomBytes(randomPart);
      const ticket = Buffer.concat([random, sealOf(random, pipelineId)]).toString("base64url");
      const row = await insertTicket(db, {
        hash: hashOf(ticket),
        pipelineId,
        actor: JSON.stringify(TicketActor.parse(actor)),
        lifetimeSeconds,
      });
      if (!row) throw new Error("the ticket was not stored");
      return { pipelineId, ticket, expiresAt: row.expires_at };
    },
    async redeem(ticket, pipelineId) {
      if (!isOurs(ticket, pipelineId)) return undefined;
      const found = await takeTicket(db, hashOf(ticket), pipelineId);
      return found ? { ...TicketActor.parse(found), request: null } : undefined;
    },
    async stillValid(actor) {
      if (actor.kind === "anonymous" || actor.kind === "system") return true;
      return actor.job ? isLeased(db, actor.job.attemptId) : isCredentialValid(db, actor);
    },
  };
}
