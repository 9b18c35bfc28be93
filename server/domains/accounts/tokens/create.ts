/** Creates an access token of any kind: checks the request, writes the row, makes the value. */
import type { Scope } from "@forgeline/schemas/core/scopes.ts";
import type { Transaction } from "../../../platform/db/database.ts";
import { AppError } from "../../../platform/app-error.ts";
import { newId } from "../../../platform/ids.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import { hashToken, newAccessToken } from "../../../platform/credentials/credential.ts";
import type { Authorizer } from "../../policy/domain.ts";
import * as store from "./tokens.store.ts";
import type { AccessTokenRow } from "./tokens.store.ts";
import { requireScopesOf, requireSubset, type WantedLimits } from "./subset.ts";
import { checkAddressRanges, resolveRepositories } from "./requested-limits.ts";

export interface TokenRequest {
  name: string;
  scopes: readonly Scope[];
  expiresInDays: number | null;
  /** Full names; null or absent: no limit. */
  repositories?: readonly string[] | null | undefined;
  /** Addresses and CIDR ranges; null or absent: no limit. */
  addressRanges?: readonly string[] | null | undefined;
}

export interface CreatedToken {
  row: AccessTokenRow;
  /** The value, which is not stored anywhere. */
  token: string;
}

/** Throws `insufficient_scope` for scopes that the caller lacks, `validation_failed` for what cannot be read or seen. */
export async function resolveWanted(
  authorizer: Authorizer,
  actor: Actor,
  request: TokenRequest,
): Promise<WantedLimits> {
  requireScopesOf(actor.scopes, request.scopes);
  const { repositories, addressRanges } = request;
  return {
    scopes: [...new Set(request.scopes)],
    repositoryIds: repositories ? await resolveRepositories(authorizer, actor, repositories) : null,
    addressRanges: addressRanges ? checkAddressRanges(addressRanges) : null,
  };
}

/**
 * Locks the token that creates another one, so that it cannot be revoked meanwhile. Throws `validation_failed` for what goes
 * beyond it.
 */
export async function lockWithin(
  tx: Transaction,
  actor: Actor,
  { request, wanted }: { request: TokenRequest; wanted: WantedLimits },
): Promise<void> {
  if (actor.tokenId === null) return;
  const creator = await store.lockCreator(tx, actor.tokenId, request.expiresInDays);
  if (!creator) throw new AppError("unauthorized", { message: "The token is not valid." });
  requireSubset(creator, wanted);
}

export async function insertNewToken(
  tx: Transaction,
  holder: { kind: "pat" | "bot"; userId: string },
  { request, wanted }: { request: TokenRequest; wanted: WantedLimits },
): Promise<CreatedToken> {
  const token = newAccessToken(holder.kind);
  const row = await store.insertToken(tx, {
    ...wanted,
    id: newId("tok"),
    userId: holder.userId,
    name: request.name,
    hash: hashToken(token),
    expiresInDays: request.expiresInDays,
  });
  return { row, token };
}
