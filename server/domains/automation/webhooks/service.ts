/** Webhooks as their owners configure them. */
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import {
  maxWebhooks,
  type Webhook,
  type WebhookCreate,
  type WebhookUpdate,
  type WebhookWithSecret,
} from "@forgeline/schemas/webhooks/resource.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import { AppError, invalidField } from "../../../platform/app-error.ts";
import { isSameSecret } from "../../../platform/credentials/is-same-secret.ts";
import type { Database, Transaction } from "../../../platform/db/database.ts";
import type { Encryption } from "../../../platform/keys/encryption.ts";
import { newId } from "../../../platform/ids.ts";
import { recordAudit } from "../../operation/domain.ts";
import { readAuthority } from "./authority.ts";
import { readAddress } from "./endpoint-address.ts";
import { pathsOf, placeOf, targetOfOwner, type HookOwner } from "./place.ts";
import { presentWebhook } from "./present.ts";
import { addRetryIntent } from "./retry-intents.ts";
import { makeSecret } from "./signatures.ts";
import * as store from "./webhooks.store.ts";

export interface WebhookService {
  list(owner: HookOwner, page: PageQuery): Promise<{ items: Webhook[]; total: number }>;
  /** Throws `not_found`; so do the following. */
  get(owner: HookOwner, id: string): Promise<Webhook>;
  /** Throws `validation_failed` for addresses and certificates that cannot be used, `conflict` past the most. */
  create(actor: Actor, owner: HookOwner, wanted: WebhookCreate): Promise<WebhookWithSecret>;
  /** Throws `validation_failed` as above. */
  update(actor: Actor, owner: HookOwner, change: { id: string; wanted: WebhookUpdate }): Promise<Webhook>;
  /** With all its deliveries. */
  remove(actor: Actor, owner: HookOwner, id: string): Promise<void>;
}

export interface WebhookServiceDeps {
  db: Database;
  encryption: Encryption;
  addresses: Addresses;
  /** Whether requests may go to this IP address. */
  mayDial(address: string): boolean;
  organizations: { lock(tx: Transaction, id: string): Promise<void> };
}

const usualPreviousHours = 24;

export function createWebhookService(deps: WebhookServiceDeps): WebhookService {
  const { db, encryption, addresses } = deps;

  async function find(from: Database | Transaction, owner: HookOwner, id: string): Promise<store.WebhookRow> {
    const row = await store.findWebhook(from, placeOf(owner), id);
    if (!row) throw new AppError("not_found");
    return row;
  }
  const show = (row: store.WebhookRow, owner: HookOwner) => presentWebhook(row, pathsOf(owner), addresses);

  return {
    async list(owner, page) {
      const { rows, total } = await store.listWebhooks(db, placeOf(owner), page);
      return { items: rows.map((row) => show(row, owner)), total };
    },
    get: async (owner, id) => show(await find(db, owner, id), owner),
    async create(actor, owner, wanted) {
      const { full, shown } = readAddress(wanted.url, deps.mayDial);
      const made = wanted.secret === undefined ? makeSecret() : null;
      const id = newId("hook");
      const row = await db.transaction(async (tx) => {
        await hold(deps, tx, owner);
        if ((await store.countWebhooks(tx, placeOf(owner))) >= maxWebhooks)
          throw new AppError("conflict", { message: `There can be at most ${maxWebhooks} webhooks here.` });
        await store.insertWebhook(tx, placeOf(owner), {
          id,
          sealedUrl: encryption.encrypt(id, full),
          shownUrl: shown,
          events: [...new Set(wanted.events)],
          active: wanted.active,
          ordered: wanted.ordered,
          caCertificate: readAuthority(wanted.ca_certificate),
          sealedSecret: encryption.encrypt(id, wanted.secret ?? made ?? ""),
          createdBy: actor.userId,
        });
        await recordAudit(tx, actor, {
          action: "webhook.create",
          target: targetOfOwner(owner),
          details: { webhook_id: id, url: shown, events: wanted.events, active: wanted.active },
        });
        return find(tx, owner, id);
      });
      return { ...show(row, owner), secret: made };
    },
    async update(actor, owner, { id, wanted: given }) {
      const row = await db.transaction(async (tx) => {
        if (!(await store.lockWebhook(tx, placeOf(owner), id))) throw new AppError("not_found");
        const before = await find(tx, owner, id);
        const wanted = withoutSameSecret(encryption, before, given);
        const { after, changed } = changeOf(deps, before, wanted);
        await changeSecret(tx, id, wanted);
        await store.updateWebhook(tx, after);
        if (beginsAnew(before, after, changed)) await switchOn(tx, id);
        await recordAudit(tx, actor, {
          action: "webhook.update",
          target: targetOfOwner(owner),
          details: { webhook_id: id, url: after.shownUrl, changed },
        });
        return find(tx, owner, id);
      });
      return show(row, owner);
    },
    async remove(actor, owner, id) {
      await db.transaction(async (tx) => {
        const row = await store.markDeleted(tx, placeOf(owner), id);
        if (!row) throw new AppError("not_found");
        await recordAudit(tx, actor, {
          action: "webhook.delete",
          target: targetOfOwner(owner),
          details: { webhook_id: id, url: row.shown_url },
        });
      });
    },
  };
}

