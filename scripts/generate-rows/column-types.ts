/**
 * Types of columns of which the database knows less: what a JSON column holds, and words that no CHECK lists. `from` is where
 * the type is declared: a module of a package, or a path from the checkout's root.
 */
export interface ColumnType {
  type: string;
  from?: string;
}

const rateCategory: ColumnType = { type: "RateCategory", from: "@forgeline/schemas/core/rate-category.ts" };
const scopes: ColumnType = { type: "Scope[]", from: "@forgeline/schemas/core/scopes.ts" };

export const columnTypes: Readonly<Record<string, ColumnType>> = {
  "access_tokens.scopes": scopes,
  "audit_log.details": { type: "Record<string, unknown>" },
  "audit_log.geo": { type: `AuditEntry["geo"]`, from: "@forgeline/schemas/audit/resource.ts" },
  "bots.scopes": scopes,
  "instance_settings.value": {
    type: `InstanceSettings["sign_up"]`,
    from: "@forgeline/schemas/instance/routes.ts",
  },
  "oauth_apps.scopes": scopes,
  "oauth_codes.scopes": scopes,
  "oauth_families.scopes": scopes,
  "oauth_grants.scopes": scopes,
  "outbox.payload": { type: "OutboxIntent", from: "server/platform/outbox/outbox.ts" },
  "rate_limit_overrides.category": rateCategory,
  "rate_limit_windows.category": rateCategory,
  "users.plan": { type: "Plan", from: "@forgeline/schemas/administration/resource.ts" },
};

/** Where a type of the table is declared; undefined for one that needs no import. */
export function originOf(type: string): { name: string; from: string } | undefined {
  const from = Object.values(columnTypes).find((known) => known.type === type)?.from;
  return from === undefined ? undefined : { name: type.replace(/\W.*$/, ""), from };
}
