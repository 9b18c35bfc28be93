/** Repositories with privileged jobs as the API shows them. */
import type { PrivilegedRepository } from "@forgeline/schemas/privileges/resource.ts";
import type { PrivilegedRow } from "./privileges.store.ts";

export function presentPrivileged({ allowed_at: allowedAt, ...shown }: PrivilegedRow): PrivilegedRepository {
  return { ...shown, allowed_at: allowedAt.toISOString() };
}