/** Until the transaction ends, so that nobody passes the most. */
async function hold(deps: WebhookServiceDeps, tx: Transaction, owner: HookOwner): Promise<void> {
  if ("organization" in owner) await deps.organizations.lock(tx, owner.organization.id);
  else if (!(await store.holdRepository(tx, owner.repository.id))) throw new AppError("not_found");
}

/** It was off, or was taken for dead and is told to be on, or is elsewhere now. */
function beginsAnew(
  before: store.WebhookRow,
  after: store.StoredWebhook,
  changed: readonly string[],
): boolean {
  if (!after.active) return false;
  return !before.active || (before.retry_at !== null && (changed.length === 0 || changed.includes("url")));
}

/** What waits is sent, as if nothing had failed. */
async function switchOn(tx: Transaction, id: string): Promise<void> {
  await store.resetHealth(tx, id);
  await addRetryIntent(tx, id);
  await tx.notify("webhook", id);
}

/** A request that is sent twice, since its answer was lost, must not take the secret of before away. */
function withoutSameSecret(
  encryption: Encryption,
  { id, sealed_secret: sealed }: store.WebhookRow,
  wanted: WebhookUpdate,
): WebhookUpdate {
  const { secret, previous_secret_hours: hours, ...others } = wanted;
  if (secret === undefined || !isSameSecret(secret, encryption.decrypt(id, sealed))) return wanted;
  return hours === 0 ? { ...others, previous_secret_hours: 0 } : others;
}

/** The names of what changes are for the audit log, which keeps no secret and no address. */
function changeOf(
  deps: WebhookServiceDeps,
  before: store.WebhookRow,
  wanted: WebhookUpdate,
): { after: store.StoredWebhook; changed: string[] } {
  const { id } = before;
  // The address as it is shown has stars in place of its secrets.
  const isNew = wanted.url !== undefined && wanted.url !== before.shown_url;
  const address = isNew && wanted.url !== undefined ? readAddress(wanted.url, deps.mayDial) : undefined;
  const after: store.StoredWebhook = {
    id,
    sealedUrl: address ? deps.encryption.encrypt(id, address.full) : before.sealed_url,
    shownUrl: address?.shown ?? before.shown_url,
    events: wanted.events ? [...new Set(wanted.events)] : before.event_kinds,
    active: wanted.active ?? before.active,
    ordered: wanted.ordered ?? before.ordered,
    caCertificate:
      wanted.ca_certificate === undefined ? before.ca_certificate : readAuthority(wanted.ca_certificate),
    sealedSecret:
      wanted.secret === undefined ? before.sealed_secret : deps.encryption.encrypt(id, wanted.secret),
  };
  const isSame: Record<string, boolean> = {
    url:
      !address ||
      (address.shown === before.shown_url && address.full === deps.encryption.decrypt(id, before.sealed_url)),
    events: after.events.join() === before.event_kinds.join(),
    active: after.active === before.active,
    ordered: after.ordered === before.ordered,
    ca_certificate: after.caCertificate === before.ca_certificate,
    secret: wanted.secret === undefined,
    previous_secret: wanted.secret !== undefined || wanted.previous_secret_hours === undefined,
  };
  return { after, changed: Object.keys(isSame).filter((name) => isSame[name] === false) };
}

async function changeSecret(tx: Transaction, id: string, wanted: WebhookUpdate): Promise<void> {
  const { secret, previous_secret_hours: hours = usualPreviousHours } = wanted;
  if (secret === undefined) {
    if (wanted.previous_secret_hours === undefined) return;
    if (hours !== 0)
      throw invalidField("previous_secret_hours", "not_allowed", "Without a new secret this can only be 0.");
    await store.dropPreviousSecret(tx, id);
    return;
  }
  if (hours === 0) await store.dropPreviousSecret(tx, id);
  else await store.keepSecret(tx, id, hours);
}
