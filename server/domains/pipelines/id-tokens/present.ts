/** Keys of identity tokens as the REST interface shows them. */
import type { IdTokenKey } from "@forgeline/schemas/id-tokens/resource.ts";
import type { SigningKey } from "./id-token-keys.store.ts";

export function presentIdTokenKey(key: SigningKey, current: SigningKey | undefined): IdTokenKey {
  return {
    id: key.id,
    state: stateOf(key, current),
    created_at: key.created_at.toISOString(),
    current_from: key.current_from.toISOString(),
    withdrawn_at: key.withdrawn_at?.toISOString() ?? null,
  };
}

function stateOf(key: SigningKey, current: SigningKey | undefined): IdTokenKey["state"] {
  if (key.withdrawn_at) return "withdrawn";
  if (key === current) return "current";
  return current && key.current_from > current.current_from ? "next" : "earlier";
}
