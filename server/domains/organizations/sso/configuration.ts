/** Configuration by owners: the provider that signs in members of their organization. The client secret is stored encrypted. */
import type { SsoConfigurationSet } from "@forgeline/schemas/sso/resource.ts";
import type { Database, Transaction } from "../../../platform/db/database.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import { AppError, invalidField } from "../../../platform/app-error.ts";
import { newId } from "../../../platform/ids.ts";
import type { Encryption } from "../../../platform/keys/encryption.ts";
import { Secret } from "../../../platform/secret.ts";
import { recordAudit, type InstanceSettingsService } from "../../operation/domain.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import type { OrganizationService } from "../organizations/service.ts";
import type { OrganizationRef } from "../../policy/domain.ts";
import * as store from "./configuration.store.ts";
import type { ConfigurationRow } from "./configuration.store.ts";
import { deleteIdentities } from "./identity.store.ts";
import { ProviderProblem } from "./provider-problem.ts";
import type { Client, Providers } from "./provider.ts";

export interface SsoConfigurationService {
  /** Throws `not_found` where none is set. */
  get(organization: OrganizationRef): Promise<ConfigurationRow>;
  /** Throws `validation_failed`, also for problems of the provider. */
  set(actor: Actor, organization: OrganizationRef, wanted: SsoConfigurationSet): Promise<ConfigurationRow>;
  /** Throws `not_found`. */
  remove(actor: Actor, organization: OrganizationRef): Promise<void>;
  /** This instance as a client of the provider. */
  clientOf(row: ConfigurationRow): Client;
}

export interface SsoConfigurationDeps {
  db: Database;
  encryption: Encryption;
  providers: Pick<Providers, "check">;
  organizations: Pick<OrganizationService, "lock">;
  instanceSettings: Pick<InstanceSettingsService, "requireOpenSignUp">;
  addresses: Addresses;
}

/** Providers where anybody has an account or can create one. */
const publicIssuers = new Set([
  "https://accounts.google.com",
  "https://appleid.apple.com",
  "https://gitlab.com",
  "https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0",
  "https://www.linkedin.com/oauth",
]);

export function createSsoConfiguration(deps: SsoConfigurationDeps): SsoConfigurationService {
  const { db } = deps;

  async function get(organization: OrganizationRef, from: Database | Transaction = db) {
    const row = await store.findConfiguration(from, organization.id);
    if (!row) throw new AppError("not_found");
    return row;
  }

  return {
    get: (organization) => get(organization),
    async set(actor, organization, wanted) {
      refuseEverybody(wanted);
      await requireProvider(deps.providers, wanted.issuer);
      return db.transaction(async (tx) => {
        await deps.organizations.lock(tx, organization.id);
        const before = await store.findConfiguration(tx, organization.id);
        const row = await rowOf(deps, actor, { organization, wanted, before });
        await store.replaceConfiguration(tx, row);
        const parted =
          before && before.issuer !== row.issuer ? await deleteIdentities(tx, organization.id) : 0;
        await recordSet(tx, actor, { organization, wanted, before, parted });
        if (parted > 0) await tx.notify("token", "");
        return get(organization, tx);
      });
    },
    async remove(actor, organization) {
      await db.transaction(async (tx) => {
        await deps.organizations.lock(tx, organization.id);
        const { issuer, client_id: clientId } = await get(organization, tx);
        const parted = await deleteIdentities(tx, organization.id);
        await store.deleteConfiguration(tx, organization.id);
        await recordAudit(tx, actor, {
          action: "org.sso_configure",
          target: targetOf(organization),
          details: { change: "removed", issuer, client_id: clientId, identities_removed: parted },
        });
        await tx.notify("token", "");
      });
    },
    clientOf: (row) => ({
      version: `${row.id} ${row.updated_at.toISOString()}`,
      issuer: row.issuer,
      clientId: row.client_id,
      clientSecret: new Secret(deps.encryption.decrypt(row.organization_id, row.sealed_client_secret)),
      callbackUrl: callbackUrlOf(deps.addresses, row.organization_id),
    }),
  };
}

/** By identifier: a name can pass to another organization, which must never receive the answer for this one. */
export function callbackUrlOf(addresses: Addresses, organizationId: string): string {
  return `${addresses.webUrl}/login/sso/callback/${organizationId}`;
}

interface Change {
  organization: OrganizationRef;
  wanted: SsoConfigurationSet;
  before: ConfigurationRow | undefined;
}

async function rowOf(
  deps: SsoConfigurationDeps,
  actor: Actor,
  { organization, wanted, before }: Change,
): Promise<store.NewConfiguration> {
  const same = before?.issuer === wanted.issuer && before.client_id === wanted.client_id;
  const sealed =
    wanted.client_secret === undefined
      ? same && before.sealed_client_secret
      : deps.encryption.encrypt(organization.id, wanted.client_secret);
  if (!sealed) throw invalidField("client_secret", "required", "A new issuer or client requires its secret.");
  const approvedBefore = before?.provision_approved === true && before.issuer === wanted.issuer;
  if (wanted.provision && !actor.isAdmin && !approvedBefore) await requireOpenSignUp(deps, actor);
  return {
    id: before?.id ?? newId("sso"),
    organization_id: organization.id,
    issuer: wanted.issuer,
    client_id: wanted.client_id,
    sealed_client_secret: sealed,
    email_domains: [...new Set(wanted.email_domains)],
    provision: wanted.provision,
    provision_approved: wanted.provision && (actor.isAdmin || approvedBefore),
    enabled: wanted.enabled,
  };
}

function refuseEverybody({ issuer, provision, email_domains: domains }: SsoConfigurationSet): void {
  if (!provision || domains.length > 0 || !publicIssuers.has(issuer.replace(/\/$/, ""))) return;
  throw invalidField(
    "email_domains",
    "required",
    "Anyone can have an account with this issuer: specify the email domains whose users can become members.",
  );
}

async function requireProvider(providers: Pick<Providers, "check">, issuer: string): Promise<void> {
  try {
    await providers.check(issuer);
  } catch (error) {
    if (!(error instanceof ProviderProblem)) throw error;
    throw invalidField("issuer", error.reason, error.message);
  }
}

async function requireOpenSignUp({ instanceSettings }: SsoConfigurationDeps, actor: Actor): Promise<void> {
  await instanceSettings.requireOpenSignUp(actor.request?.ipAddress ?? "").catch((error: unknown) => {
    if (!(error instanceof AppError)) throw error;
    const message =
      "Sign-up is closed here: only an instance administrator can allow a provider to create accounts.";
    throw invalidField("provision", "not_allowed", message);
  });
}

function recordSet(
  tx: Transaction,
  actor: Actor,
  { organization, wanted, before, parted }: Change & { parted: number },
): Promise<void> {
  const { client_secret: secret, ...shown } = wanted;
  return recordAudit(tx, actor, {
    action: "org.sso_configure",
    target: targetOf(organization),
    details: {
      change: before ? "changed" : "created",
      ...shown,
      client_secret_changed: secret !== undefined,
      ...(before && before.issuer !== wanted.issuer
        ? { old_issuer: before.issuer, identities_removed: parted }
        : {}),
    },
  });
}

function targetOf({ id, name }: OrganizationRef) {
  return { type: "organization", id, name };
}
